import assert from "node:assert/strict";
import { digitsIn, plainText, toDialable } from "../../../src/fields/kinds/phone-number";
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

  for (const phone of [
    "\uff10\uff19\uff11\uff12\uff13\uff14\uff15\uff16\uff10\uff12",
    "0912\u00a0345\u00a0602",
    "0912\u2013345\u2013602",
    "+84 91 234 5602 ext 12",
    "\u{1d7ce}\u{1d7d7}12345602",
    "\u202a0912\u200b345602",
  ])
    it(`has another number in place of ${JSON.stringify(phone)}`, () => {
      const test = draft([body(phone, `call ${phone}`)], call("09:00", toDialable(phone, "toNumber"), phone));
      const { when, then } = withoutNumbers(test);
      for (const part of [when, then]) assert.doesNotMatch(digitsIn(plainText(JSON.stringify(part))), /2345602/);
      assert.match(digitsIn(plainText(JSON.stringify(then))), /0000001/);
    });

  it("keeps the zeros of a number that has no more digits than those which are replaced, and names of properties", () => {
    const when = [{ at: "+0s", post: "/orders", body: { phone: 5551234, "2125551234": [true, null] } }];
    const { when: given, then } = withoutNumbers(draft(when, call("09:00", "2125551234")));
    assert.deepEqual(given, [{ ...when[0], body: { phone: "0000001", "2120000001": [true, null] } }]);
    assert.deepEqual(then, [{ call: "2120000001" }, { nobodyElse: true }]);
  });
});
