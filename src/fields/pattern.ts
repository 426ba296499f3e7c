import type { Texts } from "../texts";
import type { Params } from "./word";

/** Key of a text that puts others into one: with the punctuation of its language, which differs from that of the code. */
export type PatternKey = `pattern.${keyof Texts["pattern"]}`;

/**
 * Texts in one, side by side or one after the other.
 * @param text makes a text of the catalogue, in any language
 */
export function joined(
  text: (key: PatternKey, params: Params) => string,
  key: "pattern.also" | "pattern.sentences",
  [first = "", ...others]: readonly string[],
): string {
  return others.reduce((one, more) => text(key, { one, more }), first);
}
