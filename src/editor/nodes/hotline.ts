import { pairOf } from "../../fields";
import { configInput, rowOf } from "../inputs/input";
import { absentPair, shownConfig } from "../inputs/pair";
import { nodeText } from "../texts";
import { chosenTenant } from "../validate/config";

/** The hotline of a simulated tenant. It cannot be dialled, and no live tenant has it. */
const SAMPLE = "0000000000";

/** Warns in a tenant's dialog if it has no hotline, and uses the sample hotline in sandbox mode only. */
export function prepareHotline(node: EditorNode): void {
  const [mode, hotline] = [configInput("mode"), configInput("fromNumber")];
  let before = mode.val();
  mode.on("change", () => {
    const now = mode.val();
    // Node-RED triggers this event too when it opens the dialog.
    if (now === before) return;
    before = now;
    if (now === "sandbox" && hotline.val() === "") hotline.val(SAMPLE);
    else if (now !== "sandbox" && hotline.val() === SAMPLE) hotline.val("");
    hotline.trigger("change");
  });
  flag(node, hotline, () => hotline.val() === "");
}

/** Warns in a call-out's dialog if the message has to bring the caller's number, because the tenant has no hotline. */
export function flagHotline(node: EditorNode): void {
  const number = $("#node-input-fromNumber");
  const isLeft = () => {
    const config = shownConfig(node);
    const tenant = chosenTenant(config);
    const { value, type } = pairOf(config, "fromNumber") ?? absentPair(node, "fromNumber");
    const isDefault = type === "msg" && value === "payload.from.number";
    return (isDefault || value === "") && tenant !== undefined && !tenant["fromNumber"];
  };
  $("#node-input-tenant").on("change", () => number.trigger("change"));
  flag(node, number, isLeft);
  if (isLeft()) number.closest<HTMLDetailsElement>("details").prop("open", true);
}

/** Replaces the hint of a row by a warning while the hotline is missing. */
function flag(node: EditorNode, input: JQuery, isMissing: () => boolean): void {
  const hint = rowOf(input).find(".telephony-hint").removeAttr("data-i18n");
  const update = () => {
    const missing = isMissing();
    hint.toggleClass("telephony-problem", missing);
    hint.text(nodeText(node, missing ? "hint.noHotline" : "hint.fromNumber"));
  };
  input.on("change input", update);
  update();
}
