import { holdTexts, momentText, timeText } from "../../../client/queue/trouble-text";
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

export function stateText({
  paused,
  heldUntil,
  reason,
  reasonSince,
  zone,
  resting,
  restsUntil,
  waiting,
  dated,
  heldBack,
  restored = 0,
  underWay,
}: TenantCounts): string {
  const at = (instant: string) => timeText(translate, Date.parse(instant), zone || undefined);
  const again = heldUntil === null ? [] : [translate("trouble.again", { time: at(heldUntil) })];
  const state = joined(translate, "pattern.beside", [
    ...(paused ? [translate("status.paused")] : again),
    ...(resting ? [rest(restsUntil)] : []),
    translate("status.waiting", { count: waiting.callOut + waiting.other }),
    ...(dated > 0 ? [translate("tab.waits.dated", { count: dated })] : []),
    ...(heldBack > 0 ? [translate("status.heldBack", { count: heldBack })] : []),
    ...(restored > 0 ? [translate("control.restored", { count: restored })] : []),
    translate("control.underWay", { count: underWay }),
    ...(heldBack > 0 || (restored > 0 && paused) ? [translate("control.restoredPaused")] : []),
  ]);
  if (reason === null || reasonSince === null) return state;
  // An incident may be held back without a call.
  const count = Math.max(0, waiting.callOut - heldBack);
  const hold = { reason, since: Date.parse(reasonSince), waiting: count, zone: zone || undefined };
  return `${holdTexts(translate, hold).sentence}\n${state}`;
}

/** Returns what happens to all waiting calls if they are dropped. */
export function sureText(dated: number): string {
  return dated > 0 ? translate("control.sureDated", { count: dated }) : translate("control.sure");
}

/** Writes until when calls wait for calling hours, in the zone of these hours. */
function rest(until: string | null): string {
  if (until === null) return translate("status.waitsForHours");
  const offset = Date.parse(`${until.slice(0, 19)}Z`) - Date.parse(until);
  return translate("status.waitsUntil", {
    at: momentText(translate, until, new Date(Date.now() + offset).toISOString()),
  });
}

/** Returns what the automatic party format has found out, in sentences; empty if nothing. */
export function styleText({ partyFields, booleans }: NonNullable<TenantCounts["style"]>): string {
  const found = [partyFields, booleans].flatMap((each) => (each ? [translate(`style.${each}`)] : []));
  return joined(translate, "pattern.sentences", found);
}
