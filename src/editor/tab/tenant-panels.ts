import { momentText } from "../../client/queue/trouble-text";
import type { RunningTenant } from "../../runtime/tenants/tenants";
import type { TenantCounts } from "../../workshop/admin/tenant-routes";
import type { ShownCall, WaitingCalls } from "../../workshop/admin/waiting-calls";
import { askFirst, iconButton, smallButton } from "../panels/controls";
import { ask, showResult } from "../panels/server/ask";
import { askCounts, holdsIn, stateText, sureText } from "../panels/server/counts";
import { labelIn } from "../panels/server/instances";
import { translate } from "../texts";
import { nodeLink } from "./frame";
import { NeedsYou } from "./needs-you";
import { RunningLists } from "./running-lists";
import { Today } from "./today";

/** Milliseconds between an answer and the next request. */
const EVERY_MS = 2000;
/** Milliseconds after which the calls are read again although their number is the same. */
const READ_AGAIN_MS = 10_000;

/**
 * Shows what of a tenant needs somebody, what became of its calls today, and in one fold what waits, with buttons for those who may
 * change that, and refreshes it while it is visible.
 */
export class TenantPanels {
  readonly #needs: NeedsYou;
  readonly #today: Today;
  readonly #fold: JQuery;
  readonly #state: JQuery;
  readonly #buttons: JQuery;
  readonly #question: JQuery;
  readonly #done: JQuery;
  readonly #list: JQuery;
  /** Beside the fold, because the calls of a sandbox fold it. */
  readonly #lists: RunningLists;
  #timer = 0;
  #tenant: string | undefined;
  #isFollowed = false;
  #isSandbox = false;
  #counts: TenantCounts | undefined;
  /** The key of the last read of the calls, and its time. */
  #read = "";
  #readAt = 0;

  constructor(area: JQuery) {
    this.#needs = new NeedsYou(area, (body, done) => void this.#command(body, done));
    this.#today = new Today(area);
    const fold = $("<details>", { class: "telephony-tab-numbers telephony-waits" }).appendTo(area);
    const part = (element: string, attributes: Record<string, string> = {}) =>
      $(`<${element}>`, attributes).appendTo(fold);
    this.#fold = fold;
    this.#state = part("summary");
    this.#buttons = part("div", { class: "telephony-line" });
    this.#question = part("div", { role: "group" });
    this.#done = part("p", { role: "status" });
    this.#list = part("ol");
    this.#lists = new RunningLists(area);
    fold.on("toggle", () => this.#readCalls());
  }

  /** Follows a tenant. Those of a sandbox are folded, because its calls need the space. */
  follow({ id, mode }: RunningTenant): void {
    if (this.#isFollowed && id === this.#tenant) return;
    this.stop();
    if (id !== this.#tenant) {
      this.#forget();
      this.#lists.forget();
      this.#today.forget(mode !== "sandbox");
      this.#fold.prop("open", mode !== "sandbox");
    }
    this.#fold.show();
    this.#tenant = id;
    this.#isSandbox = mode === "sandbox";
    this.#isFollowed = true;
    void this.#refresh(id);
  }

  hide(): void {
    this.stop();
    this.#tenant = undefined;
    this.#forget();
    this.#lists.forget();
    this.#today.forget(false);
    this.#fold.hide();
  }

  /** Stops refreshing; the shown metrics stay. */
  stop(): void {
    this.#isFollowed = false;
    clearTimeout(this.#timer);
  }

  #forget(): void {
    this.#counts = undefined;
    this.#read = "";
    this.#buttons.removeData("offered");
    this.#needs.forget();
    this.#fold.children().empty();
  }

  async #refresh(tenant: string): Promise<void> {
    const isAwaited = () => this.#isFollowed && tenant === this.#tenant;
    try {
      const counts = await askCounts(this.#state, tenant);
      if (isAwaited()) this.#show(counts);
      if (isAwaited()) await this.#today.refresh(tenant);
    } catch (reason) {
      if (!isAwaited()) return;
      this.#forget();
      showResult(this.#state, "wrong", String(reason));
    }
    if (!isAwaited()) return;
    // Of one that was stopped and followed again meanwhile.
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => void this.#refresh(tenant), EVERY_MS);
  }

  #show(counts: TenantCounts): void {
    this.#counts = counts;
    this.#state.removeClass("telephony-problem").text(stateText(counts));
    this.#needs.show(this.#tenant ?? "", counts, this.#isSandbox);
    this.#offer(counts);
    this.#lists.show(counts);
    this.#readCalls();
  }

  #offer(counts: TenantCounts): void {
    const { waiting, dated } = counts;
    const holds = holdsIn(counts);
    const isResumed = holds.has("pause") || holds.has("trouble");
    if (!RED.user.hasPermission("telephony-tenant.write")) return;
    const offered = JSON.stringify([isResumed, waiting.callOut, dated]);
    if (this.#buttons.data("offered") === offered) return;
    this.#buttons.data("offered", offered).empty();
    const button = (icon: string, text: string, press: () => void) =>
      smallButton({ text: ` ${text}` }, press)
        .prepend($("<i>", { class: `fa ${icon}`, "aria-hidden": "true" }))
        .appendTo(this.#buttons);
    if (isResumed) button("fa-play", translate("control.resume"), () => void this.#command({ command: "resume" }));
    if (waiting.callOut > 0)
      button("fa-trash-o", translate("control.drop"), () =>
        this.#ask(sureText(dated), translate("control.dropNow"), { command: "drop" }),
      );
  }

  #ask(text: string, yes: string, body: object): void {
    askFirst(this.#question, text, [translate("tab.waits.keep"), yes], () => void this.#command(body));
  }

  async #command(body: { readonly command?: string }, done = this.#done): Promise<void> {
    const tenant = this.#tenant;
    if (tenant === undefined) return;
    showResult(done, "busy", "");
    try {
      const counts = await askCounts(done, tenant, body);
      if (tenant !== this.#tenant) return;
      const { dropped, cancelled, settled } = counts;
      done.empty();
      if (body.command === "drop") showResult(done, "fine", translate("control.dropped", { count: dropped }));
      if (settled !== undefined)
        showResult(done, "fine", translate(settled > 0 ? "tab.needs.settled" : "tab.needs.tooLate"));
      if (cancelled !== undefined)
        showResult(done, "fine", translate(cancelled > 0 ? "tab.waits.calledOff" : "tab.waits.gone"));
      this.#read = "";
      this.#show(counts);
    } catch (reason) {
      if (tenant === this.#tenant) showResult(done, "wrong", String(reason));
    }
  }

  /** Reads the calls, if they are shown and may have changed. */
  #readCalls(): void {
    const [tenant, counts] = [this.#tenant, this.#counts];
    if (tenant === undefined || !counts || !this.#fold.prop("open")) return;
    const { waiting, dated, heldBack } = counts;
    const state = JSON.stringify([...holdsIn(counts).keys(), waiting.callOut, dated, heldBack]);
    if (state === this.#read && performance.now() - this.#readAt < READ_AGAIN_MS) return;
    this.#read = state;
    this.#readAt = performance.now();
    const address = `telephony/tenant/${encodeURIComponent(tenant)}/waiting`;
    void ask<WaitingCalls>(this.#list, address).then(
      (answer) => {
        if (tenant === this.#tenant) this.#draw(answer, counts);
      },
      // The line above it says that Node-RED cannot be reached.
      () => {},
    );
  }

  #draw({ calls, today }: WaitingCalls, counts: TenantCounts): void {
    const rows = calls.map((call) => this.#row(call, today));
    const more = counts.waiting.callOut - calls.length;
    if (more > 0) rows.push($("<li>", { text: translate("tab.waits.more", { count: more }) }));
    this.#list.empty().append(...rows);
  }

  #row(call: ShownCall, today: string): JQuery {
    const { nodeId, key, handle } = call;
    const when = whenText(call, today);
    const number = call.number ?? "–";
    const row = $("<li>").append(
      $("<b>", { text: when }),
      $("<span>", { text: number, title: key ?? "" }),
      nodeLink(nodeId, labelIn(nodeId, "–")),
    );
    if (handle === null || !RED.user.hasPermission("telephony-tenant.write")) return row;
    const label = translate("tab.waits.callOff");
    const callOff = () =>
      this.#ask(translate("tab.waits.sure", { number, when }), label, { command: "cancel", handle });
    const text = translate("pattern.also", { one: number, more: when });
    const named = translate("pattern.named", { name: label, text });
    return row.append(iconButton("fa-times", label, callOff).attr("aria-label", named));
  }
}

function whenText({ at, urgent, waitsFor }: ShownCall, today: string): string {
  const when = at === null ? translate(`tab.waits.for.${waitsFor}`) : momentText(translate, at, today);
  return urgent ? translate("tab.waits.urgent", { when }) : when;
}
