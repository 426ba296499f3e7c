/** Characters per second: 150 English words or 200 Vietnamese syllables a minute. */
const CHARACTERS_A_SECOND = 15;
const SIGNS_A_SECOND = 5;

/** The estimated seconds that a text takes to say; 0 for an empty text. */
export function secondsToSay(text: string): number {
  const spoken = text.trim();
  const signs = spoken.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/gu)?.length ?? 0;
  return Math.ceil((spoken.length - signs) / CHARACTERS_A_SECOND + signs / SIGNS_A_SECOND);
}
