import type { Settings } from "../../client";
import { joined } from "../../texts/catalogue";
import type { TenantCounts } from "../../workshop/admin/tenant-routes";
import { openFolds } from "../inputs/folds";
import { configInput, explain, fillZones, rowOf } from "../inputs/input";
import { prepareList } from "../inputs/list-input";
import { callsAddress } from "../panels/server/calls-address";
import { styleText } from "../panels/server/counts";
import { showHolidays } from "../panels/server/hours";
import { offerSchedules } from "../panels/server/schedule-picker";
import { prepareControl } from "../panels/server/tenant-control";
import { prepareTest } from "../panels/server/tenant-test";
import { exceptionList } from "../panels/week/exceptions";
import { nodeText, translate } from "../texts";
import { usesRedis } from "../validate/access";
import { showReasons } from "../validate/reasons";
import { prepareGuard } from "./guard";
import { prepareHotline } from "./hotline";

export function prepareTenant(node: EditorNode): void {
  const isNew = !RED.nodes.node(node.id);
  // A new tenant begins with other values than those that an absent property of a flow file stands for.
  for (const [property, { setting }] of Object.entries(node._def.defaults)) {
    if (node[property] === undefined && setting?.choices) configInput(property).val(String(setting.default));
    explain(node, property, setting);
  }
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  if (isNew && timeZone) configInput("timezone").val(timeZone);
  fillZones(configInput("timezone"));
  configInput("mode").on("change", () => showMode(node));
  showMode(node);
  prepareHotline(node);
  configInput("mode")
    .add(configInput("engine"))
    .on("change", () => showEngine(node));
  showEngine(node);
  prepareGuard(node);
  offerSchedules(node, "callingHours");
  prepareList(node, "callingExceptions", exceptionList);
  showHolidays(node, "callingExceptions");
  const showStyle = preparePartyFormat(node);
  // The sidebar tab shows them in its place; a link with a modifier key, or without the tab, opens a page of its own.
  $("#telephony-calls").on("click", (event) => {
    if (!event.ctrlKey && !event.metaKey && !event.shiftKey) RED.actions.invoke("telephony:show-calls", node.id, event);
  });
  openFolds(node);
  showReasons(node);
  const isDeployed = isRunning(node);
  $("#telephony-control").toggle(isDeployed);
  prepareTest(node, isDeployed);
  if (isDeployed) prepareControl(node, ({ style }) => showStyle(style));
}

/** Whether the server has the tenant as it is here. */
function isRunning(node: EditorNode): boolean {
  return !node.changed && Boolean(RED.nodes.node(node.id));
}

function showMode(node: EditorNode): void {
  const isSandbox = configInput("mode").val() === "sandbox";
  $(".telephony-live").toggle(!isSandbox);
  $(".telephony-sandbox").toggle(isSandbox);
  // Only a deployed sandbox has calls to show.
  const hasCalls = node["mode"] === "sandbox" && isRunning(node);
  $("#telephony-calls")
    .toggle(isSandbox && hasCalls)
    .attr("href", callsAddress(node.id));
  $("#telephony-calls-later").toggle(isSandbox && !hasCalls);
}

/** Shows what the chosen engine promises, and what Redis needs. Simulated calls always wait in memory. */
function showEngine(node: EditorNode): void {
  const engine = configInput("engine");
  const isLive = configInput("mode").val() === "live";
  engine.toggle(isLive);
  const chosen = engine.val() as Settings["engine"];
  const hint = isLive ? (`hint.engine.${chosen || "empty"}` as const) : "hint.engineSimulated";
  $("#telephony-hint-engine").text(nodeText(node, hint));
  for (const property of ["redisUrl", "group"]) rowOf(configInput(property)).toggle(usesRedis(node));
}

/**
 * Explains the chosen party format and, for the automatic one, what the server has found out.
 * @returns a function to call with that of the deployed tenant; absent if its format is fixed
 */
function preparePartyFormat(node: EditorNode): (found: TenantCounts["style"]) => void {
  const input = configInput("partyFields");
  let found: TenantCounts["style"];
  const update = () => {
    const format = String(input.val());
    const result = format === "auto" && found && (styleText(found) || translate("style.untried"));
    const texts = [nodeText(node, `hint.partyFields.${format}`), ...(result ? [result] : [])];
    $("#telephony-hint-partyFields").text(joined(translate, "pattern.sentences", texts));
  };
  input.on("change", update);
  update();
  return (now) => {
    found = now;
    update();
  };
}
