import { variableOf } from "../../fields/variable";
import { rowOf } from "../inputs/input";
import { listReader } from "../inputs/list-input";
import { current, inputId } from "../inputs/pair";
import { problemOf } from "./valid";

/**
 * Shows under every field of a dialog why it is wrong, now and as it changes. Node-RED marks the field and has the reason in
 * a tooltip, which typed inputs hide.
 */
export function showReasons(node: EditorNode): void {
  const { defaults, credentials } = node._def;
  const properties = [
    ...Object.keys(defaults).filter((property) => defaults[property]?.validate),
    ...Object.keys(credentials ?? {}),
  ];
  const updates = properties.flatMap((property) => reasonOf(node, property));
  const form = $(".red-ui-tray-body:last form");
  const update = () => {
    // Closing a dialog triggers changes while its elements are removed.
    if (form[0]?.isConnected) for (const each of updates) each();
  };
  form.on("change input keyup", update);
  // Node-RED makes this choice after the form, without the listeners of others.
  $(".red-ui-tray-footer:last").on("change", "#red-ui-editor-config-scope", update);
  // Node-RED marks fields after this, with each change, and when another dialog is closed.
  for (const each of form.get())
    new MutationObserver(update).observe(each, { subtree: true, attributeFilter: ["class"] });
  update();
}

/** Updates the reason of one property; nothing where the dialog does not show it. */
function reasonOf(node: EditorNode, property: string): (() => void)[] {
  const readList = listReader(property);
  const input = $(readList ? `#telephony-${property}` : `#${inputId(node, property)}`);
  if (input.length === 0) return [];
  const show = reasonLine(rowOf(input), `telephony-${property}-problem`, input);
  return [
    () => {
      const value = readList ? readList() : current(node, property);
      // Others are none to Node-RED's editor.
      const isVariable = /^[a-z_]\w*$/i.test(variableOf(value) ?? "");
      const problem = isVariable ? undefined : problemOf(node, property, value);
      // A list has an id of its own, so that Node-RED does not mark it.
      if (readList) {
        const marked = input.next().add(`#telephony-${property}-list`);
        if (marked.hasClass("input-error") !== (problem !== undefined))
          marked.toggleClass("input-error", problem !== undefined);
      }
      // Node-RED takes its mark away when the field is left. The line would move what is being clicked.
      if (problem === undefined && !readList && input.hasClass("input-error")) input.removeClass("input-error");
      show(problem);
    },
  ];
}

/**
 * Makes the line below a field that explains why it is wrong, hidden if it is not. The inputs refer to its id. A fold opens to
 * show it.
 */
export function reasonLine(row: JQuery, id?: string, ...inputs: JQuery[]): (problem: string | undefined) => void {
  const line = $("<p>", { class: "telephony-problem", role: "status", ...(id && { id }) }).hide();
  const hint = row.children(".telephony-hint").first();
  if (hint.length > 0) line.insertBefore(hint);
  else line.appendTo(row);
  for (const input of inputs)
    input.add(input.next().find(".red-ui-typedInput-input, button")).attr("aria-describedby", String(id));
  return (problem) => {
    if (line.text() !== (problem ?? ""))
      line
        .text(problem ?? "")
        .closest("details")
        .prop("open", true);
    line.toggle(problem !== undefined);
  };
}
