import { deepStrictEqual, match } from "node:assert/strict";
import { notSent } from "../../../src/client";
import { failedStatus } from "../../../src/runtime/node-red/status";
import { GOOD_PAYLOAD } from "../../interface/requests";
import { flowWith, load, play, type Reply, statusWith, withTenant } from "../../support/flow";

/** The test helper shows catalogue keys: what is checked is which sentence, in which colour and shape. */
describe("status of a call node", () => {
  const held = withTenant();
  const payload = GOOD_PAYLOAD["call-out"];

  const ENDS: readonly [title: string, reply: Reply, word: string, fill: string, shape: string][] = [
    ["an accepted call", {}, "status.accepted", "green", "dot"],
    ["an unknown outcome", { status: 500 }, "status.mayHaveBeen.placed", "yellow", "dot"],
    ["a refused token", { status: 401 }, "status.ERR_AUTH", "red", "dot"],
    ["a refusal", { status: 422 }, "status.ERR_REJECTED", "red", "dot"],
    ["too many requests", { status: 429 }, "status.ERR_RATE_LIMITED", "red", "dot"],
  ];
  for (const [title, reply, word, fill, shape] of ENDS) {
    it(`shows ${title}`, async () => {
      held.tenant.answers(() => reply);
      await load(flowWith(held.tenant.url, { type: "call-out" }));
      const shown = statusWith(word);
      await play({ payload });
      const status = await shown;
      deepStrictEqual([status.fill, status.shape], [fill, shape]);
    });
  }

  /** What each node shows after an answer, and after one that was lost (docs/contract/status.md). */
  const WORDS: readonly [type: string, answered: string, lost: string][] = [
    ["call-out", "accepted", "mayHaveBeen.placed"],
    ["call-stop", "accepted", "mayHaveBeen.stopped"],
    ["call-transfer", "accepted", "mayHaveBeen.transferred"],
    ["call-add-user", "accepted", "mayHaveBeen.added"],
    ["business-hour-create", "accepted", "mayHaveBeen.created"],
    ["business-hour-delete", "accepted", "mayHaveBeen.deleted"],
    ["business-hour-get", "done", "ERR_SERVER"],
    ["business-hour-list", "done", "ERR_SERVER"],
  ];
  const DAYS = [{ day: "mon", open: "08:00", close: "17:00" }];
  for (const [type, answered, lost] of WORDS) {
    it(`speaks of what ${type} does`, async () => {
      const message = () => ({ payload: GOOD_PAYLOAD[type] ?? { id: "7", name: "Office", days: DAYS } });
      await load(flowWith(held.tenant.url, { type }));
      const done = statusWith(`status.${answered}`);
      await play(message());
      deepStrictEqual((await done).fill, "green");
      held.tenant.answers(() => ({ status: 500 }));
      const unknown = statusWith(`status.${lost}`);
      await play(message());
      deepStrictEqual((await unknown).fill, lost.startsWith("ERR") ? "red" : "yellow");
    });
  }

  it("shows a duplicate in grey: nothing is wrong", async () => {
    await load(flowWith(held.tenant.url, { type: "call-out", onceKey: "once" }));
    const shown = statusWith("status.ERR_DUPLICATE");
    await play({ payload });
    await play({ payload });
    const { fill, shape } = await shown;
    deepStrictEqual([fill, shape, held.tenant.received.length], ["grey", "dot", 1]);
  });

  it("shows in red that the backlog does not take the call", () => {
    const problem = notSent("ERR_ENGINE", "queue", { retryable: true, params: { reason: "ENOSPC" } });
    const { fill, shape, key } = failedStatus(problem, "placed");
    deepStrictEqual([fill, shape, key], ["red", "dot", "noBacklog"]);
  });

  it("shows an invalid field", async () => {
    await load(flowWith(held.tenant.url, { type: "call-out" }));
    const shown = statusWith("status.ERR_INPUT");
    await play({ payload: 5 });
    deepStrictEqual((await shown).fill, "red");
  });

  it("shows that a tenant cannot be reached", async () => {
    await load(flowWith(held.tenant.url.replace("http:", "https:"), { type: "call-out" }));
    const shown = statusWith("status.ERR_TLS");
    await play({ payload });
    const { fill, shape } = await shown;
    deepStrictEqual([fill, shape], ["red", "ring"]);
  });

  it("counts waiting messages and shows those in flight", async () => {
    let release: () => void = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    held.tenant.answers(async () => {
      await released;
      return {};
    });
    await load(flowWith(held.tenant.url, { type: "call-out" }, { concurrency: 1 }));
    const sending = statusWith("status.sending");
    const waiting = statusWith("status.waiting");
    const played = play({ payload }, { payload });
    const [first, second] = [await sending, await waiting];
    release();
    await played;
    deepStrictEqual([first.fill, first.shape, second.fill, second.shape], ["blue", "dot", "blue", "ring"]);
  });

  for (const [mode, word] of [
    ["sandbox", "status.mode.sandbox"],
    ["log", "status.mode.log"],
  ] as const) {
    it(`begins with the mode and rests on yellow in ${mode} mode`, async () => {
      await load(flowWith(held.tenant.url, { type: "call-out" }, { mode }));
      const shown = statusWith("status.accepted");
      const { outs } = await play({ payload });
      const { fill, shape, text = "" } = await shown;
      deepStrictEqual(
        [fill, shape, outs[0]?.["telephony"].mode, held.tenant.received.length],
        ["yellow", "ring", mode, 0],
      );
      match(text, new RegExp(`${word.replaceAll(".", "\\.")}.*status\\.accepted`));
    });
  }
});
