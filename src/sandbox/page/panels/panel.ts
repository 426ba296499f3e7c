import { curl, press } from "../connection";
import { button, make } from "../make";
import { type Key, t } from "../words";

/** A folded part of the page whose settings and buttons are requests to the sandbox. */
export class Panel {
  readonly element = make("details", "panel");
  readonly body = make("div", "body");
  readonly #problem = make("p", "bad");
  readonly #command = make("pre", "command");
  readonly #summary: HTMLElement;
  #last: readonly [name: string, body: object];

  /** @param example the request that is shown as a command before another was sent */
  constructor(title: Key, example: readonly [name: string, body: object]) {
    this.#last = example;
    this.#summary = make("summary", "", t(title));
    this.#problem.setAttribute("role", "alert");
    this.#command.hidden = true;
    const show = button("small", "curl", () => {
      this.#command.hidden = !this.#command.hidden;
      show.setAttribute("aria-expanded", String(!this.#command.hidden));
    });
    show.title = t("asCommand");
    show.setAttribute("aria-expanded", "false");
    const foot = make("div", "foot", this.#problem, show, this.#command);
    this.element.append(this.#summary, this.body, foot);
    this.#showCommand();
  }

  /** Says beside the title what is set. */
  set value(text: string) {
    this.#summary.dataset["value"] = text;
  }

  /** Sends a request. Returns the data of the answer; `undefined` if it was refused, and the panel says why. */
  async send(name: string, body: object = {}): Promise<unknown> {
    this.#last = [name, body];
    this.#showCommand();
    try {
      const data = await press(name, body);
      this.#problem.textContent = "";
      return data ?? null;
    } catch (error) {
      this.#problem.textContent = error instanceof Error ? error.message : String(error);
      return undefined;
    }
  }

  #showCommand(): void {
    this.#command.textContent = curl(...this.#last);
  }
}

let labels = 0;

/** A field with its label, and a sentence on what it does. */
export function labelled(text: string, field: HTMLElement, hint?: string): HTMLElement {
  labels += 1;
  field.id ||= `field-${labels}`;
  const label = make("label", "", text);
  label.htmlFor = field.id;
  const row = make("div", "row", label, field);
  if (hint === undefined) return row;
  const about = make("p", "soft hint", hint);
  about.id = `hint-${labels}`;
  field.setAttribute("aria-describedby", about.id);
  row.append(about);
  return row;
}

export function input(type: string, changed: (field: HTMLInputElement) => void = () => {}): HTMLInputElement {
  const field = make("input", "");
  field.type = type;
  field.addEventListener("change", () => changed(field));
  return field;
}
