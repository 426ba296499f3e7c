import { deepStrictEqual } from "node:assert/strict";
import { OpenAnswer } from "../../../src/runtime/delivery/answers";

describe("a request of a webhook, while the flows do not run", () => {
  it("is not kept once it is answered", async () => {
    const told: number[] = [];
    const answer = new OpenAnswer("request", ({ status }) => told.push(status));
    const waiting = answer.untilRunning();
    answer.tell({ status: 503, body: { accepted: false } });
    await waiting;
    await answer.untilRunning();
    deepStrictEqual(told, [503]);
  });
});
