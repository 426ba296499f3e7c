import { holdsOf } from "../../../client/queue/calling-hours";
import { heldText, holdTexts } from "../../../client/queue/trouble-text";
import { joined } from "../../../texts/catalogue";
import type { TenantCounts } from "../../../workshop/admin/tenant-routes";
import { translate } from "../../texts";
import { ask } from "./ask";
import { nodeOf } from "./instances";

/**
 * Asks for a tenant's counts.
 * @param area as `ask` has it
 * @param command changes them first
 */
export function askCounts(area: JQuery, tenant: string, command?: object): Promise<TenantCounts> {
  return ask(area, `telephony/tenant/${encodeURIComponent(tenant)}/control`, command, nodeOf(tenant));
}

/** The calls that a person decides about after a longer stop; if there are none, the rows of lists. */
export function heldBackOf({ heldBack, lists }: Pick<TenantCounts, "heldBack" | "lists">): number {
  const held = lists.filter((list) => list.heldBack);
  return heldBack || held.reduce((sum, { total, ended }) => sum + total - ended, 0);
}

export function stateText(counts: TenantCounts): string {
  const { reason, reasonSince, waiting, dated, heldBack, restored = 0, underWay } = counts;
  const zone = counts.zone || undefined;
  const holds = holdsIn(counts);
  // A pause does not end with the next try.
  const held = [...holds].filter(([each]) => each !== "trouble" || !holds.has("pause"));
  const state = joined(translate, "pattern.beside", [
    ...held.map(([each, until]) => heldText(translate, each, until, { zone })),
    translate("status.waiting", { count: waiting.callOut + waiting.other }),
    ...(dated > 0 ? [translate("tab.waits.dated", { count: dated })] : []),
    ...(heldBack > 0 ? [translate("status.heldBack", { count: heldBack })] : []),
    ...(restored > 0 ? [translate("control.restored", { count: restored })] : []),
    translate("control.underWay", { count: underWay }),
    ...(heldBack > 0 || (restored > 0 && holds.has("pause")) ? [translate("control.restoredPaused")] : []),
  ]);
  if (reason === null || reasonSince === null) return state;
  // An incident may be held back without a call.
  const count = Math.max(0, waiting.callOut - heldBack);
  return `${holdTexts(translate, { reason, since: Date.parse(reasonSince), waiting: count, zone }).sentence}\n${state}`;
}

/** Returns what holds the calls of a tenant, as its counts have it. */
export function holdsIn({ paused, heldUntil, resting, restsUntil }: TenantCounts): ReturnType<typeof holdsOf> {
  const tried = heldUntil === null ? undefined : Date.parse(heldUntil);
  const callingHours = { isOpen: !resting, opensAt: restsUntil };
  return holdsOf({ paused, heldUntil: tried, reason: undefined, callingHours });
}

/** Returns what happens to all waiting calls if they are dropped. */
export function sureText(dated: number): string {
  return dated > 0 ? translate("control.sureDated", { count: dated }) : translate("control.sure");
}

/** Returns what the automatic party format has found out, in sentences; empty if nothing. */
export function styleText({ partyFields, booleans }: NonNullable<TenantCounts["style"]>): string {
  const found = [partyFields, booleans].flatMap((each) => (each ? [translate(`style.${each}`)] : []));
  return joined(translate, "pattern.sentences", found);
}
