import assert from "node:assert/strict";
import { asVariable, fillVariables, hasVariable, variableOf, withoutVariable } from "../../../src/fields/variable";

describe("A variable of the environment", () => {
  it("is the whole value in both of its forms, and no part of one", () => {
    const values = ["${A}", "$(A)", " ${A}", "${A}${B}", "${}", "${A B}", "$A", 5];
    assert.deepEqual(values.map(variableOf), ["A", "A", ...Array(6).fill(undefined)]);
  });

  it("is filled in where it has a value, which is not looked through again", () => {
    const values: Readonly<Record<string, string>> = { A: asVariable("B"), B: "b", EMPTY: "" };
    assert.equal(
      fillVariables("${A} ${B}${EMPTY} ${C} ${", (name) => values[name]),
      "${B} b ${C} ${",
    );
  });

  it("is refused by its name, shortened, where Node-RED did not replace it", () => {
    for (const [text, variable] of [
      ["a ${B}", "B"],
      ["$(B)", "B"],
      [asVariable("x".repeat(99)), "x".repeat(60)],
    ] as const)
      assert.throws(() => withoutVariable(text, "url"), {
        key: "config.unresolved",
        path: "url",
        params: { variable },
      });
    for (const text of ["", "a $(B)", "${B", "$B"]) assert.equal(withoutVariable(text, "url"), text);
    assert.deepEqual(["${B", "$(B)"].map(hasVariable), [true, false]);
  });
});
