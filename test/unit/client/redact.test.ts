import assert from "node:assert/strict";
import fc from "fast-check";
import { logExcerpt, redactor } from "../../../src/client";
import { excerpt } from "../../../src/client/redact";

const token = `12|a"b'c&d<e>f/g+h=${"x".repeat(20)}`;
const redact = redactor(token);
const base64 = (text: string) => Buffer.from(text).toString("base64");
const html = token.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

describe("the token in what a service echoes", () => {
  const spellings: Record<string, string> = {
    raw: token,
    "in an address": encodeURIComponent(token),
    "in an address, lower case": encodeURIComponent(token).replace(/%../g, (code) => code.toLowerCase()),
    "in a form": `${new URLSearchParams([["", token]])}`.slice(1),
    "in JSON": JSON.stringify(token),
    "in JSON with escaped slashes": JSON.stringify(token).replaceAll("/", "\\/"),
    "in JSON fit for HTML": `"${token.replace(/[<>&'"]/g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`)}"`,
    "in HTML": html,
    "in HTML with apostrophes by number": html.replaceAll("'", "&#39;"),
    "in HTML as PHP writes it": html.replaceAll("'", "&#039;"),
    "in HTML with apostrophes by name": html.replaceAll("'", "&apos;"),
    "in base64": base64(token),
    "in base64 without padding": base64(token).replace(/=+$/, ""),
    "in base64 for addresses": Buffer.from(token).toString("base64url"),
    "in base64 in an address": encodeURIComponent(base64(token)),
  };
  for (const [name, spelling] of Object.entries(spellings)) {
    it(`${name} is taken out`, () => {
      const quote = /^"/.test(spelling) ? '"' : "";
      assert.equal(
        redact(`before ${spelling} between ${spelling} after`),
        `before ${quote}[token]${quote} between ${quote}[token]${quote} after`,
      );
    });
  }

  it("in the base64 of a longer text, nothing of it can be read back", () => {
    for (const before of ["", "u", "us", "user:", "Bearer "]) {
      for (const after of ["", "!", "!!"]) {
        const left = redact(`Basic ${base64(before + token + after)}`);
        assert.match(left, /\[token\]/);
        assert.ok(left.length < "Basic [token]".length + before.length + after.length + 10, left);
      }
    }
  });

  it("leaves every other text alone", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!text.includes("canary"));
        assert.equal(redactor("canary-0123456789")(text), text);
      }),
    );
    assert.equal(redactor("ab")("a bad cabin"), "a bad c[token]in");
    assert.equal(redactor("")("anything"), "anything");
    // What base64 makes of so short a token begins many a word.
    assert.equal(redactor("abc")("FiYear, GJj"), "FiYear, GJj");
  });

  it("whatever the token is, none of its spellings is left", () => {
    const anyToken = fc.stringMatching(/^[\x21-\x7e]{8,60}$/);
    fc.assert(
      fc.property(anyToken, fc.string(), fc.string(), (one, before, after) => {
        const hide = redactor(one);
        for (const spelling of [one, encodeURIComponent(one), JSON.stringify(one).slice(1, -1), base64(one)]) {
          fc.pre(!"[token]".includes(spelling));
          assert.ok(!hide(`${before}${spelling}${after}`).includes(spelling));
        }
      }),
    );
  });
});

describe("what an error quotes of an answer", () => {
  it("is on one line, without control characters", () => {
    assert.equal(excerpt("  a\r\n\tb\u0000\u001b[31mc\u0085d\u007f  ", redact), "a b [31mc d");
  });

  it("is 200 characters long at most", () => {
    assert.equal(excerpt("x".repeat(200), redact), "x".repeat(200));
    assert.equal(excerpt("x".repeat(201), redact), `${"x".repeat(199)}…`);
    assert.equal(excerpt("x".repeat(1_000_000), redact).length, 200);
  });

  it("is redacted before it is shortened, so that no piece of the token is left at its end", () => {
    const shown = excerpt(`${"x".repeat(190)}${token}`, redact);
    assert.equal(shown, `${"x".repeat(190)}[token]`);
  });

  it("hides the numbers where it may end in a log, and only there", () => {
    assert.equal(logExcerpt("no route to +49 170 1234567", redact), "no route to +•• ••• ••••567");
    assert.equal(excerpt("no route to +49 170 1234567", redact), "no route to +49 170 1234567");
  });
});
