import assert from "node:assert/strict";
import { draftTest, withoutNumbers } from "../../../src/workshop/admin/rehearsal/draft-test";
import type { FlowTest } from "../../../src/workshop/rehearsal/flow-test";
import { sampleCall as call, sampleReport } from "./sample";

const body = (phone: unknown, text = "") => ({ at: "+0s", post: "/orders", body: { phone, text } });
const draft = (when: FlowTest["when"] & object, ...calls: ReturnType<typeof call>[]) =>
  draftTest(sampleReport({ calls, notPlaced: [], inputs: [] }), { from: "2026-12-01", days: 1, when });

describe("a test that is made of a rehearsal", () => {
  it("expects calls in order, the same ones once, and nobody else", () => {
    const ada = call("09:00", "0912345602", "Hello.");
    const { then } = draft([], ada, ada, call("09:01", "0912345603"), { ...ada, outcome: "rejected" });
    assert.deepEqual(then, [
      { call: "0912345602", saysExactly: ["Hello."], times: 2 },
      { call: "0912345603" },
      { nobodyElse: true },
    ]);
  });

  it("has other numbers in place of those that came in, and in no other place", () => {
    const when = [body("+84 (91) 234-56-02", "call 091 2345602 or 091234560217"), body(912345603), body("0900000001")];
    const fixed = ["0000000000", "0987654321"].map((number) => call("09:00", number));
    const calls = ["+84912345602", "0912345603", "0900000001"].map((number) => call("09:00", number, `to ${number}`));
    const { when: given, then } = withoutNumbers(draft(when, ...calls, ...fixed));
    assert.deepEqual(given, [
      body("+84 (91) 000-00-01", "call 091 0000001 or 091234560217"),
      body(910000002),
      body("0900000001"),
    ]);
    assert.deepEqual(
      then.map((each) => "call" in each && each.call),
      ["+84910000001", "0910000002", "0900000001", "0000000000", "0987654321", false],
    );
  });
});
