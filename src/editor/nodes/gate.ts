import { show } from "../inputs/dialog";
import { reset, rowOf } from "../inputs/input";
import { fixedValue } from "../inputs/label";
import { prepareList } from "../inputs/list-input";
import { current, isOpen, type Pair, pairOf } from "../inputs/pair";
import { fillZones } from "../inputs/zones";
import { whenLoaded } from "../load";
import { shared, words } from "../words";
import { offerSchedules } from "./schedule-picker";

const HOURS = "#telephony-hours";
const SOURCE = "#node-input-source";
const KEY = /^schedule(Name|Id)$/;
/** On the choice of hours: nobody has answered it anew yet, and both name and id are given. */
const AS_WRITTEN = "asWritten";

/** Makes the dialog of a gate. */
export function prepareGate(node: EditorNode): void {
  offerSchedules(node, "scheduleName");
  offerSchedules(node, "scheduleId");
  prepareList(node, "schedule", "weekEditor");
  prepareList(node, "exceptions", "exceptionList");
  fillZones($("#node-input-timezone"));
  askForHours(node);
  whenLoaded(rowOf($("#telephony-verdict")), ({ previewGate }) => previewGate(node));
}

/**
 * Asks one question for what the flow file keeps in two places: the source, and whether a schedule is named or numbered.
 * A hand-written gate may do both: it is shown as it is until somebody answers anew.
 */
function askForHours(node: EditorNode): void {
  const isGiven = (property: string) => pairOf(node, property).value !== "";
  const both = isGiven("scheduleId") && isGiven("scheduleName");
  const own = String(node["source"] || "tenant") === "value";
  $(SOURCE).val(String(node["source"] || "tenant"));
  const hours = $(HOURS).val(own ? "own" : isGiven("scheduleId") ? "id" : "name");
  hours.data(AS_WRITTEN, both);
  const explain = () => {
    const chosen = hours.val();
    show(chosen === "name" || (chosen === "id" && hours.data(AS_WRITTEN) === true), "scheduleName");
    show(chosen === "id", "scheduleId");
    $("#telephony-own").toggle(chosen === "own");
    // Only a tenant is asked again, and only its hours may be out of reach.
    show(chosen !== "own", "refresh");
    rowOf($("#node-input-onUnknown"))
      .find(".telephony-hint")
      .toggle(chosen !== "own");
  };
  hours.on("change", () => {
    hours.data(AS_WRITTEN, false);
    $(SOURCE)
      .val(hours.val() === "own" ? "value" : "tenant")
      .trigger("change");
    explain();
  });
  explain();
}

/** An id wins over a name, so the one that is not shown must not say anything. */
export function saveGate(node: EditorNode): void {
  for (const property of ["scheduleName", "scheduleId"]) if (isPutAside(property)) reset(node, property);
}

/** Whether the dialog on the screen asks for the other one of name and id. */
function isPutAside(property: string): boolean {
  const asked = property === "scheduleName" ? "id" : property === "scheduleId" ? "name" : undefined;
  return asked !== undefined && $(HOURS).val() === asked && $(HOURS).data(AS_WRITTEN) !== true;
}

/** What is wrong with a gate's fields only in the company of others. */
export function gateProblem(node: EditorNode, property: string, pair: Pair): string | undefined {
  if (pair.value !== "") return undefined;
  if (property === "schedule") return shared("valid.missing");
  const byId = isOpen(node) && isPutAside("scheduleName");
  const noId = String(current(node, "scheduleId") ?? "") === "" || (isOpen(node) && isPutAside("scheduleId"));
  const missing = property === "scheduleName" ? noId : property === "scheduleId" && byId;
  return missing ? shared("errors.config.scheduleMissing") : undefined;
}

/** What another choice of hours left behind is not read. */
export function isIdle(node: EditorNode, property: string): boolean {
  if (isOpen(node) && isPutAside(property)) return true;
  const ofTenant = String(current(node, "source") || "tenant") === "tenant";
  return property === "schedule" ? ofTenant : KEY.test(property) && !ofTenant;
}

/** A gate needs a tenant to read its hours there, and uses one that is chosen where it has no zone of its own. */
export function tenantProblem(node: EditorNode, value: unknown): string | undefined {
  const tenant = String(value ?? "");
  const chosen = tenant !== "" && tenant !== "_ADD_";
  const needed = isIdle(node, "schedule") || (chosen && String(current(node, "timezone") ?? "") === "");
  if (!needed) return undefined;
  const found = chosen ? RED.nodes.node(tenant) : null;
  if (!found || found["d"]) return shared("errors.config.tenantMissing");
  return found["valid"] === false ? shared("errors.ERR_CONFIG") : undefined;
}

export function gateLabel(node: EditorNode): string {
  if (node["source"] === "value") return words(node, "story.own");
  const [id, name] = [fixedValue(node, "scheduleId"), fixedValue(node, "scheduleName")];
  if (id) return words(node, "story.id", { id });
  return name ? words(node, "story.name", { name }) : words(node, "type");
}
