import type { Pair } from "../../fields";
import { MESSAGE_TYPES } from "../../fields/sources/property";
import { current, isOpen } from "../inputs/pair";
import { translate } from "../texts";
import { shownLabel } from "./problem";

/** The question of a gate's dialog for its hours: a schedule by name, by id, or one of its own. */
export const HOURS = "#telephony-hours";
/** Data of that question: the user has not changed it, and the flow file has both a name and an id. */
export const AS_WRITTEN = "asWritten";

const KEY = /^schedule(Name|Id)$/;

/** Whether the dialog on the screen asks for the other one of name and id. */
export function isReplacedByChoice(property: string): boolean {
  const asked = property === "scheduleName" ? "id" : property === "scheduleId" ? "name" : undefined;
  return asked !== undefined && $(HOURS).val() === asked && $(HOURS).data(AS_WRITTEN) !== true;
}

/** What is wrong with a gate's field in combination with its other fields. */
export function gateProblem(node: EditorNode, property: string, pair: Pair): string | undefined {
  if (node._def.inputs === 0 && MESSAGE_TYPES.includes(pair.type))
    return translate("errors.config.noMessage", { field: shownLabel(node, property) });
  if (pair.value !== "") return undefined;
  if (property === "schedule" || pair.type === "url") return translate("valid.missing");
  const byId = isOpen(node) && isReplacedByChoice("scheduleName");
  const noId = String(current(node, "scheduleId") ?? "") === "" || (isOpen(node) && isReplacedByChoice("scheduleId"));
  const missing = property === "scheduleName" ? noId : property === "scheduleId" && byId;
  return missing ? translate("errors.config.scheduleMissing") : undefined;
}

/** Whether a property is not read because of another choice of hours. */
export function isIdle(node: EditorNode, property: string): boolean {
  if (isOpen(node) && isReplacedByChoice(property)) return true;
  const ofTenant = String(current(node, "source") || "tenant") === "tenant";
  return property === "schedule" ? ofTenant : KEY.test(property) && !ofTenant;
}
