import { doesNotThrow, throws } from "node:assert/strict";
import { callOut } from "../../../nodes/call-out";
import { callTransfer } from "../../../nodes/call-transfer";
import { checkNumber, type FieldNote } from "../../../src/fields/note";
import { fieldsByMode } from "../../../src/runtime/node-red/field-label";

const notes = (declaration: typeof callOut): [FieldNote, FieldNote] =>
  ["to.number", "to.type"].map((name) => ({ name, ...fieldsByMode(declaration)[0]?.[name] })) as [FieldNote, FieldNote];

describe("A fixed number", () => {
  const word = { value: "ada", type: "str" };
  const check = (declaration: typeof callOut, type?: { value: unknown; type: string }) => {
    const [number, kind] = notes(declaration);
    return () => checkNumber(number, word, kind, type);
  };
  const chosen = (value: string) => ({ value, type: "str" });

  it("is to be dialed where the node says so, or does so by default", () => {
    throws(check(callOut));
    throws(check(callOut, { value: "payload.to.type", type: "msg" }));
    throws(check(callOut, chosen("external")));
    throws(check(callOut, chosen("")));
    throws(check(callTransfer, chosen("external")));
  });

  it("is free text where it is internal, or where only a message decides", () => {
    doesNotThrow(check(callOut, chosen("internal")));
    doesNotThrow(check(callOut, { value: "payload.kind", type: "msg" }));
    doesNotThrow(check(callTransfer));
    doesNotThrow(check(callTransfer, chosen("queue")));
  });
});
