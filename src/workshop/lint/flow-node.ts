/** A node of a flow file, and the file that it is in. */
export interface FlowNode {
  readonly file: string;
  readonly id: string;
  readonly type: string;
  readonly [property: string]: unknown;
}

/** The entries of a list, as objects; of anything else, none. */
export function list(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.map((each) => Object(each)) : [];
}
