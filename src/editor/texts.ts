import type { Params } from "../fields";
import type { Existing, NodeTextKey, TextKey } from "../fields/text-key";

/** The namespace of the set's catalogue: Node-RED keeps texts under the package's name. */
const CATALOGUE = "@cloud-telephony/node-red-call-actions/telephony:";

/** A text that nodes share, in the language of the editor. */
export function translate<Key extends string>(key: Key & Existing<TextKey, Key>, params: Params = {}): string {
  return textOf(key, params);
}

/** The full key of a shared text, for Node-RED to translate. */
export function keyOf<Key extends string>(key: Key & Existing<TextKey, Key>): string {
  return CATALOGUE + key;
}

/** A node's own text, or the shared one if it has none. */
export function nodeText<Key extends string>(
  node: EditorNode,
  key: Key & Existing<NodeTextKey, Key>,
  params: Params = {},
): string {
  return ownText(node, key, params) ?? textOf(key, params);
}

/** A text that only some nodes have. */
export function ownText({ type }: { readonly type: string }, key: string, params: Params = {}): string | undefined {
  const own = textOf(`${type}.${key}`, params);
  return own === `${type}.${key}` || own === "" ? undefined : own;
}

function textOf(key: string, params: Params): string {
  return RED._(CATALOGUE + key, harmless(params));
}

/** Replaces angle brackets: Node-RED shows some of its tooltips as HTML, and what a text quotes may come with an imported flow. */
function harmless(params: Params): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === "object"
        ? translate(`words.${value.word}`)
        : typeof value === "string"
          ? value.replace(/</g, "‹").replace(/>/g, "›")
          : value,
    ]),
  );
}
