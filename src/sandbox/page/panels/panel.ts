import { html, nothing, type TemplateResult } from "lit-html";
import { keyed } from "lit-html/directives/keyed.js";
import { curl } from "../connection";
import { type Key, t } from "../texts";
import { Controls } from "./controls";

interface Field {
  readonly label: Key;
  readonly hint?: Key;
  readonly type?: "text" | "number" | "textarea";
  readonly placeholder?: string;
  /** The choices that the browser offers. */
  readonly choices?: readonly string[];
  /** Called with each sign that is typed. */
  readonly typed?: () => void;
  /** The settings to send once the field was changed. */
  readonly change?: (text: string, form: FormData) => object;
}

/** A folded part of the page whose settings and buttons are requests to the sandbox. */
export class Panel extends Controls {
  readonly #title: Key;
  #command: readonly [name: string, body: object];
  #starts = 0;

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

  /** Starts over, and forgets what was typed: its fields are made anew. */
  override startOver(): void {
    this.#starts += 1;
    super.startOver();
  }

  /** A field with its label and a hint. A text that was refused stays, to be corrected: lit-html writes only what is new. */
  field(name: string, setting: string, field: Field): TemplateResult {
    const { label, hint, type = "text", placeholder = "", choices, typed, change } = field;
    const id = `field-${name.replaceAll(" ", "-")}`;
    const hintId = hint ? `${id}-hint` : nothing;
    const send = ({ target }: Event) => {
      const { form, value } = target as HTMLInputElement;
      const settings = change && form && change(value, new FormData(form));
      if (settings) void this.send("settings", settings, Object.keys(settings)[0]);
    };
    const control =
      type === "textarea"
        ? html`<textarea id=${id} name=${name} rows="3" placeholder=${placeholder} spellcheck="false"
            aria-describedby=${hintId} .value=${setting} @change=${send}></textarea>`
        : html`<input id=${id} name=${name} type=${type} list=${choices ? `${id}-list` : nothing} spellcheck="false"
            placeholder=${placeholder} aria-describedby=${hintId} .value=${setting} @input=${typed} @change=${send}>`;
    const offered = choices?.map((each) => html`<option value=${each}></option>`);
    return html`<div class="row">
      <label for=${id}>${t(label)}</label>
      ${control} ${offered && html`<datalist id="${id}-list">${offered}</datalist>`}
      ${this.problem(name)} ${hint ? html`<p class="soft hint" id=${hintId}>${t(hint)}</p>` : nothing}
    </div>`;
  }

  /** @param toggled called when it is folded or unfolded */
  frame(body: unknown, submitted?: (form: FormData) => void, toggled?: () => void): TemplateResult {
    const submit = (event: SubmitEvent) => {
      event.preventDefault();
      submitted?.(new FormData(event.target as HTMLFormElement));
    };
    return html`<details class="panel" @toggle=${toggled}>
      <summary>${t(this.#title)}</summary>
      <form class="body" @submit=${submit}>${keyed(this.#starts, body)}</form>
      <div class="foot">
        ${this.problem()}
        <details>
          <summary class="soft" title=${t("asCommand")}>curl</summary>
          <pre class="command">${curl(...this.#command)}</pre>
        </details>
      </div>
    </details>`;
  }
}
