import { deepStrictEqual, doesNotThrow } from "node:assert/strict";
import { tellOnce, told } from "../../../src/runtime/node-red/tell-once";

describe("a problem", () => {
  const [node, other] = [{}, {}];
  let heard: string[];
  const tell = (of: object, problem: string) => tellOnce(of, problem, () => heard.push(problem));

  beforeEach(() => {
    heard = [];
    for (const of of [node, other]) told.delete(of);
  });

  it("is told once of each node, and again after another one", () => {
    for (const problem of ["a", "a", "b", "b", "a"]) tell(node, problem);
    tell(other, "a");
    deepStrictEqual(heard, ["a", "b", "a", "a"]);
  });

  it("is told again once it was solved", () => {
    tell(node, "a");
    told.delete(node);
    tell(node, "a");
    deepStrictEqual(heard, ["a", "a"]);
  });

  it("ends nothing if a listener of the log throws, and is not told twice then", () => {
    const fail = () => {
      throw new Error("from a handler of the log");
    };
    doesNotThrow(() => tellOnce(node, "a", fail));
    tell(node, "a");
    deepStrictEqual(heard, []);
  });
});
