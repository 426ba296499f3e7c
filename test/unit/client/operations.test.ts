import assert from "node:assert/strict";
import { operationOf, operations, requestFor } from "../../../src/client/operations";
import { OPERATIONS } from "../../interface/interface";

describe("the operations of the service", () => {
  it("are those of the interface", () => {
    const ours = Object.values(operations).map(({ method, path }) => `${method} ${path.replace(":id", "{id}")}`);
    assert.deepEqual(ours.sort(), OPERATIONS.map(({ name }) => name).sort());
  });

  it("take ids of digits only, so that no value leads to another path", () => {
    for (const id of ["", "1/2", "../call", "1?x", "٣", "-1", "1".repeat(19), undefined])
      assert.throws(() => requestFor(operations.readBusinessHour, { id }), TypeError);
  });

  it("let the guard check a call of another version, which may come from an older journal", () => {
    const request = { method: "POST", path: "/api/v0/call/call-out", body: {} } as const;
    assert.equal(operationOf(request).dials, true);
  });
});
