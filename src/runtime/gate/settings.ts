import { type Config, type ConfigKey, choiceOf, isGiven, type NumberRange, numberIn, pairOf } from "../../fields";
import { isZone } from "../../hours";
import { notSent } from "../../tenant";

/** Seconds between two readings of a tenant's schedule. */
const REFRESH: NumberRange = { from: 5, to: 86_400 };
const DEFAULT_REFRESH = 300;

/** The settings of a gate that are the same for every message. */
export interface GateSettings {
  /** Whether the schedule is one of the tenant's. */
  readonly fromTenant: boolean;
  /** Whether the gate needs its tenant: for the schedule, or for the zone. */
  readonly usesTenant: boolean;
  readonly refreshMs: number;
  /** IANA zone; empty for the tenant's, or else the host's. */
  readonly timezone: string;
  /** What to do without a schedule. */
  readonly onUnknown: "error" | "open" | "closed";
  /** The typed inputs, with defaults. Those of the source that is not chosen are empty. */
  readonly pairs: Config;
}

/**
 * Reads the settings of a gate from the flow file.
 * @throws TenantError ERR_CONFIG
 */
export function gateSettings(config: Config): GateSettings {
  const fromTenant = oneOf(config, "source", ["tenant", "value"]) === "tenant";
  const pairs = pairsOf(config, fromTenant);
  if (fromTenant && !isGiven(pairs["scheduleName"]) && !isGiven(pairs["scheduleId"]))
    throw bad("scheduleMissing", "scheduleName");
  const timezone = String(config["timezone"] ?? "").trim();
  if (timezone !== "" && !isZone(timezone))
    throw bad("zoneUnknown", "timezone", { zone: String(timezone).slice(0, 60) });
  const refresh = numberIn(config["refresh"], REFRESH) ?? DEFAULT_REFRESH;
  if (Number.isNaN(refresh)) throw bad("range", "refresh", { from: REFRESH.from, to: REFRESH.to });
  return {
    fromTenant,
    usesTenant: fromTenant || (timezone === "" && isGiven(config["tenant"])),
    refreshMs: refresh * 1000,
    timezone,
    onUnknown: oneOf(config, "onUnknown", ["error", "open", "closed"]),
    pairs,
  };
}

/** Where a typed input gets its value: the same for every message, a context store, or the message. */
export type Origin = "dialog" | "context" | "message";

export function originOf(pairs: Config, property: string): Origin {
  if (!isGiven(pairs[property])) return "dialog";
  const type = pairs[`${property}Type`];
  if (type === "flow" || type === "global") return "context";
  return type === "msg" || type === "jsonata" || type === "mustache" ? "message" : "dialog";
}

/** Defaults of typed inputs that a flow file does not have. Unlike an action, a gate reads nothing from `msg.payload`. */
const DEFAULTS = { scheduleName: "", scheduleId: "", schedule: [], exceptions: [], at: "", override: "" } as const;

export function pairsOf(config: Config, fromTenant: boolean): Config {
  const ignored: readonly string[] = fromTenant ? ["schedule"] : ["scheduleName", "scheduleId"];
  const pairs: Record<string, unknown> = {};
  for (const [property, value] of Object.entries(DEFAULTS)) {
    const standard = { value, type: Array.isArray(value) ? "list" : "str" };
    const pair = ignored.includes(property) ? { value: "", type: "str" } : (pairOf(config, property) ?? standard);
    pairs[property] = pair.value;
    pairs[`${property}Type`] = pair.type;
  }
  return pairs;
}

function oneOf<const T extends string>(config: Config, property: string, choices: readonly [T, ...T[]]): T {
  const choice = choiceOf(config[property], choices);
  if (choice === undefined) throw bad("notChoice", property, { choices: choices.join(", ") });
  return choice;
}

function bad(key: ConfigKey, field: string, params: Readonly<Record<string, string | number>> = {}) {
  return notSent("ERR_CONFIG", "config", { key: `config.${key}`, field, params: { field, ...params } });
}
