import assert from "node:assert/strict";
import { filled, joined, pageTexts, textAt, withPlainInstants } from "../../../src/texts/catalogue";

describe("A text of a catalogue", () => {
  it("stands under a dotted key, and is absent where there are more texts, or none", () => {
    const texts = { week: { closed: "shut" } };
    assert.deepEqual(
      ["week.closed", "week", "week.closed.no", "no.closed"].map((key) => textAt(texts, key)),
      ["shut", ...[undefined, undefined, undefined]],
    );
  });

  it("keeps gaps without a value, and fills each other one once", () => {
    const values = { a: 0, b: "__a__", c: undefined };
    assert.equal(filled("__a__ __b__ __c__ __d__ __a__", values), "0 __a__ __c__ __d__ 0");
  });

  it("is joined with others by the punctuation of its language", () => {
    const text = (key: string, { one, more }: { one: string; more: string }) => `${one}${key}${more}`;
    assert.deepEqual(
      [[], ["a"], ["a", "b", "c"]].map((texts) => joined(text, "、", texts)),
      ["", "a", "a、b、c"],
    );
  });

  it("has instants as people write them", () => {
    const text = "Until 2026-12-01T09:00:00.000+07:00, not 2026-12-01.";
    assert.equal(withPlainInstants(text), "Until 2026-12-01 09:00:00, not 2026-12-01.");
  });

  it("is that of the first language that a page has, or English", () => {
    const texts = { en: { a: "__n__ calls", b: "more" }, de: { a: "__n__ Anrufe", b: "mehr" } };
    const shown = (...tags: string[]) => pageTexts(texts, tags).text("a", { n: 2 });
    assert.deepEqual([shown("fr", "de-AT"), shown("fr"), shown("DE")], ["2 Anrufe", "2 calls", "2 Anrufe"]);
  });
});
