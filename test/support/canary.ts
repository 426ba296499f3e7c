import assert from "node:assert/strict";
import { inspect } from "node:util";

/** A part of every token of the tests; it may be found only in a request to its own tenant. */
const WORDS = ["secret-token", "other-token", "token-of-the-", "canary"];

/** With characters that are encoded in an address, in JSON and in HTML: each encoding is another text. */
export const TOKEN = 'secret-token/+"&%';

/** A text as it may stand in an address, where every character may be escaped, and inside the base64 of a longer text. */
function spellings(word: string): string[] {
  const inAddress = word.replaceAll("-", "%2D");
  // At three offsets the bytes begin at another bit; the characters that share bits with a neighbour are left out.
  const inBase64 = [0, 1, 2].map((before) => {
    const bytes = Buffer.from("\0".repeat(before) + word);
    return bytes.toString("base64").slice(Math.ceil((before * 4) / 3), Math.floor((bytes.length * 4) / 3));
  });
  return [word, inAddress, inAddress.toLowerCase(), ...inBase64];
}

const SPELLINGS = WORDS.flatMap(spellings);

/** Searches everything that people and flows can see, errors with all their properties. */
export function assertNoToken(where: string, ...seen: readonly unknown[]): void {
  for (const value of seen) {
    const text = typeof value === "string" ? value : inspect(value, EVERYTHING);
    const found = SPELLINGS.find((spelling) => text.includes(spelling));
    if (found === undefined) continue;
    const at = text.indexOf(found);
    assert.fail(`a token in ${where}: …${text.slice(Math.max(0, at - 200), at + 100)}…`);
  }
}

const EVERYTHING = { depth: 12, showHidden: true, maxArrayLength: null, maxStringLength: null } as const;
