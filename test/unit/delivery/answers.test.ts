import assert from "node:assert/strict";
import type { NodeAPI } from "node-red";
import type { Reason } from "../../../src/backlog";
import { Call, move } from "../../../src/backlog/call";
import { notSent, type TenantClient } from "../../../src/client";
import { answerOf, type HttpAnswer, OpenAnswer } from "../../../src/runtime/delivery/answers";
import { notBegun } from "../../../src/runtime/delivery/failure";
import { Pending } from "../../../src/runtime/delivery/pending";
import { callOut } from "../client/subject";

describe("the answer to a webhook whose call waits", () => {
  /** Returns what is told at once; `undefined`: nothing yet. */
  const told = (reason: Reason): HttpAnswer | undefined => {
    let answer: HttpAnswer | undefined;
    const open = new OpenAnswer("one", (given) => (answer = given));
    const backlog = { whyWaits: () => reason };
    const ask = (question: (of: typeof backlog) => unknown) => question(backlog);
    open.follow(callOut("1"), { ask, lanes: {} } as unknown as TenantClient);
    move(new Call(), "queued", open);
    open.forget();
    return answer;
  };

  it("names its reason, but not its turn", () => {
    for (const reason of ["pause", "hours", "trouble"] as const) assert.equal(told(reason)?.body["waitsFor"], reason);
    for (const reason of ["turn", "clock"] as const) assert.equal(told(reason), undefined);
  });

  it("is told as what it is if it is 503, also for one of several", () => {
    const told: HttpAnswer[] = [];
    new OpenAnswer("parts", (answer) => told.push(answer));
    const message = { _msgid: "1", webhook: { id: "parts" }, parts: { count: 3 } };
    const RED = { _: (key: string) => key } as unknown as NodeAPI;
    answerOf(message)?.settle(RED, notBegun(notSent("ERR_BACKLOG_FULL", "queue", { retryable: true })));
    assert.deepEqual([told[0]?.status, told[0]?.body["code"]], [503, "ERR_BACKLOG_FULL"]);
  });

  it("is not told at a stop that nothing was done while another call of its message may be", () => {
    const statuses: number[] = [];
    const open = new OpenAnswer("several", ({ status }) => statuses.push(status));
    const message = { _msgid: "1", webhook: { id: "several" } };
    const [inFlight, waiting] = [0, 1].map(() => new Pending(message, "call-out", "live", "orphan"));
    Object.assign(inFlight ?? {}, { recorded: { entry: "1", outcome: "unknown", isOpen: true } });
    Object.assign(waiting ?? {}, { recorded: { entry: "2", outcome: "not-applied", isOpen: false } });
    open.stop(false);
    assert.deepEqual(statuses, []);
    Object.assign(inFlight ?? {}, { recorded: { entry: "1", outcome: "applied", isOpen: false } });
    open.stop(false);
    assert.deepEqual(statuses, [200]);
  });
});
