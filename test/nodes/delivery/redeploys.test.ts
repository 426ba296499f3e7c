import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import type { NodeContext } from "node-red";
import { sandboxOf } from "../../../src/runtime/tenants/sandboxes";
import { tenantOf } from "../../../src/runtime/tenants/tenants";
import { hour, serving } from "../../support/business-hours";
import { putClockAhead } from "../../support/clocks";
import {
  clear,
  events,
  type Flow,
  fail,
  give,
  helper,
  load,
  nodeOf,
  pass,
  redeploy,
  redeployTwice,
  seen,
  settle,
  statusesOfNext,
  until,
  warnings,
} from "../../support/stage";
import { CONTROL, callOut, callsOfTenant } from "../schedules/requests";

const HOUR = 3_600_000;

/** How a deploy finds the calls, what it changes, and what becomes of them. */
interface Row {
  readonly what: string;
  readonly deploy: (url: string) => Promise<void>;
  /** The end of each call; `applied` ones came out. */
  readonly ends: readonly string[];
  /** What the service was asked to call. */
  readonly dialled: readonly string[];
}

const sorted = (texts: readonly unknown[]) => texts.map(String).sort((one, other) => one.localeCompare(other));

/** States that a redeploy may interrupt. In each, no message may be sent twice or lost. */
describe("a redeploy", () => {
  const { held, flow, dialled } = callsOfTenant();
  const ends = () => [...seen.out.map(() => "applied"), ...seen.caught.map(({ error }) => error.code)];
  const ended = async (count: number) => {
    await until(() => ends().length >= count, `${count} messages ended`);
    await settle(50);
  };
  const next = (tenant: object, ...nodes: Record<string, unknown>[]) =>
    flow({ ...tenant }, callOut({ name: "changed" }), CONTROL, ...nodes);
  const without = (id: string): Flow => next({}).filter((node) => node["id"] !== id);

  describe("while calls are in flight", () => {
    const ALL = ["applied", "applied", "applied"];
    const rows: readonly Row[] = [
      ...(["full", "flows", "nodes"] as const).map((kind) => ({
        what: `of kind ${kind}: the successor delivers them`,
        deploy: () => redeploy(next({}), kind),
        ends: ALL,
        dialled: ["1", "2", "2"],
      })),
      {
        what: "twice in one turn of the event loop: the last successor delivers them",
        deploy: () => redeployTwice(next({ name: "first" }), next({ name: "second" })),
        ends: ALL,
        dialled: ["1", "2", "2"],
      },
      {
        what: "that deletes the node, and one that restores it: it delivers them",
        deploy: async () => {
          await redeploy(without("n1"));
          await redeploy(next({}));
        },
        ends: ALL,
        dialled: ["1", "2", "2"],
      },
    ];
    for (const { what, deploy, ...expected } of rows)
      it(what, async () => {
        const release = held.tenant.hold();
        await load(flow({}, callOut(), CONTROL));
        // A message that takes no property, and one that the flow sent twice.
        const twice = { _msgid: "twice", payload: "2" };
        for (const message of [Object.freeze({ _msgid: "frozen", payload: "1" }), twice, twice]) give(message);
        await until(() => held.tenant.received.length === 3, "all are in flight");
        await deploy(held.tenant.url);
        release();
        await ended(3);
        deepStrictEqual({ ends: ends(), dialled: sorted(dialled()) }, expected);
        deepStrictEqual(sorted(seen.out.map(({ _msgid }) => _msgid)), ["frozen", "twice", "twice"]);
        strictEqual(seen.completed.length, 3);
        strictEqual(warnings().filter((text) => text.includes("log.undelivered")).length, 0);
      });

    it("in an instance of a subflow: they come out of that instance", async () => {
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
        ...["out", "closed"].map((output, index) => ({
          ...{ id: `i${index}`, type: "subflow:s1", z: "f1", x: 100, y: 200 + index, wires: [[output]] },
        })),
      ];
      const release = held.tenant.hold();
      await load(subflow("before"));
      for (const index of [0, 1]) give({ payload: String(index) }, `i${index}`);
      await until(() => held.tenant.received.length === 2, "both are in flight");
      await redeploy(subflow("after"));
      release();
      await until(() => seen.out.length + seen.closed.length === 2, "both came out");
      await settle(50);
      deepStrictEqual(
        [seen.out.map(({ telephony }) => telephony.request["to.number"]), seen.closed.length, seen.caught.length],
        [["0"], 1, 0],
      );
      deepStrictEqual(sorted(dialled()), ["0", "1"]);
    });

    for (const [before, after, sent] of [
      ["page", "each", 1],
      ["each", "page", 0],
    ] as const)
      it(`that makes the output of a list "${after}" instead of "${before}": its result is reported`, async () => {
        const list = (output: string) => ({
          id: "n1",
          type: "business-hour-list",
          tenant: "t1",
          output,
          wires: [["out"]],
        });
        const release = held.tenant.hold(serving(() => [hour(1, "Office"), hour(2, "Night")]));
        await load(flow({}, list(before)));
        give({ payload: {} });
        await until(() => held.tenant.received.length === 1, "it is in flight");
        await redeploy(flow({}, list(after)));
        release();
        await ended(1);
        deepStrictEqual([seen.out.length, seen.caught.length], [sent, 1 - sent]);
      });

    /** What a node says of a request follows the mode in which it was made. */
    for (const [from, to] of [
      ["sandbox", "live"],
      ["sandbox", "log"],
      ["live", "sandbox"],
    ])
      it(`from ${from} to ${to} mode: the call is ${from === "live" ? "not " : ""}called simulated`, async () => {
        const release = held.tenant.hold(() => ({ status: 503 }));
        await load(flow({ mode: from }, callOut()));
        const faults = { times: 1, delayMs: 60_000 };
        await (await sandboxOf("t1"))?.inspect("POST", "/sandbox/faults", new URLSearchParams(), faults);
        const statuses = statusesOfNext("n1");
        // The sandbox holds the one that it receives first, so the other one is answered after that.
        for (const payload of from === "live" ? ["1"] : ["1", "2"]) give({ payload });
        await until(() => held.tenant.received.length + seen.out.length === 1, "one is in flight");
        await redeploy(flow({ mode: to }, callOut()));
        release();
        await until(() => seen.caught.length === 1, "the successor reported it");
        const { message, cause } = seen.caught[0]?.["error"] ?? {};
        deepStrictEqual([cause.outcome, cause.mode], ["unknown", from]);
        strictEqual(/errors\.simulated/.test(message), from === "sandbox");
        await until(() => statuses.at(-1)?.text?.includes("mayHaveBeen") === true, "the status shows it");
        match(String(statuses.at(-1)?.text), from === "live" ? /^mayHaveBeen/ : /^mode\.sandbox: /);
      });
  });

  describe("while calls wait", () => {
    const REFUSED = { ends: ["ERR_CONFIG", "ERR_CONFIG"], dialled: [] };
    const rows: readonly Row[] = [
      ...Object.entries({
        "to log mode": { mode: "log" },
        "to the sandbox": { mode: "sandbox" },
        "to another engine": { engine: "memory" },
        "to settings that are wrong": { rate: -1 },
      }).map(([what, tenant]) => ({ what, deploy: () => redeploy(next(tenant)), ...REFUSED })),
      { what: "to another address", deploy: (url) => redeploy(next({ url: `${url}/other` })), ...REFUSED },
      { what: "without the tenant", deploy: () => redeploy(without("t1")), ...REFUSED },
      {
        what: "to a smaller backlog: they wait on, in their order, and no more than they",
        deploy: async () => {
          await redeploy(next({ concurrency: 1, backlog: 1 }));
          strictEqual((await fail({ payload: "3" })).code, "ERR_BACKLOG_FULL");
          clear();
          give({ payload: "resume" }, "k1");
        },
        ends: ["applied", "applied"],
        dialled: ["1", "2"],
      },
      {
        what: "in which they are dropped while no flow runs: the successor reports them, once",
        deploy: async () => {
          events().once("flows:stopping", () => setImmediate(() => void tenantOf("t1").client?.drop()));
          await redeploy(next({}));
        },
        ends: ["ERR_DROPPED", "ERR_DROPPED"],
        dialled: [],
      },
    ];
    for (const { what, deploy, ...expected } of rows)
      it(what, async () => {
        await load(flow({ concurrency: 1 }, callOut(), CONTROL));
        await paused(["1", "2"]);
        await deploy(held.tenant.url);
        await ended(2);
        deepStrictEqual({ ends: ends(), dialled: dialled() }, expected);
        ok(seen.caught.every(({ error }) => error.cause.mode === "live"));
        ok(!helper.log().args.some(([entry]) => String(entry?.msg).includes("log.onlyLog")));
      });

    /** Calls that wait because the tenant is paused. */
    async function paused(payloads: readonly string[], more: object = {}): Promise<void> {
      give({ payload: "pause" }, "k1");
      await settle(20);
      for (const payload of payloads) give({ payload, ...more });
      await settle(20);
    }

    it("that keeps their tenant: their time limits and keys hold", async () => {
      const node = callOut({ notAfter: "until", notAfterType: "msg", onceKey: "key", onceKeyType: "msg" });
      await load(flow({}, node, CONTROL));
      await paused(["1"], { until: Date.now() + HOUR, key: "a" });
      give({ payload: "2", until: Date.now() + 3 * HOUR, key: "b" });
      await settle(20);
      await redeploy(flow({ timeout: 20 }, node, CONTROL));
      strictEqual((await fail({ payload: "3", key: "a" })).cause.first.outcome, "pending");
      clear();
      putClockAhead(2 * HOUR);
      give({ payload: "resume" }, "k1");
      await ended(2);
      deepStrictEqual([ends(), dialled()], [["applied", "ERR_EXPIRED"], ["2"]]);
    });

    for (const engine of ["memory", ""])
      it(`without their node: one warning has the number of all (engine "${engine}")`, async () => {
        await load(flow({ engine }, callOut(), CONTROL));
        await paused(Array.from({ length: 469 }, (_, call) => `${call}`));
        await redeploy(flow({ engine }, CONTROL));
        const lines = () => warnings().flatMap((line) => line.split("telephony:log.")[1] ?? []);
        await until(() => lines().length > 0, "it is logged");
        deepStrictEqual([lines(), tenantOf("t1").client?.lanes.waiting.callOut, dialled()], [["removed"], 0, []]);
      });
  });

  it("that deletes a node while it reads the fields of a message: no call is placed", async () => {
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
    await until(() => warnings().some((text) => text.includes("log.undelivered")), "it is logged");
    await settle(50);
    deepStrictEqual(dialled(), []);
  });

  it("finds deduplication keys again, also after a deletion that is undone", async () => {
    const once = callOut({ onceKey: "key", onceKeyType: "msg" });
    const release = held.tenant.hold();
    await load(flow({}, once));
    give({ payload: "1", key: "a" });
    await until(() => held.tenant.received.length === 1, "the first is in flight");
    await redeploy(flow({ timeout: 20 }, once));
    strictEqual((await fail({ payload: "2", key: "a" })).cause.first.outcome, "pending");
    release();
    await until(() => seen.out.length === 1, "the successor delivered it");
    await redeploy([{ id: "f1", type: "tab", label: "empty" }]);
    await redeploy(flow({}, once));
    strictEqual((await fail({ payload: "3", key: "a" })).cause.first.outcome, "applied");
    deepStrictEqual(dialled(), ["1"]);
    await pass({ payload: "4", key: "b" });
  });
});
