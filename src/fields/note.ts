import type { Field, FieldKind } from "./field";

/** Kinds of pairs that a gate has and no request. */
type GateKind = "schedule" | "exceptions" | "moment" | "override";

/** What the editor needs to know about a typed input's pair. Plain data: it ships in the dialogs as JSON. */
export interface FieldNote {
  /** The interface's name of a request field. A pair without one is off when it is absent. */
  readonly name?: string;
  readonly kind: FieldKind | GateKind;
  readonly required?: true;
  readonly choices?: readonly string[];
  /** Other ways in which a flow may write a choice. */
  readonly spellings?: readonly string[];
  /** What is sent when nothing is given. */
  readonly default?: string;
  /** What differs between the node's modes, by mode. */
  readonly modes?: Readonly<Record<string, FieldNote>>;
}

/** The note of a request field. */
export function noteOf(name: string, { kind, required, choices, spellings, default: value }: Field): FieldNote {
  return {
    name,
    kind,
    ...(required && { required }),
    ...(choices && { choices }),
    ...(spellings && { spellings }),
    ...(value !== undefined && { default: String(value) }),
  };
}
