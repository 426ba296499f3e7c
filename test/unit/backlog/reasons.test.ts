import assert from "node:assert/strict";
import { Call, type Hold, move, type Reason, whyWaits } from "../../../src/backlog/call";

const NOTHING: Hold = { paused: false, isClockUnsure: false, isOpen: true, inTrouble: "none" };
const EVERYTHING: Hold = { paused: true, isClockUnsure: true, isOpen: false, inTrouble: "all" };

/** docs/contract/control.md, docs/contract/tenant.md: what holds a call, and who is exempt. */
describe("why a call waits", () => {
  const queued = (more: object = {}, isRestored = false) => {
    const call = new Call(undefined, { id: "1", nodeId: "n", size: 1, content: null, ...more }, isRestored);
    move(call, "queued", { moved() {} });
    return call;
  };
  const isWhy = (call: Call, hold: Partial<Hold>, reason: Reason) =>
    assert.equal(whyWaits(call, { ...NOTHING, ...hold }), reason);

  it("is the first reason that applies", () => {
    const heldBack = new Call(undefined, { id: "1", nodeId: "n", size: 1, content: null, notBefore: 1 });
    move(heldBack, "heldBack", { moved() {} });
    isWhy(heldBack, EVERYTHING, "held-back");
    isWhy(queued({ notBefore: 1 }), EVERYTHING, "date");
    isWhy(queued({}, true), EVERYTHING, "clock");
    isWhy(queued(), EVERYTHING, "pause");
    isWhy(queued(), { isOpen: false, inTrouble: "all" }, "hours");
    isWhy(queued(), { inTrouble: "all" }, "trouble");
    isWhy(queued(), {}, "turn");
  });

  it("exempts urgent calls from a pause, calls at any time from the hours, and from trouble those that do not wait for it", () => {
    isWhy(queued({ urgent: true }), { paused: true }, "turn");
    isWhy(queued({ anytime: true }), { isOpen: false }, "turn");
    isWhy(queued(), { inTrouble: "patient" }, "turn");
    isWhy(queued({ alarm: true }), { inTrouble: "patient" }, "trouble");
    isWhy(queued({ list: "l" }), { inTrouble: "patient" }, "trouble");
    isWhy(queued({}, true), { inTrouble: "patient" }, "trouble");
    isWhy(queued(), { isClockUnsure: true }, "turn");
  });
});
