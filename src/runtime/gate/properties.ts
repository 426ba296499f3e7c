import type { FieldNote } from "../../fields/note";

/** A gate's properties that are the same for every message. */
export const GATE_SETTINGS = {
  source: { kind: "option", choices: ["tenant", "value"], default: "tenant" },
  timezone: { kind: "zone", default: "" },
  onUnknown: { kind: "option", choices: ["error", "open", "closed"], default: "error" },
  /** Seconds. */
  refresh: { kind: "number", from: 5, to: 86_400, default: 300 },
} as const;

interface GatePair {
  readonly value: unknown;
  readonly type: string;
  readonly field: FieldNote;
}

/** A gate's typed inputs with their defaults: unlike the fields of a request, they map nothing of the payload. */
export const GATE_PAIRS = {
  scheduleName: { value: "", type: "str", field: { kind: "text" } },
  scheduleId: { value: "", type: "str", field: { kind: "id" } },
  schedule: { value: [], type: "list", field: { kind: "schedule" } },
  exceptions: { value: [], type: "list", field: { kind: "exceptions" } },
  at: { value: "", type: "date", field: { kind: "moment" } },
  override: { value: "", type: "str", field: { kind: "override", choices: ["open", "closed"], default: "schedule" } },
} satisfies Readonly<Record<string, GatePair>>;
