import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { NodeContext } from "node-red";
import {
  events,
  give,
  helper,
  hour,
  load,
  nodeOf,
  pass,
  redeploy,
  redeployTwice,
  seen,
  serving,
  settle,
  until,
  warnings,
} from "../../support/stage";
import { callOut, callsOfTenant, holding } from "../schedules/requests";

const KINDS = ["full", "flows", "nodes"] as const;

/** States that a redeploy may interrupt. In each, no message may be sent twice or lost. */
describe("a redeploy in the middle of", () => {
  const { held, flow, dialled } = callsOfTenant();
  const ends = () => seen.out.length + seen.caught.length;

  describe("a message in flight", () => {
    for (const kind of KINDS) {
      it(`hands on a frozen message, and one that a flow sent twice: ${kind}`, async () => {
        const release = holding(held.tenant);
        await load(flow({}, callOut()));
        const frozen = Object.freeze({ _msgid: "frozen", payload: "1" });
        const twice = { _msgid: "twice", payload: "2" };
        for (const message of [frozen, twice, twice]) give(message);
        await until(() => held.tenant.received.length === 3, "all are in flight");
        await redeploy(flow({}, callOut({ name: "changed" })), kind);
        release();
        await until(() => ends() === 3, "the successor delivered them");
        await settle(50);
        deepStrictEqual(sorted(seen.out.map(({ _msgid }) => _msgid)), ["frozen", "twice", "twice"]);
        deepStrictEqual([sorted(dialled()), seen.completed.length], [["1", "2", "2"], 3]);
      });
    }

    it("are delivered through slow hooks", async () => {
      const { hooks } = (helper as unknown as { _RED: { hooks: Hooks } })._RED;
      const release = holding(held.tenant);
      await load(flow({}, callOut()));
      const message = { _msgid: "twice", payload: "1" };
      for (let sent = 0; sent < 2; sent += 1) give(message);
      await until(() => held.tenant.received.length === 2, "both are in flight");
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

    for (const [before, after, sent] of [
      ["page", "each", 1],
      ["all", "each", 1],
      ["each", "page", 0],
    ] as const) {
      it(`a list whose output became "${after}" after "${before}": its result is reported`, async () => {
        const list = (output: string) => ({
          id: "n1",
          type: "business-hour-list",
          tenant: "t1",
          output,
          wires: [["out"]],
        });
        const release = holding(
          held.tenant,
          serving(() => [hour(1, "Office"), hour(2, "Night")]),
        );
        await load(flow({}, list(before)));
        give({ payload: {} });
        await until(() => held.tenant.received.length === 1, "it is in flight");
        await redeploy(flow({}, list(after)));
        release();
        await until(() => ends() === 1, "the successor reported it");
        await settle(50);
        deepStrictEqual([seen.out.length, seen.caught.length], [sent, 1 - sent]);
      });
    }

    it("survives two deploys in one turn of the event loop", async () => {
      const release = holding(held.tenant);
      await load(flow({}, callOut()));
      for (const payload of ["1", "2", "3", "4", "5"]) give({ payload });
      await until(() => held.tenant.received.length === 5, "all are in flight");
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
      const release = holding(held.tenant);
      await load(subflow("before"));
      for (const [index, id] of instances.entries()) give({ payload: String(index) }, id);
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

    it("of a node that was deleted and restored is reported once", async () => {
      const release = holding(held.tenant);
      await load(flow({}, callOut()));
      give({ _msgid: "back", payload: "1" });
      await until(() => held.tenant.received.length === 1, "it is in flight");
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
    await until(() => warnings().some((text) => text.includes("log.undelivered")), "it is logged");
    await settle(50);
    deepStrictEqual(dialled(), []);
  });
});

const sorted = (texts: readonly unknown[]) => texts.map(String).sort((one, next) => one.localeCompare(next));

interface Hooks {
  add(name: string, hook: (event: object) => Promise<unknown>): void;
  remove(name: string): void;
}
