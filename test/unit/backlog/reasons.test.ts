import assert from "node:assert/strict";
import { Call, move } from "../../../src/backlog/call";
import { type Hold, holdsIn, type Reason, untilOf, whyWaits } from "../../../src/backlog/reasons";

const OPENS_AT = "2026-11-23T08:00:00+00:00";
const ENDS = { opensAt: OPENS_AT, heldUntil: 5 };
const EVERYTHING: Hold = { paused: true, isClockUnsure: true, isClosed: true, inTrouble: "all", ...ENDS };

/** docs/contract/control.md, docs/contract/tenant.md: what holds a call, and who is exempt. */
describe("why a call waits", () => {
  const queued = (more: object = {}, isRestored = false) => {
    const call = new Call(undefined, { id: "1", nodeId: "n", size: 1, content: null, ...more }, isRestored);
    move(call, "queued", { moved() {} });
    return call;
  };
  const isWhy = (call: Call, hold: Hold, reason: Reason) => assert.equal(whyWaits(call, hold), reason);

  it("is the first reason that applies", () => {
    const heldBack = new Call(undefined, { id: "1", nodeId: "n", size: 1, content: null, notBefore: 1 });
    move(heldBack, "heldBack", { moved() {} });
    isWhy(heldBack, EVERYTHING, "held-back");
    isWhy(queued({ notBefore: 1 }), EVERYTHING, "date");
    isWhy(queued({}, true), EVERYTHING, "clock");
    isWhy(queued(), EVERYTHING, "pause");
    isWhy(queued(), { isClosed: true, inTrouble: "all" }, "hours");
    isWhy(queued(), { inTrouble: "all" }, "trouble");
    isWhy(queued(), {}, "turn");
  });

  it("exempts urgent calls from a pause, calls at any time from the hours, and from trouble those that do not wait for it", () => {
    isWhy(queued({ urgent: true }), { paused: true }, "turn");
    isWhy(queued({ anytime: true }), { isClosed: true }, "turn");
    isWhy(queued(), { inTrouble: "patient" }, "turn");
    isWhy(queued({ alarm: true }), { inTrouble: "patient" }, "trouble");
    isWhy(queued({ list: "l" }), { inTrouble: "patient" }, "trouble");
    isWhy(queued({}, true), { inTrouble: "patient" }, "trouble");
    isWhy(queued(), { isClockUnsure: true }, "turn");
  });

  it("is trouble, too, if the service has refused the call", () => {
    const refused = queued();
    refused.refusal = { count: 1, firstAt: 0, retryAt: 1 };
    isWhy(refused, {}, "trouble");
    refused.refusal = { count: 1, firstAt: 0, retryAt: -Infinity };
    isWhy(refused, {}, "turn");
  });

  it("ends with the date of the call, the next opening, or the next try", () => {
    const ends = (["held-back", "date", "clock", "pause", "hours", "trouble", "turn"] as const).map((reason) =>
      untilOf(reason, EVERYTHING, queued({ notBefore: 1 })),
    );
    assert.deepEqual(ends, [undefined, 1, undefined, undefined, OPENS_AT, 5, undefined]);
    assert.equal(untilOf("hours", { isClosed: true, opensAt: null }), undefined);
  });

  it("may be that of all calls of a tenant, but for those that are exempt", () => {
    const all = [
      ["pause", undefined],
      ["hours", OPENS_AT],
      ["trouble", 5],
    ] as const;
    const of = (...more: [exempt?: object]) => [...holdsIn(EVERYTHING, ...more)];
    assert.deepEqual([of(), of({ urgent: true }), of({ anytime: true })], [all, all.slice(1), [all[0], all[2]]]);
    assert.equal(holdsIn(ENDS).size, 0);
  });
});
