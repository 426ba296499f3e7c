import type { TenantCounts } from "../../workshop/admin/tenant-routes";
import type { OpenDecisions } from "../../workshop/admin/waiting-calls";
import { askFirst, smallButton } from "../panels/controls";
import { ask, showResult } from "../panels/server/ask";
import { heldBackOf } from "../panels/server/counts";
import { labelIn } from "../panels/server/instances";
import { momentIn } from "../panels/server/lists";
import { translate } from "../texts";
import { nodeLink } from "./frame";
import { BUTTONS } from "./ringing";

type Unknown = OpenDecisions["calls"][number];

const MAX_SHOWN = 50;
const READ_AGAIN_MS = 10_000;

/** Carries out a command for the tenant that is shown, and says in an element what came of it. */
export type Order = (body: { readonly command: string; readonly [property: string]: unknown }, done: JQuery) => void;

interface Decision {
  readonly text: string;
  /** Asked before it is carried out. */
  readonly sure?: string;
  readonly body: Parameters<Order>[0];
}

/** The number of calls that need a person, by tenant. */
const needs = new Map<string, number>();

/** Shows the number of calls that need a person on the icon of the tab. Calls back when it changes. */
export function followNeeds(changed: () => void): void {
  RED.comms.subscribe("telephony/needs/#", (_, data) => {
    const { id, count } = data as { readonly id: string; readonly count: number };
    needs.set(id, count);
    changed();
  });
}

/** @param tenants that run */
export function showNeeds(tenants: readonly string[]): void {
  const all = tenants.reduce((sum, id) => sum + needsOf(id), 0);
  $("[data-telephony-needs]").removeAttr("data-telephony-needs");
  if (all > 0) $(BUTTONS).filter(":visible").attr("data-telephony-needs", all);
}

export function needsOf(tenant: string): number {
  return needs.get(tenant) ?? 0;
}

/** The calls of a tenant about which a person decides, of the whole group. */
export class NeedsYou {
  readonly #area: JQuery;
  readonly #badge: JQuery;
  readonly #list: JQuery;
  readonly #question: JQuery;
  readonly #done: JQuery;
  readonly #refused: JQuery;
  /** The counts that are shown, and when the calls are read again although these are the same; monotonic milliseconds. */
  #shown = "";
  #readAgainAt = 0;
  /** Drawn anew only when it changes, so that nobody presses what has just moved. */
  #drawn = "";

  constructor(
    area: JQuery,
    private readonly order: Order,
  ) {
    const title = translate("tab.needs.title");
    this.#badge = $("<span>", { class: "telephony-badge" });
    this.#list = $("<ul>");
    this.#question = $("<div>", { role: "group" });
    this.#done = $("<p>", { role: "status" });
    this.#refused = $("<p>", { role: "status" });
    this.#area = $("<section>", { class: "telephony-needs", "aria-label": title, tabindex: -1 })
      .append(
        $("<h4>", { text: `${title} ` }).append(this.#badge),
        this.#list,
        this.#refused,
        this.#question,
        this.#done,
      )
      .hide()
      .appendTo(area);
  }

  /** Shows nothing, not even that there is nothing: it is not known. */
  forget(): void {
    [this.#shown, this.#drawn] = ["", ""];
    this.#area.hide();
    this.#list.add(this.#refused).add(this.#question).add(this.#done).empty();
  }

  /** @param isQuiet says nothing where there is nothing: the calls of a sandbox need the space */
  show(tenant: string, counts: TenantCounts, isQuiet: boolean): void {
    const { unknown, isFailing } = counts;
    const heldBack = heldBackOf(counts);
    const all = heldBack + unknown;
    // What others of the group have is not known.
    if (all === 0 && isFailing) {
      this.forget();
      return;
    }
    this.#badge.text(all).toggle(all > 0);
    const shown = JSON.stringify([heldBack, unknown]);
    if (shown === this.#shown && performance.now() < this.#readAgainAt) return;
    this.#shown = shown;
    this.#readAgainAt = unknown > 0 ? performance.now() + READ_AGAIN_MS : Infinity;
    this.#area.toggle(all > 0 || !isQuiet);
    const draw = ({ calls }: Pick<OpenDecisions, "calls">) => {
      if (shown !== this.#shown) return;
      this.#refused.empty();
      this.#draw(counts, calls);
    };
    const refuse = (reason: string) => shown === this.#shown && showResult(this.#refused, "wrong", reason);
    if (unknown === 0) draw({ calls: [] });
    else ask<OpenDecisions>(this.#list, `telephony/tenant/${encodeURIComponent(tenant)}/unknown`).then(draw, refuse);
  }

  #draw(counts: TenantCounts, calls: OpenDecisions["calls"]): void {
    const [heldBack, { zone }] = [heldBackOf(counts), counts];
    const drawn = JSON.stringify([heldBack, calls]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    const rows = calls.slice(0, MAX_SHOWN).map((call) => this.#unknown(call, zone));
    const more = calls.length - rows.length;
    if (more > 0) rows.push($("<li>", { text: translate("tab.waits.more", { count: more }) }));
    if (heldBack > 0) rows.push(this.#heldBack(heldBack));
    if (rows.length === 0) rows.push($("<li>", { text: translate("tab.needs.nothing") }));
    const hadFocus = this.#area.has(document.activeElement ?? document.body).length > 0;
    this.#question.empty();
    this.#list.empty().append(...rows);
    // Not a button: a second press of a key would decide about the next call.
    if (hadFocus) this.#area.trigger("focus");
  }

  #unknown({ id, key, nodeId, sentAt, canCallAgain, ...call }: Unknown, zone: string): JQuery {
    const number = call.number ?? "–";
    const when = sentAt === null ? "–" : momentIn(sentAt, zone);
    const settle = (as: string) => ({ command: "settle", id, as });
    const again = translate("tab.needs.again");
    const row = [
      $("<b>", { text: when }),
      $("<span>", { text: number, title: key ?? "" }),
      nodeLink(nodeId, labelIn(nodeId, "–")),
      $("<span>", { text: translate("status.mayHaveBeen.placed") }),
    ];
    return this.#row(row, translate("pattern.also", { one: number, more: when }), [
      { text: translate("tab.needs.rang"), body: settle("rang") },
      canCallAgain
        ? { text: again, sure: translate("tab.needs.sureAgain", { number }), body: settle("call-again") }
        : { text: translate("tab.needs.notRung"), body: settle("did-not-ring") },
    ]);
  }

  #heldBack(count: number): JQuery {
    const text = translate("tab.needs.heldBack", { count });
    return this.#row([$("<span>", { text })], text, [
      {
        ...{ text: translate("control.resume"), sure: translate("tab.needs.sureResume", { count }) },
        body: { command: "resume" },
      },
      { text: translate("tab.needs.drop"), body: { command: "drop", only: "held-back" } },
    ]);
  }

  #row(content: readonly JQuery[], about: string, decisions: readonly Decision[]): JQuery {
    const row = $("<li>").append(...content);
    if (!RED.user.hasPermission("telephony-tenant.write")) return row;
    const buttons = decisions.map(({ text, sure, body }) => {
      const button: JQuery = smallButton(
        { text, "aria-label": translate("pattern.named", { name: text, text: about }) },
        () => {
          const focus = () => button.trigger("focus");
          const answers = [translate("tab.needs.notNow"), text] as const;
          if (sure === undefined) this.order(body, this.#done);
          else askFirst(this.#question, sure, answers, () => this.order(body, this.#done), focus);
        },
      );
      return button;
    });
    return row.append($("<div>", { class: "telephony-line" }).append(...buttons));
  }
}
