import type { Incoming } from "../../inspect/incoming";
import type { SandboxSettings } from "../../phone/settings";
import { fetchedLine } from "../lists/timeline";
import { button, fill, make } from "../make";
import { t } from "../words";
import { input, labelled, Panel } from "./panel";

/** Makes a call that comes in: tells a webhook of the builder's, in the builder's words. */
export class IncomingCall extends Panel {
  readonly #webhook = input("text");
  readonly #from = input("text");
  readonly #to = input("text");
  readonly #headers = make("textarea", "");
  readonly #body = make("textarea", "");
  readonly #answer = make("div", "");
  readonly #fields = [this.#webhook, this.#from, this.#to, this.#headers, this.#body];
  /** What somebody is writing is not overwritten by the settings of the sandbox. */
  #isEdited = false;

  constructor() {
    super("incomingCall", ["calls", { webhook: `${location.protocol}//127.0.0.1:1880/call`, from: "0000000000" }]);
    this.#webhook.placeholder = `${location.protocol}//127.0.0.1:1880/…`;
    this.#webhook.inputMode = "url";
    this.#headers.placeholder = "x-secret: …";
    this.#headers.rows = 2;
    this.#body.rows = 5;
    this.#answer.setAttribute("role", "status");
    for (const field of this.#fields) {
      field.spellcheck = false;
      field.addEventListener("input", () => {
        this.#isEdited = true;
      });
    }
    this.body.append(
      labelled(t("webhook"), this.#webhook, t("webhookHint")),
      labelled(t("callFrom"), this.#from),
      labelled(t("callTo"), this.#to),
      labelled(t("body"), this.#body, t("ownWords")),
      labelled(t("headers"), this.#headers, t("headersHint")),
      make(
        "div",
        "buttons",
        button("answer", `☎ ${t("callNow")}`, () => void this.#call(), "call"),
      ),
      this.#answer,
    );
  }

  show({ incoming }: SandboxSettings): void {
    if (this.#isEdited) return;
    fill(this.#webhook, incoming.webhook);
    fill(this.#from, incoming.from);
    fill(this.#to, incoming.to);
    fill(this.#body, incoming.body);
    fill(this.#headers, incoming.headers.map(({ name, value }) => `${name}: ${value}`).join("\n"));
  }

  async #call(): Promise<void> {
    const headers = this.#headers.value.split("\n").flatMap((line) => {
      const colon = line.indexOf(":");
      return colon < 1 ? [] : { name: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() };
    });
    const [webhook, from, to, body] = [this.#webhook, this.#from, this.#to, this.#body].map(({ value }) =>
      value.trim(),
    );
    this.#answer.replaceChildren(make("p", "soft", t("calling")));
    const data = (await this.send("calls", { webhook, body, headers, from, to })) as Incoming | undefined;
    this.#isEdited = data === undefined && this.#isEdited;
    this.#answer.replaceChildren(
      ...(data ? [make("p", "soft", t("webhookAnswered")), fetchedLine(data.answered)] : []),
    );
  }
}
