import { momentOf } from "../../../hours/moment";
import { translate } from "../../texts";
import type { FoundStyle } from "./found-style";

/** What a tenant answers about its messages and requests. */
export interface Counts {
  readonly ok: true;
  readonly paused: boolean;
  /** ISO 8601; `null` unless the calls are held. */
  readonly heldUntil: string | null;
  readonly resting: boolean;
  /** ISO 8601; `null` unless the calls rest, or if that is not known. */
  readonly restsUntil: string | null;
  readonly waiting: { readonly callOut: number; readonly other: number };
  /** Of these, the calls that waited when Node-RED stopped; absent without any. */
  readonly restored?: number;
  readonly underWay: number;
  readonly dropped: number;
  readonly numbers: Numbers;
  /** Absent if the tenant's party format is fixed. */
  readonly style?: FoundStyle;
}

/** How requests have ended, and how long half and most of them took lately. */
interface Numbers {
  readonly outcomes: Readonly<Record<"applied" | "rejected" | "not-applied" | "unknown", number>>;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
}

/** The address of a tenant's counts, and of the commands that change them. */
export function countsAddress(tenant: string): string {
  return `telephony/tenant/${encodeURIComponent(tenant)}/control`;
}

/** How requests have ended, in words; empty before the first one. */
export function numbersText({ outcomes, p50Ms, p95Ms }: Numbers): string {
  const { applied, rejected, unknown, "not-applied": notApplied } = outcomes;
  if (applied + rejected + unknown + notApplied === 0) return "";
  const ended = translate("control.numbers", { applied, rejected, notApplied, unknown });
  return p50Ms === null ? ended : `${ended} ${translate("control.durations", { p50: p50Ms, p95: p95Ms ?? p50Ms })}`;
}

/** What happens now, in words. */
export function stateText({ paused, heldUntil, resting, restsUntil, waiting, restored = 0, underWay }: Counts): string {
  const line = [
    ...(paused ? [translate("status.paused")] : []),
    ...(heldUntil === null ? [] : [translate("status.held", { time: new Date(heldUntil).toTimeString().slice(0, 5) })]),
    ...(resting ? [rest(restsUntil)] : []),
    translate("status.waiting", { count: waiting.callOut + waiting.other }),
    ...(restored > 0 ? [translate("control.restored", { count: restored })] : []),
    translate("control.underWay", { count: underWay }),
  ].join(" · ");
  return restored > 0 && paused ? `${line}. ${translate("control.restoredPaused")}` : line;
}

/** Until when calls wait for calling hours, in the zone of these hours. */
function rest(until: string | null): string {
  if (until === null) return translate("status.waitsForHours");
  const offset = Date.parse(`${until.slice(0, 19)}Z`) - Date.parse(until);
  const { weekday, text } = momentOf(until, new Date(Date.now() + offset).toISOString().slice(0, 10));
  return translate("status.waitsUntil", { at: weekday ? `${translate(`status.days.${weekday}`)} ${text}` : text });
}
