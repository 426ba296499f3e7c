import { html, type TemplateResult } from "lit-html";
import { live } from "lit-html/directives/live.js";
import type { SandboxSettings } from "../../phone/settings";
import { t } from "../texts";
import { Controls } from "./controls";

const CHOICES = [
  ["everybody", "everybody"],
  ["nobody", "nobody"],
  ["ask", "askMe"],
] as const;

/** Who answers the calls. */
export class Answers extends Controls {
  render(settings: SandboxSettings): TemplateResult {
    const chosen = this.textOf("answers", settings.answers);
    const choose = (answers: string) => {
      this.enter("answers", answers);
      void this.change("answers", { answers }, false);
    };
    const choice = ([value, label]: (typeof CHOICES)[number]) => html`<label>
      <input type="radio" name="answers" .checked=${live(value === chosen)} @change=${() => choose(value)}>
      <span>${t(label)}</span>
    </label>`;
    return html`<div class="answers" role="radiogroup" aria-labelledby="who-answers">
      <span id="who-answers" class="soft">${t("whoAnswers")}</span> ${CHOICES.map(choice)}
    </div>`;
  }
}
