import assert from "node:assert/strict";
import { errorPlace } from "../../../src/json/error-place";

describe("The place where JSON cannot be read", () => {
  for (const [text, line, column] of [
    ["{", 1, 2],
    ['{"a": 1,\n  "b": }', 2, 8],
    ['{"a": [1, 2\r\n}', 2, 1],
    ["{\n\n'a': 1}", 3, 1],
    ['{"a": "b', 1, 9],
    ['{"a" 1}', 1, 6],
    ['{"a": 1,}', 1, 9],
    ['{"a": 1}}', 1, 9],
    ["[1 2]", 1, 4],
    ["[,]", 1, 2],
    ["orders", 1, 1],
    ["", 1, 1],
  ] as const)
    it(JSON.stringify(text), () => assert.deepEqual(errorPlace(text), { line, column }));

  it("is looked for in what was read, and counted in what came", () => {
    const text = '{"a": "b\tc",\n"d": }';
    assert.deepEqual(errorPlace(text, text.replaceAll(/\s/g, " ")), { line: 2, column: 6 });
  });
});
