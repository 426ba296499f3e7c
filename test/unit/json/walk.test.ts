import assert from "node:assert/strict";
import { isDeeper, mapTexts, walk } from "../../../src/json/walk";

describe("A value and all values in it", () => {
  it("are visited outermost first, with name and depth, and not below where a visit ends", () => {
    const seen: unknown[] = [];
    walk({ a: [1, null], b: { c: 2 } }, (value, key, depth) => {
      seen.push([key, depth]);
      return !(key === "b" && typeof value === "object");
    });
    assert.deepEqual(seen, [
      ["", 0],
      ["a", 1],
      ["0", 2],
      ["1", 2],
      ["b", 1],
    ]);
  });

  it("nest deeper than some levels, which is found without overflowing the stack", () => {
    let value: unknown = [];
    for (let depth = 0; depth < 100_000; depth += 1) value = [value];
    assert.deepEqual([isDeeper(value, 50), isDeeper([[1]], 1), isDeeper([[1]], 2)], [true, true, false]);
  });

  it("are copied with other texts, names and numbers, and nothing else is changed", () => {
    const change = (text: string) => text.replace("12", "0").replace("a", "A");
    const value = { a: ["a", 123, 512, 45, true, null, undefined] };
    const changed = { A: ["A", "03", 50, 45, true, null, undefined] };
    assert.deepEqual(mapTexts(value, change), changed);
    assert.deepEqual(
      mapTexts({ a: "a" }, change, (name) => `${name}${name}`),
      { aa: "A" },
    );
  });
});
