import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { ACCEPTED, withTenant } from "../nodes/flow";
import {
  clear,
  envelope,
  fail,
  flowOf,
  give,
  load,
  pageOf,
  pass,
  queryOf,
  redeploy,
  seen,
  settle,
  statusesOf,
  until,
} from "./stage";

const callOut = (more: Record<string, unknown> = {}) => ({
  id: "n1",
  type: "call-out",
  tenant: "t1",
  fromNumber: "0000000001",
  fromNumberType: "str",
  toNumber: "payload",
  toNumberType: "msg",
  answerUrl: "https://example.com/answer",
  answerUrlType: "str",
  wires: [["out"]],
  ...more,
});
const callStop = { id: "n2", type: "call-stop", tenant: "t1", wires: [["out"]] };
const control = (more: Record<string, unknown> = {}) => ({
  id: "k1",
  type: "telephony-control",
  tenant: "t1",
  wires: [["out"]],
  ...more,
});
const NOTHING = { paused: false, waiting: { callOut: 0, other: 0 }, underWay: 0, dropped: 0 };

describe("telephony-control, lanes and trouble in a flow", () => {
  const held = withTenant();
  beforeEach(clear);
  const flow = (tenant: Record<string, unknown>, ...nodes: Record<string, unknown>[]) =>
    flowOf({ url: held.tenant.url, ...tenant }, ...nodes);
  const all = (tenant: Record<string, unknown> = {}) => flow(tenant, callOut(), callStop, control());
  const command = async (payload: unknown) => (await pass({ payload }, "k1")).payload;
  const paths = () => held.tenant.received.map(({ url }) => url.replace("/api/v1/call/", ""));
  const dialled = () =>
    held.tenant.received
      .filter(({ url }) => url.endsWith("call-out"))
      .map(({ body }) => (body as Record<string, unknown>)["to.number"]);

  /** A tenant that answers nothing until it is told to. */
  function holding(): () => void {
    let release: () => void = () => {};
    const held2 = new Promise<void>((resolve) => {
      release = resolve;
    });
    held.tenant.answers(async () => {
      await held2;
      return {};
    });
    return release;
  }

  describe("commands", () => {
    it("count tells and changes nothing; the rest of the message stays", async () => {
      await load(all());
      const out = await pass({ _msgid: "m", payload: "count", topic: "t" }, "k1");
      deepStrictEqual(out, { _msgid: "m", payload: NOTHING, topic: "t" });
      strictEqual(seen.completed.length, 1);
    });

    it("pause holds call-out only, resume lets it go on", async () => {
      await load(all());
      deepStrictEqual(await command("pause"), { ...NOTHING, paused: true });
      const statuses = statusesOf("n1");
      for (let index = 0; index < 5; index += 1) give({ payload: String(index) });
      give({ payload: { callId: "c" } }, "n2");
      await until(() => held.tenant.received.length === 1, "the stop went out");
      await settle(20);
      deepStrictEqual(paths(), ["stop-a-call"]);
      deepStrictEqual(await command("count"), { ...NOTHING, paused: true, waiting: { callOut: 5, other: 0 } });
      await until(() => statuses.at(-1)?.text === "paused", "paused under the node");
      deepStrictEqual([statuses.at(-1)?.fill, statuses.at(-1)?.shape], ["grey", "ring"]);
      strictEqual((await command("resume")).paused, false);
      await until(() => dialled().length === 5, "the calls went out");
      deepStrictEqual(new Set(dialled()), new Set(["0", "1", "2", "3", "4"]));
    });

    it("drop fails what waits, in both lanes, with ERR_DROPPED", async () => {
      const release = holding();
      await load(all({ concurrency: 1 }));
      for (let index = 0; index < 3; index += 1) give({ payload: String(index) });
      give({ payload: { callId: "c" } }, "n2");
      await until(() => held.tenant.received.length === 1, "one is under way");
      deepStrictEqual(await command("count"), { ...NOTHING, waiting: { callOut: 2, other: 1 }, underWay: 1 });
      clear();
      give({ payload: "drop" }, "k1");
      await until(() => seen.caught.length === 3 && seen.out.length === 1, "three failed");
      deepStrictEqual(seen.out[0]?.payload, { ...NOTHING, underWay: 1, dropped: 3 });
      for (const { error } of seen.caught) {
        deepStrictEqual(
          [error.code, error.cause.outcome, error.cause.retryable, error.cause.sent, error.cause.phase],
          ["ERR_DROPPED", "not-applied", true, "no", "queue"],
        );
      }
      release();
      await until(() => seen.out.length === 2, "what was under way ended");
      strictEqual(held.tenant.received.length, 1);
    });

    it("a fixed command beats the payload", async () => {
      await load(flow({}, control({ command: "pause" })));
      strictEqual((await command("resume")).paused, true);
      strictEqual((await command({ any: 1 })).paused, true);
    });

    for (const bad of ["stop", "", undefined, null, 1, {}, ["pause"], "PAUSE"]) {
      it(`${JSON.stringify(bad)} is ERR_INPUT`, async () => {
        await load(flow({}, control()));
        const { code, cause } = await fail({ payload: bad }, "k1");
        deepStrictEqual([code, cause.action, cause.outcome], ["ERR_INPUT", "telephony-control", "not-applied"]);
      });
    }

    for (const [mode, prefix] of [
      ["live", ""],
      ["sandbox", "mode.sandbox: "],
      ["log", "mode.log: "],
    ] as const) {
      it(`shows what waits as the ${mode} tenant's other nodes do`, async () => {
        await load(flow({ mode }, control()));
        const statuses = statusesOf("k1");
        await command("count");
        await until(() => statuses.some(({ fill }) => fill === "blue"), "what waits");
        await command("pause");
        await until(() => statuses.some(({ fill }) => fill === "grey"), "the pause");
        deepStrictEqual(statuses.slice(-2), [
          { fill: "blue", shape: "ring", text: `${prefix}waiting` },
          { fill: "grey", shape: "ring", text: `${prefix}paused, waiting` },
        ]);
        await command("resume");
      });
    }

    it("needs a tenant that can be used, and shows so at deploy", async () => {
      await load(flowOf({ url: "http://example.com" }, control(), control({ id: "k2", tenant: "" })));
      const statuses = [statusesOf("k1"), statusesOf("k2")];
      await until(() => statuses.every((list) => list.some(({ fill }) => fill === "red")), "red at deploy");
      strictEqual((await fail({ payload: "count" }, "k1")).code, "ERR_CONFIG");
      strictEqual((await fail({ payload: "count" }, "k2")).code, "ERR_CONFIG");
    });

    it("works on its own tenant only", async () => {
      await load([
        ...flow({}, control(), control({ id: "k2", tenant: "t2" })),
        { id: "t2", type: "telephony-tenant", name: "", url: `${held.tenant.url}/other` },
      ]);
      await command("pause");
      strictEqual((await pass({ payload: "count" }, "k2")).payload.paused, false);
    });
  });

  describe("redeploys", () => {
    it("keep a pause, and what waits", async () => {
      await load(all());
      await command("pause");
      give({ payload: "7" });
      await settle(20);
      await redeploy(all());
      const { paused, waiting } = await command("count");
      deepStrictEqual([paused, waiting.callOut], [true, 1]);
      give({ payload: "8" });
      await settle(20);
      deepStrictEqual(dialled(), []);
      await command("resume");
      await until(() => dialled().length === 2, "both calls went out");
      deepStrictEqual(new Set(dialled()), new Set(["7", "8"]));
      await until(() => seen.out.filter(({ statusCode }) => statusCode === 200).length === 2, "both were delivered");
    });

    it("keep a pause when another setting of the tenant changed", async () => {
      await load(all());
      await command("pause");
      await redeploy(all({ timeout: 20 }));
      strictEqual((await command("count")).paused, true);
    });
  });

  describe("lanes", () => {
    it("a transfer of a live call does not stand behind a campaign", async () => {
      const release = holding();
      await load(all({ concurrency: 4 }));
      for (let index = 0; index < 20; index += 1) give({ payload: String(index) });
      await until(() => held.tenant.received.length === 3, "three call-outs under way");
      give({ payload: { callId: "c" } }, "n2");
      await until(() => held.tenant.received.length === 4, "the place kept for others");
      deepStrictEqual(paths()[3], "stop-a-call");
      await settle(20);
      strictEqual(held.tenant.received.length, 4);
      release();
      await until(() => seen.out.length === 21, "all ended");
    });

    it("first in, first out", async () => {
      await load(all({ concurrency: 1 }));
      const numbers = Array.from({ length: 30 }, (_, index) => String(index));
      for (const payload of numbers) give({ payload });
      await until(() => seen.out.length === 30, "all ended");
      deepStrictEqual(dialled(), numbers);
    });

    it("a full backlog refuses at once", async () => {
      const release = holding();
      await load(all({ concurrency: 1, backlog: 2 }));
      for (let index = 0; index < 5; index += 1) give({ payload: String(index) });
      await until(() => seen.caught.length === 2, "two were refused");
      for (const { error } of seen.caught) {
        deepStrictEqual(
          [error.code, error.cause.outcome, error.cause.retryable, error.cause.sent],
          ["ERR_BACKLOG_FULL", "not-applied", true, "no"],
        );
      }
      deepStrictEqual(new Set(seen.caught.map(({ payload }) => payload)), new Set(["3", "4"]));
      release();
      await until(() => seen.out.length === 3, "the others went out");
    });

    it("a backlog of 0 lets through what can start at once", async () => {
      await load(all({ backlog: "0" }));
      await pass({ payload: "1" });
      deepStrictEqual(dialled(), ["1"]);
    });

    it("the rate spaces call-outs", async () => {
      await load(all({ rate: 20 }));
      const begun = Date.now();
      for (let index = 0; index < 10; index += 1) give({ payload: String(index) });
      await until(() => seen.out.length === 10, "all ended");
      const took = Date.now() - begun;
      ok(took >= 440, `nine pauses of 50 ms: ${took}`);
    });
  });

  describe('onTrouble "wait"', () => {
    const probes = () => held.tenant.received.filter(({ method }) => method === "GET");

    it("holds what waits after a 429, asks once the tenant said so, and goes on", async () => {
      let calls = 0;
      held.tenant.answers(({ method }) => {
        if (method === "GET") return { body: envelope(pageOf([], 1, 1)) };
        calls += 1;
        return calls === 1 ? { status: 429, body: {}, headers: { "retry-after": "2" } } : { body: ACCEPTED };
      });
      await load(all({ concurrency: 1, onTrouble: "wait" }));
      for (let index = 0; index < 4; index += 1) give({ payload: String(index) });
      await until(() => seen.caught.length === 1, "the message that met the trouble failed");
      const { code, cause } = seen.caught[0]?.["error"] ?? {};
      deepStrictEqual(
        [code, cause.outcome, cause.retryable, cause.retryAfterMs],
        ["ERR_RATE_LIMITED", "rejected", true, 2000],
      );
      await settle(300);
      deepStrictEqual([held.tenant.received.length, (await command("count")).waiting.callOut], [1, 3]);
      await until(() => dialled().length === 4, "the rest went out", 5000);
      deepStrictEqual(
        probes().map(({ url }) => url),
        ["/api/v1/setting/business-hour?limit=1"],
      );
      strictEqual(
        held.tenant.received.findIndex(({ method }) => method === "GET"),
        1,
        "asked before anything else went out",
      );
      deepStrictEqual(probes().map(queryOf), [{ limit: "1" }]);
    });

    it("holds after three refused tokens in a row, until the probe is no 401", async () => {
      let refusing = true;
      held.tenant.answers(() => (refusing ? { status: 401, body: {} } : { body: ACCEPTED }));
      await load(all({ concurrency: 1, onTrouble: "wait" }));
      for (let index = 0; index < 6; index += 1) give({ payload: String(index) });
      await until(() => probes().length >= 1, "the tenant was asked");
      await settle(50);
      deepStrictEqual([seen.caught.length, dialled().length], [3, 3]);
      refusing = false;
      await until(() => dialled().length === 6, "the rest went out", 8000);
      strictEqual(seen.caught.length, 3);
    });

    it("is not the default", async () => {
      held.tenant.answers(() => ({ status: 401, body: {} }));
      await load(all({ concurrency: 1 }));
      for (let index = 0; index < 6; index += 1) give({ payload: String(index) });
      await until(() => seen.caught.length === 6, "each failed");
      strictEqual(probes().length, 0);
    });
  });
});
