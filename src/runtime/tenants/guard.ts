import type { GuardLists } from "../../client";
import { type Config, type Host, type Pair, pairOf, type Source, source } from "../../fields";
import { isBlank } from "../../fields/kinds/coerce";
import { checkTenantSource } from "../../fields/sources/property";

export const GUARD_SOURCES = ["list", "flow", "global", "env", "json"];

/** @throws ValueError for a source that cannot be read */
export function guardLists(config: Config, host: Host) {
  const [allow, block] = [listSource(config, "allow", host), listSource(config, "block", host)];
  const part = (list: Source) => (list.fixed ? list.read({}) : list.label);
  /** Returns what makes the guard another one, as JSON. */
  const identity: unknown = [part(allow), part(block), config["z"], config["allow"], config["block"]];
  return { allow, block, identity };
}

/** The list of a property. A typed input without a type has a list, or its text. */
export function listPair(config: Config, property: keyof GuardLists): Pair {
  const { value, type } = pairOf(config, property) ?? { value: [], type: "list" };
  return { value: value ?? "", type: Array.isArray(value) || type === "str" || type === "num" ? "list" : type };
}

function listSource(config: Config, property: keyof GuardLists, host: Host): Source {
  const pair = listPair(config, property);
  checkTenantSource(pair, property, GUARD_SOURCES, config["z"]);
  const inDialog = { value: isBlank(pair.value) ? [] : pair.value, type: "str" };
  const list = source(pair.type === "list" ? inDialog : pair, property, host);
  if (list.problem) throw list.problem;
  return list;
}
