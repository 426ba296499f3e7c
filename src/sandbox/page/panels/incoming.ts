import { html, nothing, type TemplateResult } from "lit-html";
import type { Incoming } from "../../inspect/incoming";
import type { SandboxSettings } from "../../phone/settings";
import { webhooks } from "../connection";
import { fetchedLine } from "../lists/timeline";
import { redraw } from "../redraw";
import { t } from "../texts";
import { Panel } from "./panel";

const FIELDS = ["webhook", "from", "to", "body", "headers"] as const;

/** Makes an incoming call: posts to a webhook what the builder has typed. */
export class IncomingCall extends Panel {
  #isCalling = false;
  #result: Incoming | undefined;
  /** The addresses of the flows. */
  #offered: readonly string[] = [];

  constructor() {
    super("incomingCall", ["calls", { webhook: `${location.protocol}//127.0.0.1:1880/call`, from: "0000000000" }]);
  }

  render({ incoming }: SandboxSettings): TemplateResult {
    const { from, to, body } = incoming;
    const webhook = incoming.webhook || (this.#offered[0] ?? "");
    const headers = incoming.headers.map(({ name, value }) => `${name}: ${value}`).join("\n");
    const placeholder = `${location.protocol}//127.0.0.1:1880/…`;
    const settings = { webhook, from, to, body, headers };
    const result =
      this.#result && html`<p class="soft">${t("webhookAnswered")}</p>${fetchedLine(this.#result.answered)}`;
    const content = html`
      ${this.field("webhook", webhook, {
        label: "webhook",
        hint: "webhookHint",
        placeholder,
        choices: this.#offered,
      })}
      ${this.field("from", from, { label: "callFrom" })}
      ${this.field("to", to, { label: "callTo" })}
      ${this.field("body", body, { label: "body", hint: "ownWords", type: "textarea", rows: 5 })}
      ${this.field("headers", headers, {
        label: "headers",
        hint: "headersHint",
        type: "textarea",
        rows: 2,
        placeholder: "x-secret: …",
      })}
      <div class="buttons">
        <button class="answer" @click=${() => this.#call(settings)}>☎ ${t("callNow")}</button>
      </div>
      <div role="status">${this.#isCalling ? html`<p class="soft">${t("calling")}</p>` : (result ?? nothing)}</div>`;
    return this.frame(content, () => void this.#offer());
  }

  async #offer(): Promise<void> {
    this.#offered = await webhooks().catch(() => []);
    redraw();
  }

  async #call(settings: Readonly<Record<(typeof FIELDS)[number], string>>): Promise<void> {
    const text = (name: (typeof FIELDS)[number]) => this.textOf(name, settings[name]).trim();
    const headers = text("headers")
      .split("\n")
      .flatMap((line) => {
        const colon = line.indexOf(":");
        return colon < 1 ? [] : { name: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() };
      });
    this.#isCalling = true;
    const call = { webhook: text("webhook"), body: text("body"), headers, from: text("from"), to: text("to") };
    this.#result = ((await this.send("calls", call)) ?? undefined) as Incoming | undefined;
    this.#isCalling = false;
    if (this.#result) this.accept(...FIELDS);
    redraw();
  }
}
