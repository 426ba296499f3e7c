import { maskNumbers, oneLine } from "../fields";

/** Most characters of an answer that an error quotes. */
const LONGEST_EXCERPT = 200;

/** Takes the token out of a text, in every spelling in which a service or a proxy may echo it. */
export type Redact = (text: string) => string;

export function redactor(token: string): Redact {
  if (token === "") return (text) => text;
  const base64 = Buffer.from(token).toString("base64");
  const bearer = Buffer.from(`Bearer ${token}`).toString("base64");
  const spellings = [token, base64, base64.replace(/=+$/, ""), Buffer.from(token).toString("base64url"), bearer];
  const escaped = [
    encodeURIComponent(token),
    JSON.stringify(token).slice(1, -1),
    new URLSearchParams([["", token]]).toString().slice(1),
  ];
  const all = [...new Set([...spellings, ...escaped])].sort((a, b) => b.length - a.length);
  return (text) => all.reduce((left, spelling) => left.replaceAll(spelling, "[token]"), text);
}

/** What an error may quote of an answer: without the token, on one line, shortened. */
export function excerpt(text: string, redact: Redact): string {
  const plain = oneLine(redact(text)).trim();
  return plain.length > LONGEST_EXCERPT ? `${plain.slice(0, LONGEST_EXCERPT - 1)}…` : plain;
}

/** The same for a sentence that may end in a log. */
export function logExcerpt(text: string, redact: Redact): string {
  return maskNumbers(excerpt(text, redact));
}
