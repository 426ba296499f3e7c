import { html, type TemplateResult } from "lit-html";
import { CHARACTERS_A_SECOND, languageOf, rateOf } from "../../../speech";
import { joined } from "../../../texts/catalogue";
import type { Spoken } from "../../phone/speech";
import { redraw } from "../redraw";
import { language, t } from "../texts";

/** Says the texts of a call with the browser's own voices, or shows them word by word. */
export class Speaker {
  readonly #stop = new AbortController();
  #language = language;
  #text = "";
  /** The number of characters of the text that have been said. */
  #said = 0;
  #turn = "";
  #note = "";

  constructor(spoken: readonly Spoken[], ended: () => void = () => {}) {
    void this.#sayAll(spoken).then(() => !this.#stop.signal.aborted && ended());
  }

  stop(): void {
    this.#stop.abort();
    if ("speechSynthesis" in window) speechSynthesis.cancel();
  }

  render(): TemplateResult {
    const [said, rest] = [this.#text.slice(0, this.#said), this.#text.slice(this.#said)];
    return html`<div class="speech">
      <p class="words" lang=${this.#language}><span>${said}</span><span class="soft">${rest}</span></p>
      <span class="soft">${this.#turn}</span>
      <p class="soft">${this.#note}</p>
    </div>`;
  }

  async #sayAll(spoken: readonly Spoken[]): Promise<void> {
    for (const each of spoken)
      for (let turn = 1; turn <= each.times; turn++) {
        if (this.#stop.signal.aborted) return;
        this.#turn = each.times > 1 ? t("turn", { turn, times: each.times }) : "";
        await this.#say(each);
      }
    [this.#turn, this.#text, this.#language] = ["", t("allSaid"), language];
    this.#light(0);
  }

  async #say({ text, speed = 0, voice: requested }: Spoken): Promise<void> {
    this.#text = text;
    this.#language = languageOf(text, language);
    const rate = rateOf(speed);
    const voice = voices().find(({ lang }) => lang.toLowerCase().startsWith(this.#language));
    const likeness = requested === undefined ? [] : [t("voiceAsked", { voice: requested })];
    this.#note = joined(t, "sentences", [t(voice ? "approximation" : "noVoice"), ...likeness]);
    if (voice) {
      this.#light(text.length);
      return this.#speak(text, rate, voice);
    }
    for (const { index, segment } of new Intl.Segmenter(this.#language, { granularity: "word" }).segment(text)) {
      if (this.#stop.signal.aborted) return;
      this.#light(index + segment.length);
      await later((segment.length / CHARACTERS_A_SECOND / rate) * 1000);
    }
  }

  #light(said: number): void {
    this.#said = said;
    redraw();
  }

  #speak(text: string, rate: number, voice: SpeechSynthesisVoice): Promise<void> {
    return new Promise((resolve) => {
      const utterance = new SpeechSynthesisUtterance(text);
      Object.assign(utterance, { rate, voice, lang: voice.lang });
      for (const name of ["end", "error"] as const) utterance.addEventListener(name, () => resolve());
      this.#stop.signal.addEventListener("abort", () => resolve());
      speechSynthesis.speak(utterance);
    });
  }
}

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Lists the voices; empty if the browser has none. Asking makes it load them, so they are asked for once beforehand. */
const voices = () => ("speechSynthesis" in window ? speechSynthesis.getVoices() : []);
voices();
