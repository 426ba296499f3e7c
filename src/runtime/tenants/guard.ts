import type { Guard, GuardLists, Settings } from "../../client";
import { type Config, DIALOG, type Host, type Pair, pairOf, type Source, source, ValueError } from "../../fields";
import { isBlank } from "../../fields/kinds/coerce";
import { checkFlow } from "../../fields/sources/property";
import { refusal } from "../../hours/value-error";

/** Sources of a list besides the flow file. */
export const GUARD_SOURCES = ["flow", "global", "env", "json"];

/** Where the lists of a tenant's guard are. */
export function guardLists(config: Config, host: Host): GuardLists {
  return { allow: listSource(config, "allow", host), block: listSource(config, "block", host) };
}

/** The list of a property. A typed input without a type has a list, or its text. */
export function listPair(config: Config, property: keyof GuardLists): Pair {
  const { value, type } = pairOf(config, property) ?? { value: [], type: "list" };
  return { value: value ?? "", type: Array.isArray(value) || type === "str" || type === "num" ? "list" : type };
}

function listSource(config: Config, property: keyof GuardLists, host: Host): Source {
  const pair = listPair(config, property);
  if (pair.type === "list") return fixed(() => (isBlank(pair.value) ? [] : pair.value));
  const problem = GUARD_SOURCES.includes(pair.type)
    ? refusal(() => checkFlow(pair, property, config["z"]))
    : new ValueError("input.badType", property, { value: pair.type }, DIALOG);
  if (!problem) return source(pair, property, host);
  return fixed(() => {
    throw problem;
  });
}

function fixed(read: () => unknown): Source {
  return { label: DIALOG, fixed: true, read };
}

/** What makes the guard another one, as JSON. */
export function guardFingerprint({ allow, block }: GuardLists, config: Config): unknown {
  const part = (list: Source) => (list.fixed ? orProblem(() => list.read({})) : list.label);
  return [part(allow), part(block), config["z"], config["allow"], config["block"]];
}

function orProblem(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return String(error);
  }
}

/**
 * The guard of a tenant, if it has any rule. The code that compares numbers is loaded with the first one.
 * @throws ValueError
 */
export function guardFor(settings: Settings, lists: GuardLists): Guard | undefined {
  if (settings.country === "" && settings.perNumber === 0 && isEmpty(lists.allow) && isEmpty(lists.block))
    return undefined;
  const { NumberGuard } =
    require("../../client/guard/number-guard") as typeof import("../../client/guard/number-guard");
  return new NumberGuard(settings, lists);
}

function isEmpty(source: Source): boolean {
  const list = source.fixed ? orProblem(() => source.read({})) : undefined;
  return Array.isArray(list) && list.length === 0;
}
