import { NOWHERE } from "../../fields/rules";
import { booleanIn } from "../../hours/untrusted";
import { openFolds } from "../inputs/folds";
import { explain, show, suggestPath, typedInput, wideInput } from "../inputs/input";
import { type ListMaker, prepareList } from "../inputs/list-input";
import { absentValue } from "../inputs/pair";
import { nowhere } from "../inputs/types";
import { peopleList } from "../panels/people";
import { offerSchedules } from "../panels/server/schedule-picker";
import { spokenActions } from "../panels/spoken/spoken-row";
import { exceptionList } from "../panels/week/exceptions";
import { weekEditor } from "../panels/week/week-editor";
import { showReasons } from "../validate/reasons";
import { nameNumber, warnOfListener } from "./call";
import { flagHotline } from "./hotline";
import { prepareTransfer } from "./transfer";

/** The lists of the flow file, by the kind of their field. */
const LISTS: Readonly<Record<string, ListMaker>> = {
  actions: spokenActions,
  days: weekEditor,
  schedule: weekEditor,
  exceptions: exceptionList,
  people: peopleList,
};

/** Prepares a dialog by the declaration of its properties. */
export function prepare(node: EditorNode): void {
  for (const [property, { setting, field, check, ...start }] of Object.entries(node._def.defaults)) {
    const makeList = field && LISTS[field.kind];
    if (makeList) prepareList(node, property, makeList);
    const input = $(`#node-input-${property}`);
    if (input.length === 0 || input.attr("type") === "hidden") continue;
    if (field) typedInput(node, property, input);
    if (property === "scheduleId") offerSchedules(node, property);
    // Node-RED leaves an input empty when a hand-written flow does not have the property.
    // It may be text. What is no boolean is reported at the field, and means no.
    else if (input.is(":checkbox")) input.prop("checked", booleanIn(node[property] ?? absentValue(start)) === true);
    else if ((setting || check === "property") && node[property] === undefined) input.val(String(absentValue(start)));
    explain(node, property, setting);
    if (check === "property") {
      const isNowhere = input.val() === NOWHERE;
      wideInput(input, { default: isNowhere ? "nowhere" : "msg", types: ["msg", nowhere()] });
      suggestPath(input, String(absentValue(start)));
    }
  }
  nameNumber(node, "from");
  nameNumber(node, "to");
  warnOfListener();
  // Without a command, each message brings one.
  const command = $("#node-input-command");
  command.on("change", () => show(["", "cancel"].includes(String(command.val())), "key"));
  const onceKey = $("#node-input-onceKey");
  onceKey.on("change", () => show(onceKey.val() !== "", "onceAgain", "onceFor", "onceScope"));
  openFolds(node);
  if (node._def.placesCalls) flagHotline(node);
  showReasons(node);
  prepareTransfer(node);
}

/** Gives a node from the palette the only tenant there is. */
export function takeOnlyTenant(node: EditorNode): void {
  if (node["tenant"]) return;
  const tenants: EditorNode[] = [];
  RED.nodes.eachConfig((config) => {
    if (config.type === "telephony-tenant" && (!config["z"] || config["z"] === node["z"])) tenants.push(config);
  });
  if (tenants.length === 1 && tenants[0]) node["tenant"] = tenants[0].id;
}
