import { deepStrictEqual, match } from "node:assert/strict";
import { notSent } from "../../../src/client";
import { failedStatus } from "../../../src/runtime/node-red/status";
import { GOOD_PAYLOAD } from "../../interface/requests";
import { flowWith, load, play, statusWith, withTenant } from "../../support/flow";

/** The test helper shows catalogue keys: what is checked is which sentence, in which colour and shape. */
describe("status of a call node", () => {
  const held = withTenant();
  const payload = GOOD_PAYLOAD["call-out"];

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
