import type { SandboxSettings } from "../../phone/settings";
import { make } from "../make";
import { t } from "../words";
import { input } from "./panel";

const CHOICES = { everybody: "everybody", nobody: "nobody", ask: "askMe" } as const;

/** Who answers the calls. */
export class Answers {
  readonly element = make("fieldset", "answers", make("legend", "", t("whoAnswers")));
  readonly #fields = new Map<string, HTMLInputElement>();

  constructor(send: (name: string, body: object) => Promise<unknown>) {
    for (const [answers, key] of Object.entries(CHOICES)) {
      const field = input("radio", () => void send("settings", { answers }));
      field.name = "answers";
      field.value = answers;
      this.#fields.set(answers, field);
      this.element.append(make("label", "", field, make("span", "", t(key))));
    }
  }

  show({ answers }: SandboxSettings): void {
    const field = this.#fields.get(answers);
    if (field) field.checked = true;
  }
}
