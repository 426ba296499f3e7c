import { type Config, isGiven, MESSAGE_TYPES, type Pair } from "../../fields";
import { hasOnlyExceptions } from "../../fields/rules";
import { isOpen } from "../inputs/pair";
import { translate } from "../texts";
import { shownLabel } from "./problem";

/** The question of a gate's dialog for its hours: a schedule by name, by id, one of its own, or none. */
export const HOURS = "#telephony-hours";
/** Data of that question: the user has not changed it, and the flow file has both a name and an id. */
export const AS_WRITTEN = "asWritten";

/** The question of a transfer's dialog for how, and the mode that is the answer. */
export const HOW = "#telephony-how";
export const MODE = "#node-input-mode";

/** The properties that a node's open dialog does not ask for, after what was chosen: Done stores their defaults. */
export function notAsked(node: EditorNode): readonly string[] {
  // The dialog of its tenant may be open above it.
  if (!isOpen(node)) return [];
  const hours = $(HOURS);
  const byHours: Record<string, string[]> = { id: ["scheduleName"], name: ["scheduleId"], none: ["schedule"] };
  const byMode = $(MODE).val() === "advanced" ? ["fromUserId"] : ["toAlias", "transferKind"];
  const all = [
    // An id would win over a name.
    ...(hours.data(AS_WRITTEN) === true ? [] : (byHours[String(hours.val())] ?? [])),
    ...($(HOW).length > 0 ? byMode : []),
  ];
  return all.filter((property) => property in node._def.defaults);
}

export function hoursProblem(
  node: EditorNode,
  property: string,
  { value, type }: Pair,
  config: Config,
): string | undefined {
  const { kind } = node._def;
  const isReplaced = (other: string) => notAsked(node).includes(other);
  if (kind !== "gate" && kind !== "trigger") return undefined;
  if (kind === "trigger" && MESSAGE_TYPES.includes(type))
    return translate("errors.config.noMessage", { field: shownLabel(node, property) });
  if (value !== "") return undefined;
  if (property === "schedule") return hasOnlyExceptions(config) ? undefined : translate("valid.missing");
  const isMissing =
    property === "scheduleName"
      ? !isGiven(config["scheduleId"]) || isReplaced("scheduleId")
      : property === "scheduleId" && isReplaced("scheduleName");
  return isMissing ? translate("errors.config.scheduleMissing") : undefined;
}
