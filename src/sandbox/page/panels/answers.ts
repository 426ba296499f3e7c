import { html, type TemplateResult } from "lit-html";
import { live } from "lit-html/directives/live.js";
import type { SandboxSettings } from "../../phone/settings";
import { redraw } from "../redraw";
import { t } from "../texts";
import { Controls } from "./controls";

const CHOICES = [
  ["everybody", "everybody"],
  ["nobody", "nobody"],
  ["ask", "askMe"],
] as const;

/** Who answers the calls. */
export class Answers extends Controls {
  /** What was chosen, and the settings that are shown until the sandbox sends others. */
  #chosen: readonly [answers: string, before: SandboxSettings] | undefined;

  render(settings: SandboxSettings): TemplateResult {
    const [chosen, before] = this.#chosen ?? [];
    const answers = chosen !== undefined && before === settings ? chosen : settings.answers;
    const choose = async (value: string) => {
      this.#chosen = [value, settings];
      const isAccepted = (await this.send("settings", { answers: value })) !== undefined;
      if (!isAccepted) this.#chosen = undefined;
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
