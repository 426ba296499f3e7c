import type { NodeAPI } from "node-red";
import { any, type Config, fromHours, type Host, reader } from "../../fields";
import { calendar, formatInstant, hostZone, loadZone, readInstant } from "../../hours";
import { notSent } from "../../tenant";
import { gateSources } from "../gate/inputs";
import { originOf, pairsOf } from "../gate/pairs";
import { asTenantError, refusal } from "../node-red/texts";
import { problemOf, tenantOf } from "../tenants/tenants";
import type { AdminAnswer } from "./http";

/** Tells a gate's dialog what the gate would say, now or at an instant that the user picks. */
export async function previewGate(RED: NodeAPI, body: Readonly<Record<string, unknown>>): Promise<AdminAnswer> {
  const { config, at } = body;
  if (typeof config !== "object" || config === null) return { status: 400, body: { ok: false } };
  try {
    return await judge(config as Config, at);
  } catch (error) {
    const problem = asTenantError(error);
    const { code, details } = problem;
    return { body: { ok: false, code, field: details.field, ...refusal(RED, problem) } };
  }
}

/** There is no message, and what else a value may come from is not for every reader's eyes. */
const NOTHING: Host = {
  path: () => [],
  env: () => undefined,
  context: () => Promise.resolve(undefined),
  jsonata: () => () => Promise.resolve(undefined),
};

async function judge(config: Config, at: unknown): Promise<AdminAnswer> {
  const sources = gateSources(config, NOTHING);
  const byHand = await fixedOverride(config);
  if (byHand) return { body: { ok: true, byHand } };
  const tenantId = String(config["tenant"] ?? "");
  const tenant = tenantOf(tenantId);
  if (sources.usesTenant && !tenant)
    throw tenantId === ""
      ? notSent("ERR_CONFIG", "config", { key: "config.tenantMissing", field: "tenant" })
      : problemOf(tenantId);
  const zone = await loadZone(sources.timezone || tenant?.settings.timezone || hostZone());
  // What comes with a message cannot be judged without one.
  if (!sources.fixed) return { body: { ok: true, byMessage: true } };
  const { key, exceptions, schedule } = sources.fixed;
  const known =
    key && tenant ? await tenant.schedules.get(key, sources.refreshMs) : { schedule, stale: false, problem: undefined };
  if (!known.schedule) throw known.problem?.why ?? notSent("ERR_SCHEDULE", "input", { key: "scheduleNotGiven" });
  const instant = at === undefined || at === "" ? Date.now() : fromHours("at", () => readInstant(at, zone));
  const { validUntil: _, ...verdict } = calendar(known.schedule, exceptions, zone)(instant);
  const { name, id, days } = known.schedule;
  const checkedAt = formatInstant(instant, zone);
  return { body: { ok: true, ...verdict, name, id, days, timezone: zone.name, checkedAt, stale: known.stale } };
}

/** An override that stands in the dialog and therefore beats the schedule for every message. */
async function fixedOverride(config: Config): Promise<"open" | "closed" | undefined> {
  const pairs = pairsOf(config, true);
  if (originOf(pairs, "override") !== "dialog") return undefined;
  const { override } = await reader({ override: any() }, pairs, NOTHING)({});
  return override === "open" || override === "closed" ? override : undefined;
}
