import type { RefusalAnswer } from "../../workshop/admin/refused";
import type { TenantCounts } from "../../workshop/admin/tenant-routes";
import type { ShownCall, WaitingCalls as Waiting } from "../../workshop/admin/waiting-calls";
import { iconButton, smallButton } from "../panels/button";
import { ask, showResult } from "../panels/server/ask";
import { askCounts, momentText, sureText } from "../panels/server/counts";
import { labelIn } from "../panels/server/instances";
import { translate } from "../texts";
import { drawDays } from "./days-picture";
import { revealNode } from "./frame";

/** Milliseconds after which the calls are read again although their number is the same. */
const READ_AGAIN_MS = 10_000;
/** Calls that are shown at first. */
const FEW = 5;

/** Shows the calls that wait for a tenant, with buttons for those who may change them. Empty while there are none. */
export class WaitingCalls {
  readonly #fold: JQuery;
  readonly #buttons: JQuery;
  readonly #question: JQuery;
  readonly #state: JQuery;
  readonly #picture: JQuery;
  readonly #list: JQuery;
  #isLong = false;
  #tenant: string | undefined;
  #counts: TenantCounts | undefined;
  /** What was read last, and when. */
  #read = "";
  #readAt = 0;

  /** @param fold what it fills, as long as that is open */
  constructor(fold: JQuery) {
    this.#fold = fold;
    const part = (element: string, attributes: Record<string, string> = {}) =>
      $(`<${element}>`, attributes).appendTo(fold);
    this.#buttons = part("div", { class: "telephony-line" });
    this.#question = part("div", { role: "group" }).hide();
    this.#state = part("p", { role: "status" });
    this.#list = part("ol");
    this.#picture = part("div");
    fold.on("toggle", () => this.#refresh());
  }

  show(tenant: string, counts: TenantCounts): void {
    if (tenant !== this.#tenant) this.hide();
    this.#tenant = tenant;
    this.#counts = counts;
    this.#offer(counts);
    this.#refresh();
  }

  /** Forgets the tenant that it showed. */
  hide(): void {
    this.#tenant = undefined;
    this.#read = "";
    this.#isLong = false;
    this.#question.hide();
    for (const part of [this.#buttons.removeData("offered"), this.#state, this.#list, this.#picture]) part.empty();
  }

  /** The buttons for what can be done now. */
  #offer({ paused, held, heldBack, waiting, dated }: TenantCounts): void {
    if (!RED.user.hasPermission("telephony-tenant.write")) return;
    const offered = JSON.stringify([paused, held, heldBack, waiting.callOut, dated]);
    if (this.#buttons.data("offered") === offered) return;
    this.#buttons.data("offered", offered).empty();
    const button = (icon: string, text: string, press: () => void) =>
      smallButton({ text: ` ${text}` }, press)
        .prepend($("<i>", { class: `fa ${icon}`, "aria-hidden": "true" }))
        .appendTo(this.#buttons);
    if (paused || held || heldBack > 0)
      button("fa-play", translate("control.resume"), () => void this.#command({ command: "resume" }));
    if (heldBack > 0)
      button("fa-trash-o", translate("tab.waits.dropHeldBack", { count: heldBack }), () =>
        this.#ask(translate("tab.waits.sureHeldBack", { count: heldBack }), translate("control.dropNow"), {
          command: "drop",
          only: "held-back",
        }),
      );
    if (waiting.callOut > 0)
      button("fa-trash-o", translate("control.drop"), () =>
        this.#ask(sureText(dated), translate("control.dropNow"), { command: "drop" }),
      );
  }

  /** Asks before something is done that cannot be undone. */
  #ask(text: string, yes: string, body: object): void {
    const confirm = () => {
      this.#question.hide();
      void this.#command(body);
    };
    const line = $("<div>", { class: "telephony-line" }).append(
      smallButton({ text: yes }, confirm),
      smallButton({ text: translate("tab.waits.keep") }, () => this.#question.hide()),
    );
    this.#question.attr("aria-label", text).empty().append($("<p>", { text }), line).show();
    line.children().last().trigger("focus");
  }

  async #command(body: { readonly command?: string }): Promise<void> {
    const tenant = this.#tenant;
    if (tenant === undefined) return;
    showResult(this.#state, "busy", "");
    const answer = await askCounts(this.#state, tenant, body);
    if (tenant !== this.#tenant) return;
    if (!answer.ok) return showResult(this.#state, "wrong", answer.reason);
    this.#state.empty();
    const { dropped, cancelled } = answer;
    if (body.command === "drop") showResult(this.#state, "fine", translate("control.dropped", { count: dropped }));
    if (cancelled !== undefined)
      showResult(this.#state, "fine", translate(cancelled > 0 ? "tab.waits.calledOff" : "tab.waits.gone"));
    this.#readAt = 0;
    this.show(tenant, answer);
  }

  /** Reads the calls, if they are shown and may have changed. */
  #refresh(): void {
    const [tenant, counts] = [this.#tenant, this.#counts];
    if (tenant === undefined || !counts || !this.#fold.prop("open")) return;
    const { paused, held, resting, waiting, dated, heldBack } = counts;
    const state = JSON.stringify([tenant, paused, held, resting, waiting.callOut, dated, heldBack]);
    if (state === this.#read && performance.now() - this.#readAt < READ_AGAIN_MS) return;
    this.#read = state;
    this.#readAt = performance.now();
    const address = `telephony/tenant/${encodeURIComponent(tenant)}/waiting`;
    void ask<Waiting | RefusalAnswer>(this.#list, address).then(
      (answer) => {
        if (tenant === this.#tenant && answer.ok) this.#draw(answer, counts);
      },
      // The line above it says that Node-RED cannot be reached.
      () => {},
    );
  }

  #draw(
    { calls, days, isCut }: Omit<Waiting, "ok">,
    { waiting, dated }: Pick<TenantCounts, "waiting" | "dated">,
  ): void {
    if (dated > 0) drawDays(this.#picture, days);
    else this.#picture.empty();
    if (isCut) $("<p>", { text: translate("tab.waits.cut") }).appendTo(this.#picture);
    const today = days[0]?.date ?? "";
    const shown = this.#isLong ? calls : calls.slice(0, FEW);
    const rows = shown.map((call) => this.#row(call, today));
    const more = waiting.callOut - shown.length;
    if (more > 0) rows.push(this.#more(more, () => this.#draw({ calls, days, isCut }, { waiting, dated })));
    this.#list.empty().append(...rows);
  }

  /** How many calls are not shown. A press shows them, as far as they are known. */
  #more(count: number, draw: () => void): JQuery {
    const text = translate("tab.waits.more", { count });
    if (this.#isLong) return $("<li>", { text });
    const link = $("<a>", { href: "#", text }).on("click", (event) => {
      event.preventDefault();
      this.#isLong = true;
      draw();
    });
    return $("<li>").append(link);
  }

  #row(call: ShownCall, today: string): JQuery {
    const when = whenText(call, today);
    const number = call.number ?? "–";
    const name = labelIn(call.nodeId, "–");
    const row = $("<li>").append(
      $("<b>", { text: when }),
      $("<span>", { text: number, title: call.key ?? "" }),
      $("<a>", { href: "#", text: name }).on("click", (event) => {
        event.preventDefault();
        revealNode(call.nodeId);
      }),
    );
    const { handle } = call;
    if (handle === null || !RED.user.hasPermission("telephony-tenant.write")) return row;
    const label = translate("tab.waits.callOff");
    return row.append(
      iconButton("fa-times", label, () =>
        this.#ask(translate("tab.waits.sure", { number, when }), label, { command: "cancel", handle }),
      ).attr("aria-label", `${label}: ${number}, ${when}`),
    );
  }
}

function whenText({ at, urgent, waitsFor }: ShownCall, today: string): string {
  const when = at === null ? translate(`tab.waits.for.${waitsFor}`) : momentText(at, today);
  return urgent ? translate("tab.waits.urgent", { when }) : when;
}
