/** Namespace of the texts that all nodes share. */
export const SHARED = "@cloud-telephony/node-red-call-actions/telephony-tenant:";

/** A text that all nodes share, in the language of the editor. */
export function shared(key: string, params: Readonly<Record<string, string | number>> = {}): string {
  return RED._(SHARED + key, params);
}

/** A node's own text, or the shared one where it has none. */
export function words(node: EditorNode, key: string, params: Readonly<Record<string, string | number>> = {}): string {
  const own = node._(key, params);
  return own === key || own === "" ? shared(key, params) : own;
}

export function labelOf(node: EditorNode, property: string): string {
  return words(node, `label.${property}`);
}
