import { html, type TemplateResult } from "lit-html";
import { live } from "lit-html/directives/live.js";
import type { SandboxView } from "../../inspect/view";
import { redraw } from "../redraw";
import { t } from "../texts";
import { Controls } from "./controls";

const CHOICES = [
  ["everybody", "everybody"],
  ["nobody", "nobody"],
  ["ask", "askMe"],
] as const;

export class Answers extends Controls {
  /** The last choice: it is shown until a view is as new as this revision. */
  #chosen = { answers: "", revision: 0 };

  render({ settings, revision }: SandboxView): TemplateResult {
    const { answers } = revision < this.#chosen.revision ? this.#chosen : settings;
    const choose = async (value: string) => {
      const chosen = { answers: value, revision: Number.POSITIVE_INFINITY };
      this.#chosen = chosen;
      const data = (await this.send("settings", { answers: value })) as { revision: number } | undefined;
      chosen.revision = data?.revision ?? 0;
      redraw();
    };
    const choice = ([value, label]: (typeof CHOICES)[number]) => html`<label>
      <input type="radio" name="answers" .checked=${live(value === answers)}
        @change=${() => choose(value)}>
      <span>${t(label)}</span>
    </label>`;
    return html`<div class="answers" role="radiogroup" aria-labelledby="who-answers">
      <span id="who-answers" class="soft">${t("whoAnswers")}</span> ${CHOICES.map(choice)}
    </div>`;
  }
}
