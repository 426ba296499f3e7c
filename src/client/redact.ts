import { maskNumbers, oneLine } from "../fields/quote";

/** Longest quote of an answer in an error, in characters. */
const LONGEST_EXCERPT = 200;

/** Removes the token from a text, in every encoding in which a service or a proxy may echo it. */
export type Redact = (text: string) => string;

export function redactor(token: string): Redact {
  if (token === "") return (text) => text;
  const spellings = [token, ...inBase64(token)].flatMap((text) => [text, ...escaped(text)]);
  const longestFirst = [...new Set(spellings)].sort((a, b) => b.length - a.length);
  return (text) => longestFirst.reduce((left, spelling) => left.replaceAll(spelling, "[token]"), text);
}

/** Escapes a text as in an address, a form, JSON of three common writers, and HTML. */
function escaped(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const inAddress = encodeURIComponent(text);
  const inForm = new URLSearchParams([["", text]]).toString().slice(1);
  const hex = (character: string) => `\\u00${character.charCodeAt(0).toString(16)}`;
  const html = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
  return [
    inAddress,
    inForm,
    ...[inAddress, inForm].map((address) => address.replace(/%../g, (code) => code.toLowerCase())),
    json,
    json.replaceAll("/", "\\/"),
    text.replace(/[<>&'"]/g, hex),
    html,
    ...["&#39;", "&#039;", "&apos;"].map((quote) => html.replaceAll("'", quote)),
  ];
}

/** Shorter pieces would match unrelated text. */
const SHORTEST_PIECE = 6;

/** Lists base64 of the token alone, and the part that base64 of any longer text contains, for each of three bit offsets. */
function inBase64(token: string): string[] {
  const pieces = [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.from("\0".repeat(before) + token);
    // Characters at either end that also encode bits of the surrounding text are left out.
    const whole = bytes.toString("base64").slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6));
    return whole.length < SHORTEST_PIECE ? [] : [whole];
  });
  const alone = Buffer.from(token).toString("base64");
  return [alone, alone.replace(/=+$/, ""), ...pieces].flatMap((text) => [
    text,
    text.replaceAll("+", "-").replaceAll("/", "_"),
  ]);
}

/** A quote of an answer for an error: without the token, on one line, shortened. */
export function excerpt(text: string, redact: Redact): string {
  const plain = oneLine(redact(text)).trim();
  return plain.length > LONGEST_EXCERPT ? `${plain.slice(0, LONGEST_EXCERPT - 1)}…` : plain;
}

/** The same for a sentence that may be logged: phone numbers are masked. */
export function logExcerpt(text: string, redact: Redact): string {
  return maskNumbers(excerpt(text, redact));
}
