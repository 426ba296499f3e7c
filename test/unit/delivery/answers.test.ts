import assert from "node:assert/strict";
import type { TenantClient } from "../../../src/client";
import { type HttpAnswer, OpenAnswer } from "../../../src/runtime/delivery/answers";
import { callOut } from "../client/subject";

describe("the answer to a webhook whose call waits", () => {
  /** What is told at once; `undefined`: nothing yet. */
  const told = (lanes: object, urgent?: true): HttpAnswer | undefined => {
    let answer: HttpAnswer | undefined;
    const open = new OpenAnswer("one", (given) => (answer = given));
    open.follow(callOut("1", { ...(urgent && { urgent }) }), { lanes: lanes as TenantClient["lanes"] });
    open.move("waiting");
    open.forget();
    return answer;
  };

  it("names a pause, which does not hold an urgent call", () => {
    assert.equal(told({ paused: true })?.body["waitsFor"], "pause");
    assert.equal(told({ paused: true }, true), undefined);
    assert.equal(told({ paused: true, heldUntil: 1 }, true)?.body["waitsFor"], "trouble");
  });
});
