import { ok } from "node:assert/strict";
import { runInNewContext } from "node:vm";
import { logExcerpt, parseAddress, readSettings, readToken, redactor } from "../../../src/client";
import { readEnvelope } from "../../../src/client/envelope";
import { TENANT_SETTINGS } from "../../../src/client/settings";
import {
  maskNumbers,
  oneLine,
  quote,
  readActions,
  toExceptions,
  toInstant,
  toNumber,
  toSchedule,
} from "../../../src/fields";
import { checkSetting } from "../../../src/fields/setting";
import { casesOf } from "../../support/until";

const LENGTH = casesOf(2 ** 20);

/** Beginnings that our regular expressions look for, over and over, and never what ends them. */
const PIECES = [
  ..."${|1|1 |1-|1/|1%20|%EF%BC%90|%2B|0901_|2026-11-2|2026-11-23T08:|2026-11-23/|=%7B|/|/api/v1|-----BEGIN |:1|{{|[1|.| |\t|\u00a0"
    .split("|")
    .filter((piece) => piece !== ""),
  "Bearer ",
  "\u200b",
  "\\u005f_",
  "from.",
  '{"a":',
  "%",
];
const redact = redactor("a token of some length");

/** Everything that reads a text from a flow, a dialog, an answer or an address. What it thinks of it does not matter. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  maskNumbers,
  oneLine,
  quote,
  toNumber: (text) => toNumber(text, "field"),
  toInstant: (text) => toInstant(text, "field"),
  toSchedule: (text) => toSchedule([{ day: "mon", open: text, close: text }], "days"),
  toExceptions: (text) => toExceptions([{ date: text }], "exceptions"),
  readActions: (text) => readActions([{ action: "talk", text, voice: text }], "actions"),
  ...Object.fromEntries(
    Object.entries(TENANT_SETTINGS).map(([name, setting]) => [
      name,
      (text: string) => checkSetting(setting, text, name),
    ]),
  ),
  parseAddress,
  addressPath: (text) => parseAddress(`https://acme.example.com/${text}x`),
  readToken,
  readSettings: (text) => readSettings({ url: text }, text),
  logExcerpt: (text) => logExcerpt(text, redact),
  readEnvelope: (text) => readEnvelope(Buffer.from(text)),
};

/** docs/faults.md, Security 6. An expression that is not linear takes minutes for such a text. */
describe("a hostile text of a megabyte", () => {
  for (const [name, read] of Object.entries(READERS)) {
    it(`does not keep ${name} busy`, () => {
      for (const piece of PIECES) {
        const text = piece.repeat(Math.ceil(LENGTH / piece.length)).slice(0, LENGTH);
        const call = () => {
          try {
            read(text);
          } catch {
            // Most are refused.
          }
        };
        // Only this ends a synchronous expression that does not end by itself.
        ok(runInNewContext("call() || true", { call }, { timeout: 60_000 }), piece);
      }
    });
  }
});
