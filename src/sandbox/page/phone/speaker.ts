import { html, type TemplateResult } from "lit-html";
import { CHARACTERS_A_SECOND, languageOf, rateOf } from "../../../speech";
import type { Spoken } from "../../phone/speech";
import { redraw } from "../redraw";
import { language, t } from "../texts";

/** Says the texts of a call with the browser's own voices, and lights up each word as it is said. */
export class Speaker {
  readonly #stop = new AbortController();
  #language = language;
  #words: readonly string[] = [];
  /** How many words have been said. */
  #said = 0;
  #turn = "";
  #note = "";
  #isDone = false;

  constructor(spoken: readonly Spoken[], ended: () => void = () => {}) {
    void this.#sayAll(spoken).then(() => !this.#stop.signal.aborted && ended());
  }

  stop(): void {
    this.#stop.abort();
    if ("speechSynthesis" in window) speechSynthesis.cancel();
  }

  render(): TemplateResult {
    const words = this.#words.map(
      (word, index) => html`<span class=${index < this.#said ? "said" : ""}>${word}</span>`,
    );
    return html`<div class="speech">
      <p class="words" lang=${this.#language}>
        ${this.#isDone ? html`<span class="soft">${t("allSaid")}</span>` : words}
      </p>
      <span class="soft">${this.#turn}</span>
      <p class="soft">${this.#note}</p>
    </div>`;
  }

  async #sayAll(spoken: readonly Spoken[]): Promise<void> {
    for (const { text, times, speed = 0, voice } of spoken)
      for (let turn = 1; turn <= times; turn++) {
        if (this.#stop.signal.aborted) return;
        this.#turn = times > 1 ? t("turn", { turn, times }) : "";
        await this.#say(text, rateOf(speed), voice);
      }
    this.#turn = "";
    this.#isDone = true;
    redraw();
  }

  async #say(text: string, rate: number, requestedVoice: string | undefined): Promise<void> {
    this.#language = languageOf(text, language);
    const voice = (await voices()).find((each) => each.lang.toLowerCase().startsWith(this.#language));
    const likeness = requestedVoice === undefined ? "" : ` ${t("voiceAsked", { voice: requestedVoice })}`;
    this.#words = text.match(/\S+\s*|[\u3040-\u30ff\u4e00-\u9fff]/g) ?? [text];
    this.#note = (voice ? t("approximation") : t("noVoice")) + likeness;
    this.#light(0);
    if (voice) await this.#speak(text, rate, voice);
    else await this.#show(rate);
  }

  #light(said: number): void {
    this.#said = said;
    redraw();
  }

  #speak(text: string, rate: number, voice: SpeechSynthesisVoice): Promise<void> {
    return new Promise((resolve) => {
      const utterance = new SpeechSynthesisUtterance(text);
      Object.assign(utterance, { rate, voice, lang: voice.lang });
      utterance.addEventListener("boundary", ({ charIndex }) => {
        let [said, begin] = [0, 0];
        for (; said < this.#words.length && begin <= charIndex; said++) begin += this.#words[said]?.length ?? 0;
        this.#light(said);
      });
      for (const name of ["end", "error"] as const) utterance.addEventListener(name, () => resolve());
      this.#stop.signal.addEventListener("abort", () => resolve());
      speechSynthesis.speak(utterance);
    });
  }

  /** Without a voice: lights up the words as fast as a voice would say them. */
  async #show(rate: number): Promise<void> {
    for (const [index, word] of this.#words.entries()) {
      if (this.#stop.signal.aborted) return;
      this.#light(index + 1);
      await later((word.length / CHARACTERS_A_SECOND / rate) * 1000);
    }
  }
}

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Browsers load their voices in the background. */
const VOICES_MS = 400;
let haveVoicesLoaded = false;

async function voices(): Promise<readonly SpeechSynthesisVoice[]> {
  if (!("speechSynthesis" in window)) return [];
  const loaded = speechSynthesis.getVoices();
  if (loaded.length > 0 || haveVoicesLoaded) return loaded;
  await Promise.race([
    new Promise((resolve) => speechSynthesis.addEventListener("voiceschanged", resolve, { once: true })),
    later(VOICES_MS),
  ]);
  haveVoicesLoaded = true;
  return speechSynthesis.getVoices();
}
