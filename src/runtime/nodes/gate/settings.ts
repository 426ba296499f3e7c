import { type Config, isGiven, type Pair, pairOf, ValueError } from "../../../fields";
import type { FieldNote } from "../../../fields/note";
import { hasOnlyExceptions, isIdle, needsTenant } from "../../../fields/rules";
import { checkSettings } from "../../../fields/setting";
import { WEEKDAYS } from "../../../hours";
import { REFRESH_SECONDS } from "../../schedules/schedule-cache";

/** Languages of `msg.businessHour.sentence`; `""` is the server's. */
export const LANGUAGES = ["", "en", "vi", "de", "ja", "zh"] as const;

/** The properties of a gate that are the same for every message. */
export const GATE_SETTINGS = {
  source: { kind: "option", choices: ["tenant", "value"], default: "tenant" },
  /** The decision without a schedule. */
  onUnknown: { kind: "option", choices: ["error", "open", "closed"], default: "error" },
  /** Seconds between two readings of a tenant's schedule. */
  refresh: { kind: "number", from: 5, to: 86_400, default: REFRESH_SECONDS },
  language: { kind: "option", choices: LANGUAGES, default: "" },
} as const;

export type Language = (typeof LANGUAGES)[number];

/** The typed inputs of a gate, with defaults. Unlike an action, a gate reads nothing from `msg.payload`. */
export const GATE_PAIRS = {
  scheduleName: { value: "", type: "str", field: { kind: "text" } },
  scheduleId: { value: "", type: "str", field: { kind: "id" } },
  schedule: { value: [], type: "list", field: { kind: "schedule" } },
  exceptions: { value: [], type: "list", field: { kind: "exceptions" } },
  timezone: { value: "", type: "str", field: { kind: "zone" } },
  at: { value: "", type: "date", field: { kind: "moment" } },
  override: { value: "", type: "str", field: { kind: "override", choices: ["open", "closed"], default: "schedule" } },
} satisfies Readonly<Record<string, Pair & { readonly field: FieldNote }>>;

export type GateSettings = ReturnType<typeof gateSettings>;

/** @throws ValueError */
export function gateSettings(config: Config) {
  const { source, refresh, onUnknown, language } = checkSettings(GATE_SETTINGS, config);
  const fromTenant = source === "tenant";
  const pairs = pairsOf(hasOnlyExceptions(config) ? { ...config, ...ALWAYS } : config);
  if (fromTenant && !isGiven(pairs["scheduleName"]) && !isGiven(pairs["scheduleId"]))
    throw new ValueError("config.scheduleMissing", "scheduleName");
  return { fromTenant, usesTenant: needsTenant("gate", config), refreshMs: refresh * 1000, onUnknown, language, pairs };
}

/** The schedule of hours that only exceptions interrupt. */
const ALWAYS = { schedule: WEEKDAYS.map((day) => ({ day, open: "00:00", close: "00:00" })), scheduleType: "list" };

/** The typed inputs of a gate, with defaults. Those that are not read are empty. */
export function pairsOf(config: Config): Config {
  const pairs: Record<string, unknown> = {};
  for (const [property, absent] of Object.entries(GATE_PAIRS)) {
    const pair = isIdle("gate", property, config) ? { value: "", type: "str" } : (pairOf(config, property) ?? absent);
    pairs[property] = pair.value;
    pairs[`${property}Type`] = pair.type;
  }
  return pairs;
}
