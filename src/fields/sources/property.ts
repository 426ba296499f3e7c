/**
 * The flow file's property for a field of the interface: its name in camel case, `Kind` where the interface says type,
 * so that `toKind` and `toKindType` do not read as halves of another pair.
 * `to.number` → `toNumber`, `answer_url` → `answerUrl`, `transferType` → `transferKind`.
 */
export function propertyName(field: string): string {
  return field
    .replace(/([._])([a-z])/g, (_, _separator, letter: string) => letter.toUpperCase())
    .replace(/Type$/, "Kind");
}

/** The pair of properties that a flow file holds for a field, `""` standing for "not given". */
export interface Pair {
  readonly value: unknown;
  readonly type: string;
}
