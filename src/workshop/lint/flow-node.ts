/** A node of a flow file, or what it has beside nodes. */
export interface FlowNode {
  readonly id: string;
  readonly type: string;
  readonly [property: string]: unknown;
}

/** The entries of a list, as objects; of anything else, none. */
export function list(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.map((each) => Object(each)) : [];
}
