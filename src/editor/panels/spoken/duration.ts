/** Characters a second at an unhurried pace: 150 English words or 200 Vietnamese syllables a minute come to the same. */
const CHARACTERS_A_SECOND = 15;
const SIGNS_A_SECOND = 5;

/** Roughly how many seconds a text takes to say; 0 for nothing. */
export function secondsToSay(text: string): number {
  const spoken = text.trim();
  const signs = spoken.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/gu)?.length ?? 0;
  return Math.ceil((spoken.length - signs) / CHARACTERS_A_SECOND + signs / SIGNS_A_SECOND);
}
