import { shared } from "../kept";
import { NOT_DEPLOYED, type Refusal, read, reasonOf } from "./ask";

interface Schedule {
  readonly id: number | string;
  readonly name: string;
}

type Answer = { readonly ok: true; readonly schedules: readonly Schedule[] } | Refusal;

/** Opens the list of the tenant's schedules below a typed input, and puts the chosen one into it. */
export function scheduleMenu(node: EditorNode, widget: TypedInputWidget, byId: boolean): void {
  const target = widget.input.closest(".red-ui-typedInput-container");
  const width = Math.max(220, target.width() ?? 0);
  const menu = RED.popover.menu({
    options: [told(shared("schedules.asking"))],
    width,
    maxHeight: 260,
    onclose: (cancelled) => cancelled && target.find(".red-ui-typedInput-option-expand").trigger("focus"),
  });
  menu.show({ target });
  schedulesOf(node, String($("#node-input-tenant").val() ?? "")).then(
    (schedules) => offer(schedules.length > 0 ? schedules.map(choice) : [told(shared("schedules.none"))]),
    (reason: string) => offer([told(reason)]),
  );

  function offer(entries: { label: JQuery; onselect: () => void }[]): void {
    menu.options(entries);
    entries[0]?.label.closest("a:visible").trigger("focus");
  }

  function choice({ id, name }: Schedule) {
    const onselect = () => {
      widget.value(String(byId ? id : name));
      widget.input.trigger("focus");
    };
    return { label: entry(name, id), onselect };
  }

  function told(reason: string) {
    const label = $("<span>", { class: "telephony-notice" }).text(reason);
    return { label, onselect: () => widget.input.trigger("focus") };
  }
}

function entry(name: string, id: number | string): JQuery {
  return $("<span>", { class: "telephony-schedule" })
    .append($("<span>").text(name))
    .append($("<span>", { class: "telephony-estimate" }).text(id));
}

/** Rejects with a sentence that says why there is no list. */
async function schedulesOf(node: EditorNode, tenant: string): Promise<readonly Schedule[]> {
  if (tenant === "" || tenant === "_ADD_") throw shared("schedules.noTenant");
  const url = `telephony/tenant/${encodeURIComponent(tenant)}/business-hours`;
  const answer = await read<Answer>(url);
  if (answer.ok) return answer.schedules;
  throw answer.key === NOT_DEPLOYED ? shared("schedules.notDeployed") : reasonOf(node, answer);
}
