import { joined } from "../../../texts/catalogue";
import type { ListLook, LookRefused } from "../../../workshop/admin/list-routes";
import { translate } from "../../texts";
import { chosenTenant } from "../../validate/config";
import { smallButton } from "../controls";
import { insertField } from "../spoken/text-input";
import { ask, showResult } from "./ask";
import { addressOf, downloadTable, momentIn } from "./lists";

const [RESULT, MORE] = ["#telephony-looked", "#telephony-look-more"];
const NUMBER = "#node-input-toNumber";
const TEXT = ".telephony-spoken-text";
const CODES = ["ERR_INPUT", "ERR_BLOCKED", "ERR_DUPLICATE"] as const;

/** Lets the deployed node look at a file: shows what it would call, and offers the file's columns to the fields of the dialog. */
export function prepareLook(node: EditorNode): void {
  const [file, result, more] = [$("#telephony-file"), $(RESULT), $(MORE)];
  const offer = columnButtons();
  const isDeployed = !node.changed && Boolean(RED.nodes.node(node.id));
  $("#telephony-look")
    .prop("disabled", !(isDeployed && RED.user.hasPermission("flows.write")))
    .on("click", () => file.trigger("click"));
  $("#telephony-table")
    .prop("disabled", !(isDeployed && RED.user.hasPermission("telephony-tenant.write")))
    .on("click", () => void downloadTable(node.id).catch((reason: string) => showResult(result, "wrong", reason)));
  if (!isDeployed) showResult(result.removeAttr("data-i18n"), "hint", translate("lists.look.deployFirst"));
  file.on("change", () => {
    const [chosen] = (file.prop("files") ?? []) as readonly File[];
    // The same file may be chosen again.
    file.val("");
    if (chosen) void look(chosen);
  });

  async function look(chosen: File): Promise<void> {
    more.empty();
    showResult(result, "busy", translate("lists.look.looking", { name: chosen.name }));
    try {
      const seen = await ask<ListLook>(result, addressOf(node.id, "look"), chosen, node);
      showResult(result, seen.good > 0 ? "fine" : "wrong", summaryText(seen, timeZoneOf(node)));
      more.append(refusedRows(seen), zeros(seen));
      offer(seen.columns);
    } catch (reason) {
      showResult(result, "wrong", String(reason));
      const { key, columns = [] } = (result.data("request").responseJSON ?? {}) as Partial<LookRefused>;
      // Without the column of the number, another one is to be chosen.
      offer(columns);
      if (key === "input.list.undecodable") $("#node-input-encoding").closest("details").prop("open", true);
    }
  }
}

function timeZoneOf(node: EditorNode): string {
  return String(chosenTenant(node)?.["timezone"] ?? "");
}

function summaryText({ total, good, codes, until }: ListLook, zone: string): string {
  const at = until === null ? [] : [translate("lists.look.until", { at: momentIn(until, zone) })];
  const reasons = Object.entries(codes).map(([code, text]) =>
    translate("pattern.named", { name: codeText(code), text }),
  );
  const why = joined(translate, "pattern.also", reasons);
  return joined(translate, "pattern.sentences", [
    translate("lists.look.good", { good, total }),
    ...(good > 0 ? at : []),
    ...(good < total ? [translate("lists.look.bad", { count: total - good, why })] : []),
  ]);
}

function codeText(code: string): string {
  const known = CODES.find((each) => each === code);
  return known ? translate(`lists.look.codes.${known}`) : code;
}

function refusedRows({ refused, wrong, total, good }: ListLook): JQuery {
  const rows = wrong.map((field, at) => {
    const { index = 0, code = "" } = refused[at] ?? {};
    const text = field ? translate(field.key, { field: field.field }) : codeText(code);
    return $("<li>", { text: translate("pattern.named", { name: translate("lists.look.row", { row: index }), text }) });
  });
  const others = total - good - rows.length;
  if (others > 0) rows.push($("<li>", { text: translate("lists.look.more", { count: others }) }));
  return $("<ul>", { class: "telephony-hint" })
    .append(...rows)
    .toggle(rows.length > 0);
}

/** A line about the zeros that a spreadsheet has removed, with a remedy if all rows lack them. */
function zeros({ withoutZero: count, good }: ListLook): JQuery {
  const line = $("<p>", { class: "telephony-warning" }).toggle(count > 0);
  if (count < good) return line.text(translate("callList.withoutZero", { count }));
  const template = `0{{${$(NUMBER).typedInput("value")}}}`;
  const add = smallButton({ text: translate("lists.look.addZero") }, () => setNumber("mustache", template));
  line.text(`${translate("lists.look.allWithoutZero")} `);
  return $(NUMBER).typedInput("type") === "msg" ? line.append(add) : line;
}

/** Changes where the number comes from. What the deployed node has said of the file is out of date then. */
function setNumber(type: "msg" | "mustache", value: string): void {
  $(NUMBER).typedInput("type", type);
  $(NUMBER).typedInput("value", value);
  $(MORE).empty();
  showResult($(RESULT), "hint", translate("lists.look.again"));
}

/**
 * Makes the places of buttons that put a column into the number to call, or into the text that had the focus last.
 * @returns a function that shows them
 */
function columnButtons(): (columns: readonly string[]) => void {
  const [numbers, texts] = [1, 2].map(() => $("<div>", { class: "telephony-columns" })) as [JQuery, JQuery];
  numbers.insertAfter($(NUMBER).next());
  const actions = $("#telephony-actions-list").prepend(texts);
  let last = $();
  actions.on("focusin", `${TEXT} + *`, ({ currentTarget }) => {
    last = $(currentTarget).prev();
  });
  const addToText = (column: string) => {
    if (actions.find(TEXT).length === 0) actions.children().children("ol").editableList("addItem", {});
    insertField(last[0]?.isConnected ? last : actions.find(TEXT).first(), `{{payload.${column}}}`);
  };
  const setColumn = (column: string) => setNumber("msg", `payload.${column}`);
  return (columns) => {
    for (const [line, press] of [
      [numbers, setColumn],
      [texts, addToText],
    ] as const) {
      line.empty();
      if (columns.length > 0)
        line.append($("<span>", { class: "telephony-hint", text: translate("lists.look.columns") }));
      line.append(...columns.map((column) => smallButton({ text: column }, () => press(column))));
    }
  };
}
