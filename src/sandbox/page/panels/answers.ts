import { html, type TemplateResult } from "lit-html";
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
  render({ answers }: SandboxSettings): TemplateResult {
    const choose = async ({ target }: Event) => {
      const { form, value } = target as HTMLInputElement;
      const isAccepted = (await this.send("settings", { answers: value })) !== undefined;
      const group = form?.elements.namedItem("answers");
      if (!isAccepted && group instanceof RadioNodeList) group.value = answers;
    };
    const choice = ([value, label]: (typeof CHOICES)[number]) => html`<label>
      <input type="radio" name="answers" value=${value} .checked=${value === answers} @change=${choose}>
      <span>${t(label)}</span>
    </label>`;
    return html`<form class="answers" role="radiogroup" aria-labelledby="who-answers">
      <span id="who-answers" class="soft">${t("whoAnswers")}</span> ${CHOICES.map(choice)}
    </form>`;
  }
}
