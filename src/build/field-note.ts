import type { FieldKind } from "../fields/field";

/** What the editor needs to know of a property beyond its start value; stands beside it in the shipped `defaults`. */
export interface FieldNote {
  /** The interface's name of a request field; without it an absent pair means "off". */
  readonly name?: string;
  readonly kind:
    | FieldKind
    | "property"
    | "seconds"
    | "option"
    | "tenant"
    | "schedule"
    | "exceptions"
    | "zone"
    | "moment"
    | "override";
  readonly required?: true;
  readonly choices?: readonly string[];
  /** Other ways in which a flow may write a choice. */
  readonly spellings?: readonly string[];
  /** What is sent when nothing is given. */
  readonly default?: string;
  /** Least and most seconds, where that is not what once keys have. */
  readonly from?: number;
  readonly to?: number;
  /** What differs between the node's modes, by mode. */
  readonly modes?: Readonly<Record<string, FieldNote>>;
}
