import { readFileSync } from "node:fs";

/** A node of a flow file, and the file that it is in. */
export interface FlowNode {
  readonly file: string;
  readonly id: string;
  readonly type: string;
  readonly [property: string]: unknown;
}

/** A file that is no flow file. Its message is a sentence with the remedy. */
export class NoFlow extends Error {}

/**
 * Reads a flow file, or what Node-RED's admin API answers at `/flows`.
 * @throws NoFlow
 */
export function readFlowFile(file: string): readonly FlowNode[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    throw new NoFlow(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}). Check the path.`);
  }
  return flowIn(text, file);
}

/**
 * The nodes in the text of a flow file.
 * @throws NoFlow
 */
export function flowIn(text: string, file: string): readonly FlowNode[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new NoFlow(`${file} is not JSON. Export the flow from Node-RED's menu, or name the flow file.`);
  }
  const nodes: unknown = Array.isArray(value) ? value : (value as { readonly flows?: unknown } | null)?.flows;
  if (!Array.isArray(nodes) || !nodes.every(isNode))
    throw new NoFlow(
      `${file} is no flow: a flow file is a list of nodes, each with an id and a type. Name another file.`,
    );
  return nodes.map((node: object) => ({ ...node, file }) as FlowNode);
}

function isNode(value: unknown): boolean {
  const { id, type } = Object(value) as Record<string, unknown>;
  return typeof id === "string" && typeof type === "string";
}

/** The entries of a list, as objects; of anything else, none. */
export function list(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.map((each) => Object(each)) : [];
}
