import { show } from "./dialog";
import { rowOf } from "./input";
import { fixedValue } from "./label";
import { whenLoaded } from "./load";
import { prepareList } from "./own-list";
import { current, currentPair, type Pair, pairOf } from "./pair";
import { offerSchedules } from "./schedule-picker";
import { shared, words } from "./words";
import { fillZones } from "./zones";

const HOURS = "#telephony-hours";
const SOURCE = "#node-input-source";

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
  const explain = (asWritten: boolean) => {
    const chosen = hours.val();
    show(chosen === "name" || (asWritten && chosen === "id"), "scheduleName");
    show(chosen === "id", "scheduleId");
    $("#telephony-own").toggle(chosen === "own");
  };
  hours.on("change", () => {
    const chosen = hours.val();
    // An id wins over a name, so the one that is not shown must not say anything.
    if (chosen === "name") clear("scheduleId");
    if (chosen === "id") clear("scheduleName");
    $(SOURCE)
      .val(chosen === "own" ? "value" : "tenant")
      .trigger("change");
    explain(false);
  });
  explain(both);
}

function clear(property: string): void {
  $(`#node-input-${property}`).typedInput("type", "str");
  $(`#node-input-${property}`).typedInput("value", "");
}

/** What is wrong with a gate's fields only in the company of others. */
export function gateProblem(node: EditorNode, property: string, pair: Pair): string | undefined {
  const named = property === "scheduleName" && pair.value === "" && currentPair(node, "scheduleId").value === "";
  if (named) return shared("errors.config.scheduleMissing");
  return property === "schedule" && pair.value === "" ? shared("valid.missing") : undefined;
}

/** What another choice of hours left behind is not read. */
export function isIdle(node: EditorNode, property: string): boolean {
  const ofTenant = String(current(node, "source") || "tenant") === "tenant";
  return property === "schedule" ? ofTenant : /^schedule(Name|Id)$/.test(property) && !ofTenant;
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
