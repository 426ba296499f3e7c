import { hasOnlyExceptions } from "../../fields/rules";
import { fillZones, rowOf, show } from "../inputs/input";
import { listReader, type ReadList } from "../inputs/list-input";
import { pairOf } from "../inputs/pair";
import { previewGate, showHolidays } from "../panels/server/hours";
import { offerSchedules } from "../panels/server/schedule-picker";
import { AS_WRITTEN, HOURS } from "../validate/choices";
import { isChosen } from "../validate/config";
import { prepare } from "./dialog";

const SOURCE = "#node-input-source";

export function prepareGate(node: EditorNode): void {
  prepare(node);
  rowOf($("#telephony-schedule"))
    .add("#telephony-schedule-list")
    .wrapAll($("<div>", { id: "telephony-own" }));
  offerSchedules(node, "scheduleName");
  fillZones($("#node-input-timezone-shown"));
  askForHours(node);
  offerBrowserZone(node);
  showHolidays(node, "exceptions", previewGate(node));
}

/**
 * Asks one question for two properties of the flow file: the source, and whether a schedule is named or given by its id.
 * A hand-written gate may do both. It is shown as it is until the user changes the selection.
 */
function askForHours(node: EditorNode): void {
  const isGiven = (property: string) => pairOf(node, property).value !== "";
  const both = isGiven("scheduleId") && isGiven("scheduleName");
  const source = String(node["source"] || "tenant");
  const isNone = node["schedule"] === "" || hasOnlyExceptions(node);
  $(SOURCE).val(source);
  const ofTenant = isGiven("scheduleId") ? "id" : "name";
  const hours = $(HOURS).val(source !== "value" ? ofTenant : isNone ? "none" : "own");
  hours.data(AS_WRITTEN, both);
  const readList = listReader("schedule");
  const schedule = $("#telephony-schedule");
  const read: ReadList = () => {
    const week = hours.val() === "none" ? "" : readList?.();
    // A week that is chosen and left empty is always closed.
    return hours.val() === "own" && week === "" && schedule.typedInput("type") === "list" ? [] : week;
  };
  schedule.data("telephony", read);
  const update = () => {
    const chosen = hours.val();
    show(chosen === "name" || (chosen === "id" && hours.data(AS_WRITTEN) === true), "scheduleName");
    show(chosen === "id", "scheduleId");
    $("#telephony-own").toggle(chosen === "own");
    // Only the hours of a tenant are read again, and only they may be unknown.
    const isTenants = $(SOURCE).val() !== "value";
    show(isTenants, "refresh");
    const hint = rowOf($("#node-input-onUnknown")).find(".telephony-hint");
    hint.toggle(isTenants);
  };
  hours.on("change", () => {
    hours.data(AS_WRITTEN, false);
    const source = ["own", "none"].includes(String(hours.val())) ? "value" : "tenant";
    $(SOURCE).val(source).trigger("change");
    update();
  });
  update();
}

/**
 * Fills in the browser's zone for a new gate without a tenant, whose hours would otherwise count on the server's clock. If
 * a tenant is chosen then, its zone counts.
 */
function offerBrowserZone(node: EditorNode): void {
  const isNew = ["scheduleName", "scheduleId", "schedule", "timezone"].every((property) => {
    const { value } = pairOf(node, property);
    return value === "" || (Array.isArray(value) && value.length === 0);
  });
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  if (!isNew || hasOnlyExceptions(node) || !timeZone) return;
  const [zone, tenant] = [$("#node-input-timezone"), $("#node-input-tenant")];
  const offer = () => {
    const [from, to] = isChosen(tenant.val()) ? [timeZone, ""] : ["", timeZone];
    if (zone.typedInput("type") === "str" && zone.typedInput("value") === from) zone.typedInput("value", to);
  };
  tenant.on("change", offer);
  offer();
}
