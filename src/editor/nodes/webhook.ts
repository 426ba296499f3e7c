import { nodeText } from "../texts";
import { SAVED } from "../validate/access";
import { prepare } from "./dialog";

/** Shown for a secret that is not known here. */
const PLACE = "YOUR-SECRET";
const BODY = '{"orderNo":"1001","text":"Hello"}';

/** Prepares the dialog of a webhook: makes secrets, and shows the address and a line for a shell that sends a request. */
export function prepareWebhook(node: EditorNode): void {
  const secret = $("#node-input-secret");
  prepare(node);
  $("#telephony-make").on("click", () => {
    const bytes = crypto.getRandomValues(new Uint8Array(24));
    const made = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    secret.val(made).trigger("change");
  });
  $(".telephony-copy").on("click", function () {
    RED.clipboard.copyText($(`#${$(this).attr("data-copies")}`).text(), $(this), nodeText(node, "copied"));
  });
  const show = () => {
    const address = addressOf(String($("#node-input-path").val()));
    $("#telephony-address").text(address);
    $("#telephony-curl").text(curl(address, String(secret.val()), String($("#node-input-sign").val()).trim()));
  };
  $("#dialog-form").on("change input", show);
  show();
}

/** Where the nodes of this Node-RED receive requests, as the browser reaches it. */
function addressOf(path: string): string {
  const root = `/${RED.settings.httpNodeRoot ?? ""}/${path.trim()}`.replaceAll(/\/{2,}/g, "/");
  return new URL(root, location.origin).href;
}

/** A line that works as it stands in a shell. */
function curl(address: string, secret: string, sign: string): string {
  const known = secret === "" || secret === SAVED || secret.includes("${") ? PLACE : secret;
  const post = `curl ${quoted(address)} -H "Content-Type: application/json" -d ${quoted(BODY)}`;
  if (sign === "") return `${post} -H ${quoted(`X-Call-Secret: ${known}`)}`;
  const signature = `$(printf %s ${quoted(BODY)} | openssl dgst -sha256 -hmac ${quoted(known)} -r | cut -d" " -f1)`;
  return `${post} -H "${sign}: sha256=${signature}"`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
