import { withPlainInstants } from "../../texts/catalogue";
import type { RehearsalState } from "../../workshop/admin/rehearsal/rehearsals";
import { askFirst, button, iconButton, smallButton } from "../panels/controls";
import { ask, showResult } from "../panels/server/ask";
import { translate } from "../texts";
import { Happened } from "./happened";
import { Incoming } from "./incoming";
import { Moment } from "./moment";
import { ADDRESS, editorsFlows } from "./request";

const OPEN = "telephony:rehearse";
const [MENU, ENTRY] = ["red-ui-header-button-sidemenu", "menu-item-telephony-rehearse"];
const POLL_MS = 400;
/** Milliseconds until a request that failed is made again. */
const ASK_AGAIN_MS = 2000;

/** The window in which flows are rehearsed and tested as they stand in the editor. For those who may deploy. */
export class RehearsalWindow {
  readonly #dialog = $("<dialog>", { class: "telephony-window", "aria-label": translate("rehearse.title") });
  readonly #start: JQuery;
  readonly #stop: JQuery;
  readonly #asked: JQuery;
  readonly #state: JQuery;
  readonly #bars: JQuery;
  readonly #incoming: Incoming;
  readonly #moment: Moment;
  readonly #happened: Happened;
  /** The number of the run that this window started last. */
  #own: number | undefined;
  #isPolling = false;

  /** @param tab the area of the sidebar's tab for the button that opens the window, and the bar of a run */
  constructor(tab: JQuery) {
    const line = $("<div>", { class: "telephony-line telephony-tab-rehearse" }).appendTo(tab);
    smallButton({ text: translate("rehearse.title") }, () => this.open()).appendTo(line);
    RED.actions.add(OPEN, () => this.open(), { label: translate("rehearse.title") });
    RED.menu.addItem(MENU, { id: ENTRY, label: translate("rehearse.title"), onselect: OPEN });
    // Node-RED adds it behind its version.
    $(`#${ENTRY}`).parent().insertAfter($("#menu-item-search").parent());
    this.#dialog.appendTo("#red-ui-editor");
    // Keys of the editor would act on the flow behind.
    this.#dialog.on("keydown", (event) => event.stopPropagation());
    const head = $("<header>").appendTo(this.#dialog);
    head.append($("<h2>", { text: translate("rehearse.title") }), $("<p>", { text: translate("rehearse.hint") }));
    iconButton("fa-times", RED._("common.label.close"), () => this.close()).appendTo(head);
    const left = part("rehearse.in").appendTo(this.#dialog);
    const right = part("rehearse.out").appendTo(this.#dialog);
    const scrolled = $("<div>", { class: "telephony-window-scroll" }).appendTo(left);
    this.#incoming = new Incoming(scrolled);
    const foot = $("<div>", { class: "telephony-window-foot" }).appendTo(left);
    this.#moment = new Moment(foot);
    this.#start = button(translate("rehearse.run"), () => this.#run()).addClass("primary");
    this.#stop = button(translate("rehearse.stop"), () => this.#askToStop()).hide();
    $("<div>", { class: "telephony-line" }).append(this.#start, this.#stop).appendTo(foot);
    this.#asked = $("<div>", { role: "group" }).appendTo(foot);
    const top = $("<div>", { class: "telephony-window-top" }).appendTo(right);
    this.#bars = $("<progress>", { "aria-label": translate("rehearse.title") })
      .hide()
      .appendTo(top);
    this.#state = $("<p>", { role: "status" }).appendTo(top);
    const frame = $("<div>", { class: "telephony-window-frame" }).appendTo(right);
    this.#happened = new Happened(top, frame, {
      close: () => this.close(),
      again: (day, time) => {
        this.#moment.choose(day, time);
        this.#run();
      },
      kept: (name) => void this.#incoming.read(name),
    });
    this.#bars = this.#bars.add(
      $("<progress>", { "aria-label": translate("rehearse.title") })
        .hide()
        .appendTo(line),
    );
  }

  open(): void {
    const dialog = this.#dialog[0] as HTMLDialogElement;
    if (dialog.open) return;
    dialog.showModal();
    this.#start.trigger("focus");
    void this.#incoming.read();
    void this.#send();
  }

  close(): void {
    this.#incoming.stopWaiting();
    (this.#dialog[0] as HTMLDialogElement).close();
  }

  #run(): void {
    if (this.#start.hasClass("disabled")) return;
    const { inputs, tests, tabs } = this.#incoming.chosen();
    const { every, ...moment } = this.#moment.chosen();
    const given = inputs.map((input, index) => ({ at: `+${index}s`, ...(every && { every }), ...input }));
    const what = {
      ...(tests.length > 0 && { tests }),
      ...((given.length > 0 || tests.length === 0) && { inputs: given }),
    };
    this.#own = undefined;
    void this.#send({ ...editorsFlows(), ...moment, ...(tabs && { tabs }), ...what });
  }

  /** The rehearsal of somebody else is stopped after a question only. */
  #askToStop(): void {
    const stop = () => void this.#send({ stop: true });
    const isOwn = this.#own !== undefined;
    const answers = [translate("rehearse.letRun"), translate("rehearse.stop")] as const;
    if (isOwn) stop();
    else askFirst(this.#asked, translate("rehearse.sureStop"), answers, stop);
  }

  /** @param body what to begin or to stop; without one, only the state is read */
  async #send(body?: object): Promise<void> {
    if (body) showResult(this.#state, "busy", translate("rehearse.starts"));
    try {
      const state = await ask<RehearsalState>(this.#state, ADDRESS, body);
      if (body && "flows" in body) this.#own = state.run;
      this.#show(state);
    } catch (reason) {
      showResult(this.#state, "wrong", String(reason));
      // Somebody else may have been faster, or what runs goes on.
      if (body || this.#start.hasClass("disabled")) this.#poll(ASK_AGAIN_MS);
    }
  }

  #show(state: RehearsalState): void {
    const { isRunning, run, at, share, calls, problem, report } = state;
    const isOwn = run === this.#own;
    if (!isOwn) this.#own = undefined;
    // A button that is disabled loses the focus.
    this.#start.attr("aria-disabled", String(isRunning)).toggleClass("disabled", isRunning);
    this.#stop.toggle(isRunning);
    this.#bars.toggle(isRunning);
    if (share === undefined) this.#bars.removeAttr("value");
    else this.#bars.val(share);
    if (!isRunning) this.#asked.empty();
    if (isRunning) {
      const reached = at
        ? translate("rehearse.reached", { at: at.slice(0, 16).replace("T", " "), calls })
        : translate("rehearse.starts");
      showResult(this.#state, "busy", isOwn ? reached : translate("rehearse.other", { reached }));
      this.#poll();
    } else if (problem) showResult(this.#state, "wrong", problem);
    else if (report?.brokenOff) showResult(this.#state, "wrong", withPlainInstants(report.brokenOff));
    else this.#state.empty();
    this.#happened.show(state);
  }

  #poll(afterMs = POLL_MS): void {
    if (this.#isPolling) return;
    this.#isPolling = true;
    window.setTimeout(() => {
      this.#isPolling = false;
      void this.#send();
    }, afterMs);
  }
}

function part(key: "rehearse.in" | "rehearse.out"): JQuery {
  return $("<section>").append($("<h3>", { text: translate(key) }));
}
