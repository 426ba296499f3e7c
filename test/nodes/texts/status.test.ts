import { deepStrictEqual, match } from "node:assert/strict";
import type { NodeStatus } from "node-red";
import { notSent } from "../../../src/client";
import { failedStatus } from "../../../src/runtime/node-red/status";
import { GOOD_PAYLOAD } from "../../interface/requests";
import { flowWith, load, play, statusesOf, until, withTenant } from "../../support/stage";

/** The test helper shows catalogue keys: what is checked is which sentence, in which colour and shape. */
describe("status of a call node", () => {
  const held = withTenant();
  const payload = GOOD_PAYLOAD["call-out"];
  /** Waits for a status whose text contains a word. */
  const statusWith = (word: string) => {
    const statuses = statusesOf("n1");
    const found = () => statuses.find(({ text }) => text?.includes(word)) ?? {};
    return async (): Promise<NodeStatus> => {
      await until(() => found().text !== undefined, word);
      return found();
    };
  };

  it("shows a duplicate in grey: nothing is wrong", async () => {
    await load(flowWith(held.tenant.url, { type: "call-out", onceKey: "once" }));
    const shown = statusWith("ERR_DUPLICATE");
    await play({ payload });
    await play({ payload });
    const { fill, shape } = await shown();
    deepStrictEqual([fill, shape, held.tenant.received.length], ["grey", "dot", 1]);
  });

  it("shows in red that the backlog does not take the call, or the disk a blocked number", () => {
    const failed = (key: "ERR_ENGINE" | "optOutsFail") => {
      const { fill, shape, key: word } = failedStatus(notSent("ERR_ENGINE", "queue", { key }), "placed");
      return [fill, shape, word];
    };
    deepStrictEqual(failed("ERR_ENGINE"), ["red", "dot", "noBacklog"]);
    deepStrictEqual(failed("optOutsFail"), ["red", "dot", "noStorage"]);
  });

  it("shows an invalid field", async () => {
    await load(flowWith(held.tenant.url, { type: "call-out" }));
    const shown = statusWith("ERR_INPUT");
    await play({ payload: 5 });
    deepStrictEqual((await shown()).fill, "red");
  });

  it("counts waiting messages and shows those in flight", async () => {
    const release = held.tenant.hold();
    await load(flowWith(held.tenant.url, { type: "call-out" }, { concurrency: 1 }));
    const [sending, waiting] = [statusWith("sending"), statusWith("waiting")];
    const one = play({ payload });
    const first = await sending();
    const other = play({ payload });
    const second = await waiting();
    release();
    await Promise.all([one, other]);
    deepStrictEqual([first.fill, first.shape, second.fill, second.shape], ["blue", "dot", "blue", "ring"]);
  });

  for (const [mode, word] of [
    ["sandbox", "mode.sandbox"],
    ["log", "mode.log"],
  ] as const) {
    it(`begins with the mode and rests on yellow in ${mode} mode`, async () => {
      await load(flowWith(held.tenant.url, { type: "call-out" }, { mode }));
      const shown = statusWith("accepted");
      const { out } = await play({ payload });
      const { fill, shape, text = "" } = await shown();
      deepStrictEqual(
        [fill, shape, out[0]?.["telephony"].mode, held.tenant.received.length],
        ["yellow", "ring", mode, 0],
      );
      match(text, new RegExp(`^${word}.*accepted`));
    });
  }
});
