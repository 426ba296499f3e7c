import { html, nothing, type TemplateResult } from "lit-html";
import type { Incoming } from "../../inspect/incoming";
import type { SandboxSettings } from "../../phone/settings";
import { webhooks } from "../connection";
import { fetchedLine } from "../lists/timeline";
import { redraw } from "../redraw";
import { t } from "../texts";
import { Panel } from "./panel";

/** Makes an incoming call: posts to a webhook what the builder has typed. */
export class IncomingCall extends Panel {
  #isCalling = false;
  #result: Incoming | undefined;
  /** The addresses of the flows. */
  #offered: readonly string[] = [];
  /** The first of them, unless something was typed before. */
  #first = "";
  #isTyped = false;

  constructor() {
    super("incomingCall", ["calls", { webhook: `${location.protocol}//127.0.0.1:1880/call`, from: "0000000000" }]);
  }

  render({ incoming }: SandboxSettings): TemplateResult {
    const headers = incoming.headers.map(({ name, value }) => `${name}: ${value}`).join("\n");
    const result =
      this.#result && html`<p class="soft">${t("webhookAnswered")}</p>${fetchedLine(this.#result.answered)}`;
    const content = html`
      ${this.field("webhook", incoming.webhook || this.#first, {
        label: "webhook",
        hint: "webhookHint",
        placeholder: `${location.protocol}//127.0.0.1:1880/…`,
        choices: this.#offered,
        typed: () => {
          this.#isTyped = true;
        },
      })}
      ${this.field("from", incoming.from, { label: "callFrom" })}
      ${this.field("to", incoming.to, { label: "callTo" })}
      ${this.field("body", incoming.body, { label: "body", hint: "ownWords", type: "textarea" })}
      ${this.field("headers", headers, {
        label: "headers",
        hint: "headersHint",
        type: "textarea",
        placeholder: "x-secret: …",
      })}
      <button class="answer">☎ ${t("callNow")}</button>
      <div role="status">${this.#isCalling ? html`<p class="soft">${t("calling")}</p>` : (result ?? nothing)}</div>`;
    return this.frame(
      content,
      (form) => void this.#call(form),
      () => void this.#offer(),
    );
  }

  override startOver(): void {
    this.#isTyped = false;
    super.startOver();
  }

  async #offer(): Promise<void> {
    this.#offered = await webhooks().catch(() => []);
    if (!this.#isTyped) this.#first = this.#offered[0] ?? "";
    redraw();
  }

  async #call(form: FormData): Promise<void> {
    const { headers = "", ...texts } = Object.fromEntries([...form].map(([name, text]) => [name, String(text).trim()]));
    const lines = headers.split("\n").flatMap((line) => {
      const [, name = "", value = ""] = /^([^:]+):(.*)$/.exec(line) ?? [];
      return name ? { name: name.trim(), value: value.trim() } : [];
    });
    this.#isCalling = true;
    this.#result = ((await this.send("calls", { ...texts, headers: lines })) ?? undefined) as Incoming | undefined;
    this.#isCalling = false;
    redraw();
  }
}
