import { html, nothing, type TemplateResult } from "lit-html";
import { live } from "lit-html/directives/live.js";
import { curl } from "../connection";
import { redraw } from "../redraw";
import { type Key, t } from "../texts";
import { Controls } from "./controls";

interface Field {
  readonly label: Key;
  readonly hint?: Key;
  readonly type?: "text" | "number" | "range" | "textarea";
  readonly min?: number;
  readonly max?: number;
  readonly rows?: number;
  readonly placeholder?: string;
  /** What the browser offers. */
  readonly choices?: readonly string[];
  /** The settings to send once the field was changed. */
  readonly change?: (text: string) => object;
}

/** A folded part of the page whose settings and buttons are requests to the sandbox. */
export class Panel extends Controls {
  readonly #title: Key;
  #command: readonly [name: string, body: object];
  #isCommandShown = false;

  /** @param example the request that is shown as a command before another was sent */
  constructor(title: Key, example: readonly [name: string, body: object]) {
    super();
    this.#title = title;
    this.#command = example;
  }

  override send(name: string, body: object = {}, field?: string): Promise<unknown> {
    this.#command = [name, body];
    return super.send(name, body, field);
  }

  /** A field with its label and a hint. */
  field(name: string, setting: string, field: Field): TemplateResult {
    const { label, hint, type = "text", min, max, rows, placeholder, choices, change } = field;
    const text = live(this.textOf(name, setting));
    const id = `field-${name.replaceAll(" ", "-")}`;
    const hintId = hint ? `${id}-hint` : nothing;
    const edit = ({ target }: Event) => this.enter(name, (target as HTMLInputElement).value);
    const send = () => change && this.change(name, change(this.textOf(name, setting)), type !== "range");
    const control =
      type === "textarea"
        ? html`<textarea id=${id} rows=${rows ?? 3} placeholder=${placeholder ?? ""} spellcheck="false"
            aria-describedby=${hintId} .value=${text} @input=${edit} @change=${send}></textarea>`
        : html`<input id=${id} type=${type} min=${min ?? nothing} max=${max ?? nothing} spellcheck="false"
            list=${choices ? `${id}-list` : nothing} placeholder=${placeholder ?? ""} aria-describedby=${hintId}
            .value=${text} @input=${edit} @change=${send}>
            ${choices ? html`<datalist id="${id}-list">${choices.map((each) => html`<option value=${each}></option>`)}</datalist>` : nothing}`;
    return html`<div class="row ${type}">
      <label for=${id}>${t(label)}</label>
      ${control} ${type === "range" ? html`<output for=${id}>${this.textOf(name, setting)} %</output>` : nothing}
      ${this.problem(name)} ${hint ? html`<p class="soft hint" id=${hintId}>${t(hint)}</p>` : nothing}
    </div>`;
  }

  /** @param opened called when it is folded or unfolded */
  frame(body: unknown, opened = () => {}): TemplateResult {
    const toggleCommand = () => {
      this.#isCommandShown = !this.#isCommandShown;
      redraw();
    };
    const toggled = () => {
      opened();
      redraw();
    };
    return html`<details class="panel" @toggle=${toggled}>
      <summary>${t(this.#title)}</summary>
      <div class="body">${body}</div>
      <div class="foot">
        ${this.problem()}
        <button class="small" title=${t("asCommand")} aria-expanded=${this.#isCommandShown} @click=${toggleCommand}>curl</button>
        <pre class="command" ?hidden=${!this.#isCommandShown}>${curl(...this.#command)}</pre>
      </div>
    </details>`;
  }
}
