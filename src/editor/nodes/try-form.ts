import { type JsonPath, setAt } from "../../json/set-at";
import type { Tried } from "../../runtime/nodes/webhook/try-request";
import { joined } from "../../texts/catalogue";
import type { TryForm } from "../../workshop/admin/webhook-try";
import { ask, showResult } from "../panels/server/ask";
import { nodeText, translate } from "../texts";
import { question } from "./buttons";

/** Sent where no field is known. */
const SAMPLE = { orderNo: "1001", text: "Hello" };

/** The text that was typed, by node and field. It outlives the dialog, which is closed to deploy. */
const typed = new Map<string, string>();

/**
 * Prepares the form with which a deployed webhook is tried.
 * @param changed called when its body is another one
 * @returns a function that makes the body
 */
export function tryForm(node: EditorNode, changed: () => void): () => object {
  const [area, button, result] = [$("#telephony-try-fields"), $("#telephony-post"), $("#telephony-tried")];
  const url = `telephony/webhook/${encodeURIComponent(node.id)}/try`;
  const keyOf = (path: JsonPath) => [node.id, ...path].join(".");
  let form: TryForm = { ok: true, fields: [], live: [] };
  const body = () => {
    const made = {};
    for (const path of form.fields) setAt(made, path, typed.get(keyOf(path)) ?? "");
    return form.fields.length > 0 ? made : SAMPLE;
  };
  const post = () => {
    showResult(result, "busy", nodeText(node, "try.waiting"));
    ask<Tried>(result, url, body()).then(
      ({ status, body: answer }) =>
        showResult(result, status < 400 ? "fine" : "wrong", `${status} ${JSON.stringify(answer)}`),
      (reason: string) => showResult(result, "wrong", reason),
    );
  };
  button.on("click", () => {
    if (form.live.length === 0) return post();
    const sure = $("<p>", {
      text: nodeText(node, "try.sure", { tenants: joined(translate, "pattern.also", form.live) }),
    });
    question(sure, nodeText(node, "try.cancel"), [[nodeText(node, "try.post"), post]]);
  });
  ask<TryForm>(area, url).then(
    (answer) => {
      form = answer;
      for (const path of form.fields) showField(area, path.join("."), keyOf(path));
      button.prop("disabled", false);
      changed();
    },
    (reason: string) => showResult(result, "hint", reason),
  );
  return body;
}

function showField(area: JQuery, name: string, key: string): void {
  const id = `telephony-try-${name}`;
  const input = $("<input>", { type: "text", id, val: typed.get(key) ?? "" });
  input.on("input change", () => typed.set(key, String(input.val())));
  area.append($("<label>", { for: id, text: name }), input);
}
