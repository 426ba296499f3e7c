import { html, type TemplateResult } from "lit-html";
import { t } from "../texts";
import { Panel } from "./panel";

const ROWS = [
  ["clear", "clearHint", "clearSure"],
  ["reset", "resetHint", "resetSure"],
] as const;

/** Clears what happened, or returns to what a new sandbox has. */
export class Forget extends Panel {
  /** @param wasReset called once the sandbox is as a new one */
  constructor(private readonly wasReset: () => void) {
    super("forget", ["clear", {}]);
  }

  render(): TemplateResult {
    const row = ([name, hint, question]: (typeof ROWS)[number]) => html`<div class="row">
      <button type="button" @click=${() => confirm(t(question)) && void this.#forget(name)}>${t(name)}</button>
      <p class="soft hint">${t(hint)}</p>
    </div>`;
    return this.frame(ROWS.map(row));
  }

  async #forget(name: (typeof ROWS)[number][0]): Promise<void> {
    const isDone = (await this.send(name)) !== undefined;
    if (isDone && name === "reset") this.wasReset();
  }
}
