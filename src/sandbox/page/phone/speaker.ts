import type { Spoken } from "../../phone/speech";
import { make } from "../make";
import { language, t } from "../words";

/** Letters that of these languages only Vietnamese has. */
const VIETNAMESE = /[ăđơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉĩịọỏốồổỗộớờởỡợụủũứừửữựỳỵỷỹ]/i;
/** How many characters a voice says in a second, as the sandbox estimates it. */
const CHARACTERS_A_SECOND = 15;
/** The service documents no unit of its speeds; this is what one more or less sounds like here. */
const RATE_STEP = 1.15;

/** The language of a text, as far as its letters tell. */
export function languageOf(text: string): string {
  if (VIETNAMESE.test(text)) return "vi";
  if (/[\u3040-\u30ff]/.test(text)) return "ja";
  if (/[\u4e00-\u9fff]/.test(text)) return language === "ja" ? "ja" : "zh";
  if (/[äöüß]/i.test(text)) return "de";
  return language === "ja" || language === "zh" || language === "vi" ? "en" : language;
}

/** Says the texts of a call with the browser's own voices, and shows them word by word while they are said. */
export class Speaker {
  readonly element = make("div", "speech");
  readonly #note = make("p", "soft");
  readonly #count = make("span", "count soft");
  readonly #text = make("p", "words");
  readonly #stop = new AbortController();

  constructor(spoken: readonly Spoken[], ended: () => void = () => {}) {
    this.element.append(this.#text, this.#count, this.#note);
    void this.#sayAll(spoken).then(() => !this.#stop.signal.aborted && ended());
  }

  stop(): void {
    this.#stop.abort();
    if ("speechSynthesis" in window) speechSynthesis.cancel();
  }

  async #sayAll(spoken: readonly Spoken[]): Promise<void> {
    for (const { text, times, speed = 0, voice } of spoken)
      for (let turn = 1; turn <= times; turn++) {
        if (this.#stop.signal.aborted) return;
        this.#count.textContent = times > 1 ? t("turn", { turn, times }) : "";
        await this.#say(text, Math.min(3, Math.max(0.4, RATE_STEP ** speed)), voice);
      }
    this.#text.replaceChildren(make("span", "soft", t("allSaid")));
    this.#count.textContent = "";
  }

  async #say(text: string, rate: number, named: string | undefined): Promise<void> {
    const tag = languageOf(text);
    const voice = (await voices()).find((each) => each.lang.toLowerCase().startsWith(tag));
    const like = named === undefined ? "" : ` ${t("voiceAsked", { voice: named })}`;
    const spans = (text.match(/\S+\s*|[\u3040-\u30ff\u4e00-\u9fff]/g) ?? [text]).map((word) => make("span", "", word));
    this.#text.lang = tag;
    this.#text.replaceChildren(...spans);
    this.#note.textContent = (voice ? t("approximation") : t("noVoice")) + like;
    if (voice) await this.#speak(text, rate, voice, spans);
    else await this.#show(rate, spans);
  }

  #speak(text: string, rate: number, voice: SpeechSynthesisVoice, spans: readonly HTMLElement[]): Promise<void> {
    return new Promise((resolve) => {
      const utterance = new SpeechSynthesisUtterance(text);
      Object.assign(utterance, { rate, voice, lang: voice.lang });
      utterance.addEventListener("boundary", ({ charIndex }) => {
        let begin = 0;
        for (const span of spans) {
          span.className = begin <= charIndex ? "said" : "";
          begin += span.textContent?.length ?? 0;
        }
      });
      for (const name of ["end", "error"] as const) utterance.addEventListener(name, () => resolve());
      this.#stop.signal.addEventListener("abort", () => resolve());
      speechSynthesis.speak(utterance);
    });
  }

  /** Without a voice: as fast as it would be said. */
  async #show(rate: number, spans: readonly HTMLElement[]): Promise<void> {
    for (const span of spans) {
      if (this.#stop.signal.aborted) return;
      span.className = "said";
      await later(((span.textContent?.length ?? 0) / CHARACTERS_A_SECOND / rate) * 1000);
    }
  }
}

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Browsers load their voices in the background. */
const VOICES_MS = 400;

async function voices(): Promise<readonly SpeechSynthesisVoice[]> {
  if (!("speechSynthesis" in window)) return [];
  const there = speechSynthesis.getVoices();
  if (there.length > 0 || isWaitedFor) return there;
  await Promise.race([
    new Promise((resolve) => speechSynthesis.addEventListener("voiceschanged", resolve, { once: true })),
    later(VOICES_MS),
  ]);
  isWaitedFor = true;
  return speechSynthesis.getVoices();
}
let isWaitedFor = false;
