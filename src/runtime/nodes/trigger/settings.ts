import { type Config, ValueError } from "../../../fields";
import { checkSetting } from "../../../fields/setting";
import { GATE_PAIRS, GATE_SETTINGS, originOf, pairsOf } from "../gate/settings";

const OFFSET = { kind: "number", from: -1440, to: 1440, default: 0 } as const;

/** The properties of a trigger that are single values. */
export const TRIGGER_SETTINGS = {
  source: GATE_SETTINGS.source,
  refresh: GATE_SETTINGS.refresh,
  /** Minutes from an opening to its message. */
  openingOffset: OFFSET,
  closingOffset: OFFSET,
  atStart: { kind: "boolean", default: false },
  language: GATE_SETTINGS.language,
} as const;

/** The typed inputs of a trigger: those of a gate that need no message. */
export const TRIGGER_PAIRS = {
  scheduleName: GATE_PAIRS.scheduleName,
  scheduleId: GATE_PAIRS.scheduleId,
  schedule: GATE_PAIRS.schedule,
  exceptions: GATE_PAIRS.exceptions,
  timezone: GATE_PAIRS.timezone,
};

/** The settings of a trigger, checked. */
export interface TriggerSettings {
  /** What a gate with the same hours has. It has neither an instant nor an override, and fails without a schedule. */
  readonly gate: Config;
  /** In milliseconds. */
  readonly offsets: { readonly opening: number; readonly closing: number };
  /** Whether the node sends the current state when it starts. */
  readonly atStart: boolean;
}

/**
 * Reads the settings of a trigger from the flow file. Those that a gate has too are checked with the gate.
 * @throws ValueError
 */
export function triggerSettings(config: Config): TriggerSettings {
  const read = <Name extends "openingOffset" | "closingOffset" | "atStart">(property: Name) =>
    checkSetting(TRIGGER_SETTINGS[property], config[property], property);
  const pairs = pairsOf(config);
  for (const field of Object.keys(TRIGGER_PAIRS) as (keyof typeof TRIGGER_PAIRS)[])
    if (originOf(pairs, field) === "message") throw new ValueError("config.noMessage", field);
  return {
    gate: { ...config, at: "", override: "", onUnknown: "error" },
    offsets: { opening: read("openingOffset") * 60_000, closing: read("closingOffset") * 60_000 },
    atStart: read("atStart"),
  };
}
