import { type Config, isGiven, MESSAGE_TYPES, type Pair } from "../../fields";
import { isOpen } from "../inputs/pair";
import { translate } from "../texts";
import { shownLabel } from "./problem";

/** The question of a gate's dialog for its hours: a schedule by name, by id, or one of its own. */
export const HOURS = "#telephony-hours";
/** Data of that question: the user has not changed it, and the flow file has both a name and an id. */
export const AS_WRITTEN = "asWritten";

/** Whether the dialog on the screen asks for the other one of name and id. */
export function isReplacedByChoice(property: string): boolean {
  const asked = property === "scheduleName" ? "id" : property === "scheduleId" ? "name" : undefined;
  return asked !== undefined && $(HOURS).val() === asked && $(HOURS).data(AS_WRITTEN) !== true;
}

/** What is wrong with where a gate or a trigger has its hours. */
export function hoursProblem(
  node: EditorNode,
  property: string,
  { value, type }: Pair,
  { scheduleId }: Config,
): string | undefined {
  const { kind } = node._def;
  const isReplaced = (other: string) => isOpen(node) && isReplacedByChoice(other);
  if (kind !== "gate" && kind !== "trigger") return undefined;
  if (kind === "trigger" && MESSAGE_TYPES.includes(type))
    return translate("errors.config.noMessage", { field: shownLabel(node, property) });
  if (value !== "") return undefined;
  if (property === "schedule") return translate("valid.missing");
  const isMissing =
    property === "scheduleName"
      ? !isGiven(scheduleId) || isReplaced("scheduleId")
      : property === "scheduleId" && isReplaced("scheduleName");
  return isMissing ? translate("errors.config.scheduleMissing") : undefined;
}
