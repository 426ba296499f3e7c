import type { Field, Fields, Person } from "../../../fields";
import type { Effect } from "../../node-red/texts";
import type { Dialog, Shape } from "../action/declaration";

/** A node that calls people one after the other until somebody acknowledges, as data. */
export interface Escalation extends Dialog {
  readonly kind: "escalation";
  readonly type: string;
  readonly effect: Effect;
  /** The values that are read once for an incident. */
  readonly incident: {
    readonly people: Field<Person[], true>;
    readonly key: Field<string, true>;
  };
  /** The fields that are read for each person, with the person in `msg.person`, and the request that they become. */
  readonly call: Shape;
}

export const ESCALATION_SETTINGS = {
  /** Seconds from a call to the next one. */
  ringFor: { kind: "number", from: 1, to: 3600, default: 60 },
  rounds: { kind: "number", from: 1, to: 20, whole: true, default: 2 },
  /** Seconds after an acknowledgement for which messages with the key change nothing. */
  quietFor: { kind: "number", from: 0, to: 86_400, default: 900 },
} as const;

export function fieldsOf({ incident, call }: Pick<Escalation, "incident" | "call">): Fields {
  return { ...incident, ...call.fields } as Fields;
}
