import { type Config, ValueError } from "../../../fields";
import { checkSettings } from "../../../fields/setting";
import { originOf } from "../../schedules/inputs";
import { GATE_PAIRS, GATE_SETTINGS, pairsOf } from "../gate/settings";

const OFFSET = { kind: "number", from: -1440, to: 1440, default: 0 } as const;

const OWN_SETTINGS = {
  /** Minutes from an opening to its message. */
  openingOffset: OFFSET,
  closingOffset: OFFSET,
  /** Whether the node sends the current state when it starts. */
  atStart: { kind: "boolean", default: false },
} as const;

/** The properties of a trigger that are single values. */
export const TRIGGER_SETTINGS = {
  source: GATE_SETTINGS.source,
  refresh: GATE_SETTINGS.refresh,
  ...OWN_SETTINGS,
  language: GATE_SETTINGS.language,
} as const;

const { at: _at, override: _override, ...ofHours } = GATE_PAIRS;
/** The typed inputs of a trigger: those of a gate that need no message. */
export const TRIGGER_PAIRS = ofHours;

export type TriggerSettings = ReturnType<typeof triggerSettings>;

/**
 * Reads the settings of a trigger from the flow file. Those that a gate has too are checked with the gate.
 * @throws ValueError
 */
export function triggerSettings(config: Config) {
  const { openingOffset, closingOffset, atStart } = checkSettings(OWN_SETTINGS, config);
  const pairs = pairsOf(config);
  for (const field of Object.keys(TRIGGER_PAIRS) as (keyof typeof TRIGGER_PAIRS)[])
    if (originOf(pairs, field) === "message") throw new ValueError("config.noMessage", field);
  return {
    /** The settings of a gate with the same hours. They have neither an instant nor an override, and fails without a schedule. */
    gate: { ...config, at: "", override: "", onUnknown: "error" },
    /** In milliseconds. */
    offsets: { opening: openingOffset * 60_000, closing: closingOffset * 60_000 },
    atStart,
  };
}
