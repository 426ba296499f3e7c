import { hasVariable } from "../../fields/variable";
import { nodeText } from "../texts";
import { SAVED } from "../validate/access";
import { prepare } from "./dialog";
import { tryForm } from "./try-form";

/** Shown for a secret that is not known here. */
const PLACE = "YOUR-SECRET";
/** The path under which Home Assistant shows Node-RED: only its own users reach what is below. */
const INGRESS = /\/(?:api\/)?hassio_ingress\//;

/** Prepares the dialog of a webhook: makes secrets, shows the address and a line for a shell, and tries a request. */
export function prepareWebhook(node: EditorNode): void {
  const secret = $("#node-input-secret");
  $("#node-input-status").val(String(node["status"] ?? ""));
  prepare(node);
  $("#telephony-make").on("click", () => {
    const bytes = crypto.getRandomValues(new Uint8Array(24));
    const made = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    secret.val(made).trigger("change");
  });
  $(".telephony-copy").on("click", function () {
    RED.clipboard.copyText($(`#${$(this).attr("data-copies")}`).text(), $(this), nodeText(node, "copied"));
  });
  const body = tryForm(node, () => show());
  const show = () => {
    const value = (property: string) => String($(`#node-input-${property}`).val()).trim();
    const address = addressOf(value("path"));
    $("#telephony-address").text(address);
    const isIngress = INGRESS.test(location.pathname);
    const port = `http://${location.hostname}:1880${new URL(address).pathname}`;
    // A shell would have to sign the time, too.
    const line = $("#telephony-curl").text(curl(isIngress ? port : address, JSON.stringify(body()), value));
    line.parent().toggle(value("scheme") === "");
    $("#telephony-ingress")
      .text(isIngress ? nodeText(node, "ingress", { address: port }) : "")
      .toggle(isIngress);
  };
  $("#dialog-form").on("change input", show);
  show();
}

/** Returns the address at which this Node-RED receives requests, as the browser reaches it. */
function addressOf(path: string): string {
  const root = `/${RED.settings.httpNodeRoot ?? ""}/${path.trim()}`.replaceAll(/\/{2,}/g, "/");
  return new URL(root, location.origin).href;
}

/** A line that works as it stands in a shell. */
function curl(address: string, body: string, value: (property: string) => string): string {
  const [secret, sign, header] = [value("secret"), value("sign"), value("header")];
  const known = secret === "" || secret === SAVED || hasVariable(secret) ? PLACE : secret;
  const post = `curl ${quoted(address)} -H "Content-Type: application/json" -d ${quoted(body)}`;
  if (sign === "") return `${post} -H ${quoted(`${header || "X-Call-Secret"}: ${known}`)}`;
  const signature = `$(printf %s ${quoted(body)} | openssl dgst -sha256 -hmac ${quoted(known)} -r | cut -d" " -f1)`;
  return `${post} -H "${sign}: sha256=${signature}"`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
