import { ValueError } from "../fields";

/** Texts in quotes, and the brackets of indexes, names and nested paths. */
const QUOTED = /\[\s*(?:"[^"]*"|'[^']*')\s*\]/g;

/**
 * Refuses a path of properties that Node-RED cannot read. Where Node-RED knows more, nothing is refused.
 * @throws ValueError
 */
export function checkPath(path: string, field: string): void {
  let plain = path.replace(QUOTED, "");
  for (let before = ""; before !== plain; ) {
    before = plain;
    plain = plain.replace(/\[[^[\]\s]+\]/g, "");
  }
  if (/^$|\s|\.\.|^\.|\.$|[[\]"']/.test(plain) || /^\[/.test(path))
    throw new ValueError("input.badSource", field, { value: path, type: "msg" });
}
