import type { RehearsalState } from "../../workshop/admin/rehearsals";
import { smallButton } from "../panels/controls";
import { ask, showResult } from "../panels/server/ask";
import { withLogin } from "../panels/server/calls-address";
import { labelIn } from "../panels/server/instances";
import { translate } from "../texts";
import { FlowTests } from "./flow-tests";
import { letSelect, revealNode } from "./frame";

const ADDRESS = "telephony/rehearsal";
const POLL_MS = 400;
const MOST_DAYS = 366;

/** Rehearses the flows as they stand in the editor, and runs their tests. For those who may deploy. */
export class RehearsalPanel {
  readonly #fold: JQuery;
  readonly #from: JQuery;
  readonly #days: JQuery;
  readonly #source: JQuery;
  readonly #start: JQuery;
  readonly #stop: JQuery;
  readonly #state: JQuery;
  readonly #result: JQuery;
  readonly #tests: FlowTests;
  #isOpened = false;
  #dialog: HTMLDialogElement | undefined;
  #report: Window | null = null;

  constructor(area: JQuery) {
    this.#fold = $("<details>", { class: "telephony-tab-numbers telephony-rehearsal" }).appendTo(area);
    $("<summary>", { text: translate("rehearse.title") }).appendTo(this.#fold);
    $("<p>", { text: translate("rehearse.hint") }).appendTo(this.#fold);
    const form = $("<div>", { class: "telephony-rehearsal-form" }).appendTo(this.#fold);
    this.#from = field(form, translate("rehearse.from"), $("<input>", { type: "datetime-local" }));
    this.#days = field(
      form,
      translate("rehearse.days"),
      $("<input>", { type: "number", min: 1, max: MOST_DAYS, value: 7 }),
    );
    this.#source = field(form, translate("rehearse.input"), $("<select>"));
    const widen = smallButton({ text: translate("rehearse.wide") }, () => this.#widen(area));
    this.#start = smallButton({ text: translate("rehearse.start") }, () => this.#rehearse()).addClass("primary");
    this.#stop = smallButton({ text: translate("rehearse.stop") }, () => void this.#send({ stop: true })).hide();
    $("<div>", { class: "telephony-line" }).append(widen, this.#start, this.#stop).appendTo(this.#fold);
    this.#state = $("<p>", { role: "status" }).appendTo(this.#fold);
    this.#result = $("<div>").appendTo(this.#fold);
    this.#tests = new FlowTests(this.#fold, (tests) => void this.#send({ ...editors(), tests }));
    this.#tests.onRead = (tests) => {
      const names = tests.map(({ name }, index) => $("<option>", { value: index, text: name }));
      this.#source.empty().append($("<option>", { value: "", text: translate("rehearse.ownInput") }), ...names);
    };
    letSelect(() => this.#report);
    this.#fold.on("toggle", () => {
      if (this.#isOpened) return;
      this.#isOpened = true;
      void this.#tests.read();
      void this.#send();
    });
  }

  /** Moves the panel into a dialog, where the columns of a test have room beside each other, until that is closed. */
  #widen(area: JQuery): void {
    if (this.#dialog) return;
    const after = this.#fold.next();
    const dialog = $("<dialog>", { class: "telephony-wide" }).appendTo("#red-ui-editor");
    $("<button>", { type: "button", class: "red-ui-button telephony-wide-close", text: "×" })
      .attr("aria-label", RED._("common.label.close"))
      .on("click", () => this.#dialog?.close())
      .appendTo(dialog);
    this.#fold.appendTo(dialog);
    this.#dialog = dialog[0] as HTMLDialogElement;
    dialog.on("close", () => {
      if (after.length > 0) this.#fold.insertBefore(after);
      else this.#fold.appendTo(area);
      dialog.remove();
      this.#dialog = undefined;
    });
    this.#dialog.showModal();
  }

  #rehearse(): void {
    if (this.#start.hasClass("disabled")) return;
    const chosen = this.#source.val();
    const inputs = chosen === "" ? undefined : this.#tests.tests[Number(chosen)]?.when;
    const from = String(this.#from.val());
    const days = Number(this.#days.val()) || undefined;
    void this.#send({ ...editors(), from, days, ...(inputs && { inputs }) });
  }

  /** @param body what to begin or to stop; without one, only the state is read */
  async #send(body?: object): Promise<void> {
    if (body) showResult(this.#state, "busy", translate("rehearse.starts"));
    try {
      this.#show(await ask<RehearsalState>(this.#state, ADDRESS, body));
    } catch (reason) {
      showResult(this.#state, "wrong", String(reason));
    }
  }

  #show(state: RehearsalState): void {
    const { isRunning, at, calls, problem, notes = [], report, tests } = state;
    // A button that is disabled loses the focus.
    this.#start.attr("aria-disabled", String(isRunning)).toggleClass("disabled", isRunning);
    this.#stop.toggle(isRunning);
    if (isRunning) {
      const text = at
        ? translate("rehearse.reached", { at: at.slice(0, 16).replace("T", " "), calls })
        : translate("rehearse.starts");
      showResult(this.#state, "busy", text);
      window.setTimeout(() => void this.#send(), POLL_MS);
    } else if (problem) showResult(this.#state, "wrong", problem);
    else if (report?.brokenOff) showResult(this.#state, "wrong", report.brokenOff);
    else this.#state.empty();
    if (tests) this.#tests.show(tests);
    if (report) this.#showReport(report, notes);
    else if (tests && !isRunning) this.#result.empty().append(notes.map((text) => $("<p>", { text })));
  }

  #showReport({ figures, calls }: NonNullable<RehearsalState["report"]>, notes: readonly string[]): void {
    const { calls: placed, notPlaced } = figures;
    const link = $("<a>", {
      class: "telephony-link",
      href: withLogin(`${ADDRESS}/report`),
      text: translate("rehearse.report"),
    }).on("click", ({ currentTarget }) => {
      this.#report = window.open((currentTarget as HTMLAnchorElement).href);
      return false;
    });
    const rows = calls.map(({ at, number, node: label, nodeId, says }) => {
      const name = `${at.slice(0, 16).replace("T", " ")} · ${number} · ${labelIn(nodeId, label)}`;
      const row = $("<button>", { type: "button", class: "telephony-link", text: name, title: says.join(" ") });
      const reveal = () => {
        this.#dialog?.close();
        revealNode(nodeId);
      };
      return $("<li>").append(row.on("click", reveal));
    });
    this.#result
      .empty()
      .append($("<p>").append($("<strong>", { text: translate("rehearse.placed", { placed, notPlaced }) }), " ", link))
      .append(notes.map((text) => $("<p>", { text })))
      .append($("<ol>").append(rows));
  }
}

/** The flows as they stand in the editor, without credentials, and the language of their report. */
function editors(): object {
  return { flows: RED.nodes.createCompleteNodeSet({ credentials: false }), language: translate("language") };
}

function field(form: JQuery, text: string, control: JQuery): JQuery {
  $("<label>").append($("<span>", { text }), control).appendTo(form);
  return control;
}
