/*
 * How fast a voice speaks and in which language, for the simulated phones, the sandbox's page and the dialogs. The interface
 * documents none of this.
 */

/** Characters that a voice says in a second: 150 English words or 200 Vietnamese syllables a minute. */
export const CHARACTERS_A_SECOND = 15;

/** The rate of a browser's voice for a speed of the interface: one step changes it by this factor. */
export function rateOf(speed: number): number {
  return Math.min(3, Math.max(0.4, 1.15 ** speed));
}

/**
 * The language of a text, as far as its letters show it.
 * @param own the reader's language, in two letters
 */
export function languageOf(text: string, own: string): string {
  // Letters that of these languages only Vietnamese has.
  if (/[ăđĩơũư\u1ea0-\u1ef9]/i.test(text.normalize())) return "vi";
  if (/[\u3040-\u30ff]/.test(text)) return "ja";
  if (/[\u4e00-\u9fff]/.test(text)) return own === "ja" ? "ja" : "zh";
  if (/[äöüß]/i.test(text)) return "de";
  return /vi|ja|zh/.test(own) ? "en" : own;
}
