import { html, type TemplateResult } from "lit-html";
import { redraw } from "../redraw";
import { type Key, t } from "../texts";
import { Panel } from "./panel";

type Name = "clear" | "reset";

/** Clears what happened, or returns to what a new sandbox has. */
export class Forget extends Panel {
  /** The button that was pressed and asks for a confirmation. */
  #asking: Name | undefined;

  constructor() {
    super("forget", ["clear", {}]);
  }

  render(): TemplateResult {
    return this.frame([this.#row("clear", "clearHint", "clearSure"), this.#row("reset", "resetHint", "resetSure")]);
  }

  /** The first button stays the same element, so it keeps the focus: it asks, and then cancels. */
  #row(name: Name, hint: Key, question: Key): TemplateResult {
    const isAsking = this.#asking === name;
    const ask = (asking?: Name) => () => {
      this.#asking = asking;
      redraw();
    };
    const yes = ({ currentTarget }: Event) => {
      ((currentTarget as Element).previousElementSibling as HTMLElement).focus();
      void this.send(name).then(ask());
    };
    return html`<div class="row">
      ${isAsking ? html`<p>${t(question)}</p>` : ""}
      <div class="buttons">
        <button @click=${ask(isAsking ? undefined : name)}>${t(isAsking ? "cancel" : name)}</button>
        ${isAsking ? html`<button class="decline" @click=${yes}>${t(name)}</button>` : ""}
      </div>
      ${isAsking ? "" : html`<p class="soft hint">${t(hint)}</p>`}
    </div>`;
  }
}
