import { html, type TemplateResult } from "lit-html";
import type { Behaviour, PhonesByNumber } from "../../phone/behaviour";
import type { SandboxSettings } from "../../phone/settings";
import { type Key, t } from "../texts";
import { Panel } from "./panel";

const SHARES: readonly (readonly [Behaviour, label: Key])[] = [
  ["answers", "mixAnswers"],
  ["declines", "mixDeclines"],
  ["never answers", "mixNeverAnswers"],
];

/** The settings of how phones behave, and of which hosts may be asked. */
export class Phones extends Panel {
  constructor() {
    super("phones", ["settings", { ringSeconds: 20 }]);
  }

  render({ ringSeconds, phones, mix, seed, hosts }: SandboxSettings): TemplateResult {
    const number = (name: "ringSeconds" | "seed", value: number, label: Key, hint: Key) =>
      this.field(name, String(value), { type: "number", label, hint, change: (text) => ({ [name]: Number(text) }) });
    const share = ([behaviour, label]: (typeof SHARES)[number]) =>
      this.field(behaviour, String(Math.round(mix[behaviour] * 100)), {
        type: "number",
        label,
        // All of them: the settings may still lack the last change.
        change: (_, form) => ({
          mix: Object.fromEntries(SHARES.map(([each]) => [each, Number(form.get(each)) / 100])),
        }),
      });
    return this.frame(
      html`
        ${number("ringSeconds", ringSeconds, "ringTime", "ringTimeHint")}
        ${this.field("phones", linesOf(phones), {
          type: "textarea",
          label: "phonesByNumber",
          hint: "phonesByNumberHint",
          placeholder: "*02 declines\n*29 429 30",
          change: (text) => ({ phones: phonesIn(text) }),
        })}
        <p class="soft">${t("mixHint")}</p>
        ${SHARES.map(share)} ${this.problem("mix")}
        ${number("seed", seed, "seed", "seedHint")}
        ${this.field("hosts", hosts.join(", "), {
          label: "hosts",
          hint: "hostsHint",
          change: (text) => ({ hosts: text.split(/[\s,]+/).filter(Boolean) }),
        })}`,
    );
  }
}

/** Writes one line for each: `*02 declines`, `*41 401`, `*29 429 30`. */
function linesOf(phones: PhonesByNumber): string {
  const lines = Object.entries(phones).map(([pattern, phone]) =>
    typeof phone === "string" ? `${pattern} ${phone}` : `${pattern} ${phone.status} ${phone.retryAfter ?? ""}`.trim(),
  );
  return lines.join("\n");
}

/** Reads the lines without checks: the sandbox refuses what it does not understand, with a sentence that names the line. */
function phonesIn(text: string): Readonly<Record<string, unknown>> {
  const lines = text.split("\n").map((line) => line.trim().split(/[\s:]+/));
  return Object.fromEntries(
    lines
      .filter(([pattern]) => pattern)
      .map(([pattern, ...words]) => {
        const [status, retryAfter] = words.map(Number);
        const refusal = { status, ...(retryAfter !== undefined && { retryAfter }) };
        return [pattern, Number.isInteger(status) ? refusal : words.join(" ")];
      }),
  );
}
