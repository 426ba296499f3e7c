import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { NodeContext } from "node-red";
import { tenantOf } from "../../src/runtime/tenants";
import { withTenant } from "../nodes/flow";
import {
  clear,
  envelope,
  events,
  fail,
  flowOf,
  give,
  helper,
  load,
  nodeOf,
  pageOf,
  pass,
  redeploy,
  redeployTwice,
  seen,
  settle,
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
const CONTROL = { id: "k1", type: "telephony-control", tenant: "t1", wires: [[]] };
const KINDS = ["full", "flows", "nodes"] as const;

/** What a redeploy may meet half-done, and what must not happen: nothing twice, nothing lost. */
describe("a redeploy in the middle of", () => {
  const held = withTenant();
  beforeEach(clear);
  const flow = (tenant: Record<string, unknown>, ...nodes: Record<string, unknown>[]) =>
    structuredClone(flowOf({ url: held.tenant.url, ...tenant }, ...nodes));
  const dialled = () =>
    held.tenant.received.filter(({ method }) => method === "POST").map(({ body }) => Object(body)["to.number"]);
  const codes = () => seen.caught.map(({ error }) => error.code);
  const ends = () => seen.out.length + seen.caught.length;
  const warnings = () =>
    (helper.log().args.flat() as { level: number; msg: unknown }[])
      .filter(({ level }) => level === 30)
      .map(({ msg }) => String(msg));

  /** A tenant that answers nothing until it is told to. */
  function holding(): () => void {
    let release: () => void = () => {};
    const until = new Promise<void>((resolve) => {
      release = resolve;
    });
    held.tenant.answers(async () => {
      await until;
      return {};
    });
    return release;
  }
  async function pause(): Promise<void> {
    give({ payload: "pause" }, "k1");
    await settle(20);
  }

  describe("a call with a once key", () => {
    const once = { onceKey: "key", onceKeyType: "msg" };

    for (const [what, tenant] of [
      ["the same", {}],
      ["another setting", { timeout: 20 }],
    ] as const) {
      it(`keeps the key while it is under way and after, with ${what}`, async () => {
        const release = holding();
        await load(flow({}, callOut(once)));
        give({ payload: "1", key: "a" });
        await until(() => held.tenant.received.length === 1, "the first is under way");
        await redeploy(flow(tenant, callOut({ ...once, name: "changed" })));
        const refused = await fail({ payload: "2", key: "a" });
        deepStrictEqual([refused.code, refused.cause.first.outcome], ["ERR_DUPLICATE", "pending"]);
        release();
        await until(() => seen.out.length === 1, "the successor delivered it");
        strictEqual((await fail({ payload: "3", key: "a" })).cause.first.outcome, "applied");
        deepStrictEqual(dialled(), ["1"]);
      });
    }

    it("keeps the key of what waits, and gives it back when that is dropped", async () => {
      await load(flow({}, callOut(once), CONTROL));
      await pause();
      give({ payload: "1", key: "a" });
      await settle(20);
      await redeploy(flow({ timeout: 20 }, callOut(once), CONTROL));
      strictEqual((await fail({ payload: "2", key: "a" })).cause.first.outcome, "pending");
      clear();
      give({ payload: "drop" }, "k1");
      await until(() => codes().includes("ERR_DROPPED"), "dropped");
      give({ payload: "resume" }, "k1");
      await pass({ payload: "3", key: "a" });
      deepStrictEqual(dialled(), ["3"]);
    });

    it("finds its keys again after a trial in the sandbox, and after a deletion that is undone", async () => {
      await load(flow({}, callOut(once)));
      await pass({ payload: "1", key: "a" });
      await redeploy(flow({ mode: "sandbox" }, callOut(once)));
      await pass({ payload: "2", key: "a" });
      await redeploy(flow({}, callOut(once)));
      strictEqual((await fail({ payload: "3", key: "a" })).code, "ERR_DUPLICATE");
      await redeploy([{ id: "f1", type: "tab", label: "empty" }]);
      await redeploy(flow({}, callOut(once)));
      strictEqual((await fail({ payload: "4", key: "a" })).code, "ERR_DUPLICATE");
      deepStrictEqual(dialled(), ["1"]);
    });
  });

  describe("what waits", () => {
    it("in a pause keeps its notAfter", async () => {
      const node = callOut({ notAfter: "until", notAfterType: "msg" });
      await load(flow({}, node, CONTROL));
      await pause();
      give({ payload: "late", until: Date.now() + 100 });
      give({ payload: "in time", until: Date.now() + 3_600_000 });
      await settle(20);
      await redeploy(flow({ timeout: 20 }, node, CONTROL));
      await settle(150);
      give({ payload: "resume" }, "k1");
      await until(() => ends() === 2, "both ended");
      deepStrictEqual([codes(), dialled()], [["ERR_EXPIRED"], ["in time"]]);
    });

    for (const [what, tenant] of [
      ["in log mode", { mode: "log" }],
      ["in the sandbox", { mode: "sandbox" }],
      ["at another address", { path: "/other" }],
      ["with settings that are wrong", { rate: -1 }],
      ["nowhere, its tenant is deleted", undefined],
    ] as const) {
      it(`is not done ${what}`, async () => {
        await load(flow({}, callOut(), CONTROL));
        await pause();
        give({ payload: "1" });
        give({ payload: "2" });
        await settle(20);
        const url = `${held.tenant.url}${tenant && "path" in tenant ? tenant.path : ""}`;
        const next = flow({ ...tenant, url }, callOut(), CONTROL);
        await redeploy(tenant ? next : next.filter(({ id }) => id !== "t1"));
        await until(() => ends() === 2, "both ended");
        await settle(50);
        deepStrictEqual([codes(), seen.out.length], [["ERR_CONFIG", "ERR_CONFIG"], 0]);
        deepStrictEqual(held.tenant.received, []);
        ok(!helper.log().args.some(([entry]) => String(entry?.msg).includes("log.onlyLog")));
      });
    }

    it("is taken in whatever the successor's backlog, in its order, and no more than that", async () => {
      await load(flow({ concurrency: 1 }, callOut(), CONTROL));
      await pause();
      for (const payload of ["1", "2", "3"]) give({ payload });
      await settle(20);
      await redeploy(flow({ concurrency: 1, backlog: 2 }, callOut(), CONTROL));
      strictEqual((await fail({ payload: "4" })).code, "ERR_BACKLOG_FULL");
      give({ payload: "resume" }, "k1");
      await until(() => seen.out.length === 3, "all three went out");
      deepStrictEqual(dialled(), ["1", "2", "3"]);
    });

    it("dropped while no flow runs is told to the successor, once", async () => {
      await load(flow({}, callOut(), CONTROL));
      await pause();
      for (const payload of ["1", "2", "3"]) give({ payload });
      await settle(20);
      events().once("flows:stopping", () => setImmediate(() => tenantOf("t1")?.client.drop()));
      await redeploy(flow({}, callOut({ name: "changed" }), CONTROL));
      await until(() => ends() === 3, "all ended");
      await settle(50);
      deepStrictEqual([codes(), dialled()], [Array(3).fill("ERR_DROPPED"), []]);
    });

    for (const [what, tenant] of [
      ["the same", {}],
      ["another setting", { timeout: 20 }],
    ] as const) {
      it(`for a tenant in trouble ends once each, with ${what}`, async () => {
        let calls = 0;
        held.tenant.answers(({ method }) => {
          if (method === "GET") return { body: envelope(pageOf([], 1, 1)) };
          calls += 1;
          return calls === 1 ? { status: 429, body: {}, headers: { "retry-after": "1" } } : {};
        });
        const wait = { concurrency: 1, onTrouble: "wait" };
        await load(flow(wait, callOut()));
        for (const payload of ["1", "2", "3", "4"]) give({ payload });
        await until(() => seen.caught.length === 1, "the first met the trouble");
        await redeploy(flow({ ...wait, ...tenant }, callOut({ name: "changed" })));
        await until(() => ends() === 4, "all ended");
        await settle(50);
        deepStrictEqual([codes(), dialled()], [["ERR_RATE_LIMITED"], ["1", "2", "3", "4"]]);
      });
    }
  });

  describe("what is under way", () => {
    for (const kind of KINDS) {
      it(`hands on a frozen message, and one that a flow sent twice: ${kind}`, async () => {
        const release = holding();
        await load(flow({}, callOut()));
        const frozen = Object.freeze({ _msgid: "frozen", payload: "1" });
        const twice = { _msgid: "twice", payload: "2" };
        for (const message of [frozen, twice, twice]) give(message);
        await until(() => held.tenant.received.length === 3, "all are under way");
        await redeploy(flow({}, callOut({ name: "changed" })), kind);
        release();
        await until(() => ends() === 3, "the successor delivered them");
        await settle(50);
        deepStrictEqual(sorted(seen.out.map(({ _msgid }) => _msgid)), ["frozen", "twice", "twice"]);
        deepStrictEqual([sorted(dialled()), seen.completed.length], [["1", "2", "2"], 3]);
      });
    }

    it("hands on through hooks that take their time", async () => {
      const { hooks } = (helper as unknown as { _RED: { hooks: Hooks } })._RED;
      const release = holding();
      await load(flow({}, callOut()));
      const message = { _msgid: "twice", payload: "1" };
      for (let sent = 0; sent < 2; sent += 1) give(message);
      await until(() => held.tenant.received.length === 2, "both are under way");
      // Node-RED waits for the promise of a hook that takes its event.
      hooks.add("onReceive.slow", (_event) => sleep(20));
      try {
        // Both answers come while no node is there, and are handed on in one go.
        events().once("flows:stopping", release);
        await redeploy(flow({}, callOut({ name: "changed" })));
        await until(() => ends() === 2, "both were delivered");
        await settle(100);
        deepStrictEqual([seen.out.length, seen.caught.length, dialled().length], [2, 0, 2]);
      } finally {
        hooks.remove("onReceive.slow");
      }
    });

    it("survives two deploys in one turn", async () => {
      const release = holding();
      await load(flow({}, callOut()));
      for (const payload of ["1", "2", "3", "4", "5"]) give({ payload });
      await until(() => held.tenant.received.length === 5, "all are under way");
      const name = (round: string) => flow({}, callOut({ name: round }));
      await redeployTwice(name("first"), name("second"));
      release();
      await until(() => ends() === 5, "all were delivered");
      await settle(50);
      deepStrictEqual([seen.out.length, seen.completed.length, dialled().length], [5, 5, 5]);
      await pass({ payload: "6" });
    });

    it("in an instance of a subflow comes out of that instance", async () => {
      const instances = ["i1", "i2"];
      const subflow = (name: string) => [
        ...flow({}).filter(({ id }) => id !== "d1"),
        {
          id: "s1",
          type: "subflow",
          name,
          in: [{ x: 50, y: 30, wires: [{ id: "inner" }] }],
          out: [{ x: 300, y: 30, wires: [{ id: "inner", port: 0 }] }],
        },
        { ...callOut({ id: "inner", z: "s1", x: 100, y: 100, wires: [[]] }) },
        ...instances.map((id, index) => ({
          id,
          type: "subflow:s1",
          z: "f1",
          x: 100,
          y: 200 + index,
          wires: [[index === 0 ? "out" : "closed"]],
        })),
      ];
      const release = holding();
      await load(subflow("before"));
      for (const id of instances) give({ payload: id }, id);
      await until(() => held.tenant.received.length === 2, "both are under way");
      await redeploy(subflow("after"));
      release();
      await until(() => seen.out.length + seen.closed.length === 2, "both came out");
      await settle(50);
      deepStrictEqual(
        [seen.out.map(({ telephony }) => telephony.request["to.number"]), seen.closed.length, seen.caught.length],
        [["i1"], 1, 0],
      );
      deepStrictEqual(sorted(dialled()), instances);
    });

    it("of a node that was deleted and is back is told once", async () => {
      const release = holding();
      await load(flow({}, callOut()));
      give({ _msgid: "back", payload: "1" });
      await until(() => held.tenant.received.length === 1, "it is under way");
      await redeploy(flow({}));
      await redeploy(flow({}, callOut()));
      release();
      await until(() => ends() === 1, "the node that is back delivered it");
      await settle(50);
      deepStrictEqual([seen.out.length, dialled()], [1, ["1"]]);
      strictEqual(warnings().filter((text) => text.includes("log.undelivered")).length, 0);
    });
  });

  it("reading the fields of a message: a node that is deleted meanwhile places no call", async () => {
    await load(flow({}, callOut({ toNumberType: "flow" })));
    let answer: (error: null, value: string) => void = () => {};
    const get = (_key: string, _store: string | undefined, done: typeof answer) => {
      answer = done;
    };
    nodeOf("n1").context = () => ({ flow: { get } }) as unknown as NodeContext;
    give({ _msgid: "slow" });
    await settle();
    await redeploy(flow({}));
    answer(null, "1");
    await until(() => warnings().some((text) => text.includes("log.undelivered")), "the log tells of it");
    await settle(50);
    deepStrictEqual(dialled(), []);
  });
});

const sorted = (texts: readonly unknown[]) => texts.map(String).sort((one, next) => one.localeCompare(next));

interface Hooks {
  add(name: string, hook: (event: object) => Promise<unknown>): void;
  remove(name: string): void;
}
