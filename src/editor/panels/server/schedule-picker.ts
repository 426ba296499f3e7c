import type { ScheduleList } from "../../../workshop/admin/tenant-routes";
import { wideInput } from "../../inputs/input";
import { current, inputId, pairOf } from "../../inputs/pair";
import { ownType, typesFor } from "../../inputs/types";
import { translate } from "../../texts";
import { isChosen } from "../../validate/config";
import { ask } from "./ask";

type Schedule = ScheduleList["schedules"][number];

/**
 * Offers the tenant's schedules beside a typed name or id, read when the menu is opened. A list that cannot be read is
 * replaced by the reason; typing is always possible.
 */
export function offerSchedules(node: EditorNode, property: "scheduleName" | "scheduleId" | "callingHours"): void {
  const input = $(`#${inputId(node, property)}`);
  const byId = property === "scheduleId";
  function expand(this: TypedInputWidget): void {
    openMenu(node, this, byId);
  }
  expand.icon = "fa-caret-down";
  const written: TypedInputType = { ...ownType("str"), icon: "fa fa-calendar-o", expand };
  if (property === "callingHours") wideInput(input, { types: [written] });
  else {
    const types = typesFor(node, property, pairOf(node, property));
    input.typedInput("types", [written, ...types.filter((type) => typeof type === "string" || type.value !== "str")]);
  }
  const button = input.next().find(".red-ui-typedInput-option-expand");
  button.attr({ title: translate("schedules.pick"), "aria-label": translate("schedules.pick") });
}

/** Opens the menu of schedules below a typed input; the chosen one becomes its value. */
function openMenu(node: EditorNode, widget: TypedInputWidget, byId: boolean): void {
  const target = widget.input.closest(".red-ui-typedInput-container");
  const menu = RED.popover.menu({
    options: [entry(translate("schedules.asking"))],
    width: Math.max(220, target.width() ?? 0),
    maxHeight: 260,
    onclose: (cancelled) => cancelled && target.find(".red-ui-typedInput-option-expand").trigger("focus"),
  });
  menu.show({ target });
  schedulesOf(node, widget.input).then(
    (schedules) =>
      offer(
        schedules.length > 0
          ? schedules.map((each) => entry(String(each.name ?? ""), each))
          : [entry(translate("schedules.none"))],
      ),
    (reason: string) => offer([entry(reason)]),
  );

  function offer(entries: { label: JQuery; onselect: () => void }[]): void {
    menu.options(entries);
    entries[0]?.label.closest("a:visible").trigger("focus");
  }

  /** An entry of the menu; one without a schedule is a notice. */
  function entry(text: string, schedule?: Schedule) {
    const label = $("<span>", { class: "telephony-schedule" }).append(
      $("<span>", { text }),
      $("<span>", { class: "telephony-estimate", text: schedule?.id ?? "" }),
    );
    const onselect = () => {
      if (schedule) widget.value(String(byId ? schedule.id : schedule.name));
      widget.input.trigger("focus");
    };
    return { label, onselect };
  }
}

/** Rejects with the reason, as a sentence, if there is no list. */
async function schedulesOf(node: EditorNode, input: JQuery): Promise<readonly Schedule[]> {
  const tenant = node.type === "telephony-tenant" ? node.id : String($("#node-input-tenant").val() ?? "");
  if (!isChosen(tenant)) throw translate("schedules.noTenant");
  const askFor = (owner: string) => ask<ScheduleList>(input, `telephony/${owner}/business-hours`, undefined, node);
  const list = await askFor(`tenant/${encodeURIComponent(tenant)}`).catch((reason: string) => {
    // Once a sandbox is deployed or enabled, it will be a new one.
    if (isSandbox(node, tenant) && reason === translate("errors.config.notDeployed")) return askFor("new-sandbox");
    throw reason;
  });
  return list.schedules;
}

/** Whether a tenant of the editor is a sandbox, in its own dialog by what is chosen there. */
function isSandbox(node: EditorNode, tenant: string): boolean {
  const mode = node.id === tenant ? current(node, "mode") : RED.nodes.node(tenant)?.["mode"];
  return mode === "sandbox";
}
