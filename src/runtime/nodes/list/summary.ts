import type { NodeAPI } from "node-red";
import { NO_TIMINGS, type TenantError } from "../../../client";
import { hostZone, instantFormatter } from "../../../hours";
import { publicReason } from "../../delivery/http-answer";
import type { UsableTenant } from "../../tenants/chosen-tenant";
import type { Campaign } from "./campaign";
import type { Look } from "./look";

/** Refused rows that a summary lists. */
const MOST_LISTED = 1000;

/** A list as it was judged: how many rows can be called, which not and why, and when the last call begins. */
export function summaryOf(RED: NodeAPI, id: string, { total, good, refused, withoutZero }: Look, until: string | null) {
  const codes: Record<string, number> = {};
  for (const { code } of refused.values()) codes[code] = (codes[code] ?? 0) + 1;
  const listed = [...refused].slice(0, MOST_LISTED).map(([index, error]) => refusalOf(RED, index, error));
  return { list: id, total, good, refused: listed, codes, withoutZero: withoutZero.length, until };
}

function refusalOf(RED: NodeAPI, index: number, error: TenantError) {
  const { first } = error.details;
  return { index: index + 1, code: error.code, message: publicReason(RED, error).message, ...(first && { first }) };
}

export function endedSummary(campaign: Campaign) {
  const { subject, judged, refused, tally, stoppedBy: stopped } = campaign;
  const { total, results, codes, outcomes } = tally;
  const listed = [...results.entries()].flatMap(([index, ended]) => {
    const [outcome, code = "", message = ""] = ended ?? [];
    const isRefused = outcome === "not-applied" && REFUSALS.includes(code);
    const first = refused.get(index)?.details.first;
    return isRefused ? [{ index: index + 1, code, message, ...(first && { first }) }] : [];
  });
  return {
    list: subject.id,
    name: subject.name,
    total,
    good: judged?.good ?? 0,
    refused: listed.slice(0, MOST_LISTED),
    codes,
    withoutZero: judged?.withoutZero ?? 0,
    until: null,
    outcomes,
    stopped,
    startedAt: subject.startedAt,
    endedAt: new Date().toISOString(),
  };
}

/** The result of a message that brought a list: it has made no request itself. */
export function resultOf(data: object) {
  return { ok: true, status: 0, envelope: null, summary: {}, timings: NO_TIMINGS, data } as const;
}

/** The progress of a list, for people. */
export function progressOf(campaign: Campaign, tenant: UsableTenant) {
  const { subject, nodeId, isHeldBack: heldBack, judged, tally } = campaign;
  const { total, ended, outcomes } = tally;
  const until = judged ? lastBegin(total - ended, tenant) : null;
  const { id: list, name } = subject;
  return { list, nodeId, name, total, ended, refused: outcomes["not-applied"], until, heldBack };
}

const REFUSALS: readonly string[] = ["ERR_INPUT", "ERR_BLOCKED", "ERR_DUPLICATE"];

/**
 * Returns when the last of some calls begins at the tenant's rate within its hours, as if it had nothing else to call, ISO 8601;
 * null without a rate, or if that is not known.
 */
export function lastBegin(count: number, { settings, client }: UsableTenant, now = Date.now()): string | null {
  const { rate, timezone } = settings;
  if (rate === 0 || count === 0) return null;
  const ms = ((count - 1) * 1000) / rate;
  const { callingHours } = client.lanes;
  const at = callingHours ? callingHours.openFor?.(ms, now) : now + ms;
  return at === undefined ? null : instantFormatter(timezone || hostZone())(at);
}
