import { deepStrictEqual, match } from "node:assert/strict";
import { GOOD_PAYLOAD } from "../../interface/requests";
import { flowWith, load, play, type Reply, statusWith, withTenant } from "../../support/flow";

/** The test helper shows catalogue keys: what is checked is which sentence, in which colour and shape. */
describe("status of a call node", () => {
  const held = withTenant();
  const payload = GOOD_PAYLOAD["call-out"];

  const ENDS: readonly [title: string, reply: Reply, word: string, fill: string, shape: string][] = [
    ["an accepted call", {}, "status.accepted", "green", "dot"],
    ["an unknown outcome", { status: 500 }, "status.mayHaveBeenPlaced", "yellow", "dot"],
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
