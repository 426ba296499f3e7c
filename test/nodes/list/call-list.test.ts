import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { carryOut } from "../../../src/runtime/nodes/control/command";
import { tenantOf } from "../../../src/runtime/tenants/tenants";
import {
  type Failure,
  type Flow,
  flowOf,
  give,
  load,
  type Message,
  nodeOf,
  redeploy,
  seen,
  until,
  withTenant,
} from "../../support/stage";

const says = (text: string) => ({ actions: [{ action: "talk", text, textType: "mustache" }], actionsType: "list" });

/** A flow in which `rows` of the first output come to `out`, and the table of the second to `closed`. */
const flowWithList = (url: string, node: object = {}, tenant: object = {}): Flow =>
  flowOf(
    { url, fromNumber: "0000000000", country: "VN", ...tenant },
    { id: "n1", type: "call-list", tenant: "t1", wires: [["out"], ["closed"]], ...says("Hello"), ...node },
  );

const rows = () => seen.out.map(({ list, telephony }) => [list.index, telephony.row.outcome, telephony.row.code]);
const table = async (): Promise<Message> => {
  await until(() => seen.closed.length > 0);
  return seen.closed[0] as Message;
};
/** The numbers that wait, in the order in which they will be called. */
const waitingNumbers = async () => {
  const { calls = [] } = await carryOut(tenantOf("t1"), { command: "list" });
  return calls.map(({ number }) => number);
};
const counted = () => carryOut(tenantOf("t1"), { command: "count" });
const numbers = (count: number) => Array.from({ length: count }, (_, index) => `090123${String(4500 + index)}`);

/** docs/contract/list.md */
describe("call-list", () => {
  const held = withTenant();
  const called = () =>
    held.tenant.received.filter(({ method }) => method === "POST").map(({ body }) => (body as Message)["to.number"]);

  it("calls each row, and gives out what became of each, then the table", async () => {
    await load(flowWithList(held.tenant.url, says("Hello {{payload.name}}")));
    const payload = [
      { number: "0901234501", name: "An" },
      { number: "x", name: "Bình" },
      { number: "0901234502", name: "Chi" },
      { number: "0901 234 501", name: "An again" },
    ];
    give({ payload, filename: "/home/x/may.csv", topic: "kept" });
    const { payload: listed, list, topic, filename } = await table();
    deepStrictEqual(new Set(called()), new Set(["0901234501", "0901234502"]));
    deepStrictEqual(
      rows().sort(([a], [b]) => a - b),
      [
        [1, "applied", ""],
        [2, "not-applied", "ERR_INPUT"],
        [3, "applied", ""],
        [4, "not-applied", "ERR_DUPLICATE"],
      ],
    );
    deepStrictEqual(
      listed.map(({ name, outcome }: Message) => [name, outcome]),
      [
        ["An", "applied"],
        ["Bình", "not-applied"],
        ["Chi", "applied"],
        ["An again", "not-applied"],
      ],
    );
    strictEqual(topic, "kept");
    strictEqual(filename, undefined);
    const { startedAt, endedAt, list: id, refused, ...summary } = list;
    ok(Date.parse(startedAt) <= Date.parse(endedAt));
    match(id, /^[0-9a-f]+$/);
    deepStrictEqual(
      refused.map(({ index, code }: Message) => [index, code]),
      [
        [2, "ERR_INPUT"],
        [4, "ERR_DUPLICATE"],
      ],
    );
    deepStrictEqual(summary, {
      name: "may.csv",
      total: 4,
      good: 2,
      codes: { ERR_INPUT: 1, ERR_DUPLICATE: 1 },
      withoutZero: 0,
      until: null,
      outcomes: { applied: 2, rejected: 0, "not-applied": 2, unknown: 0 },
      stopped: null,
    });
  });

  it("reads a CSV file, and gives out its table as one", async () => {
    await load(flowWithList(held.tenant.url, { toNumber: "payload.Mobile Number", toNumberType: "msg" }));
    give({ payload: "Customers of May\r\nname;mobile number\r\nAn;0901234501\r\n=1+1;0901234502\r\n" });
    const { payload } = await table();
    const [header, first, second, ...rest] = payload.slice(1).split("\r\n");
    strictEqual(payload[0], "\uFEFF");
    strictEqual(header, "name;mobile number;outcome;code;reason;at");
    match(first, /^An;0901234501;applied;;;20\d\d-/);
    match(second, /^'=1\+1;0901234502;applied;;;20/);
    deepStrictEqual(rest, [""]);
  });

  it("only looks, where the dialog says so", async () => {
    await load(flowWithList(held.tenant.url, { begin: "look" }, { rate: 2 }));
    give({ payload: [...numbers(5), "x"] });
    const { payload, list } = await table();
    deepStrictEqual(payload, list);
    deepStrictEqual([list.total, list.good, list.codes], [6, 5, { ERR_INPUT: 1 }]);
    ok(Date.parse(list.until) > Date.now());
    deepStrictEqual([seen.out, called()], [[], []]);
  });

  it("calls nobody again in a further list, and says when the first time was", async () => {
    await load(flowWithList(held.tenant.url));
    give({ payload: numbers(2) });
    await table();
    give({ payload: numbers(2) });
    await until(() => seen.closed.length === 2);
    const { list } = seen.closed[1] as Message;
    deepStrictEqual([list.good, list.codes], [0, { ERR_DUPLICATE: 2 }]);
    ok(Date.parse(list.refused[0].first.at) <= Date.now());
    strictEqual(list.refused[0].first.outcome, "applied");
    strictEqual(called().length, 2);
  });

  it("stops in the middle: what has not begun ends, and the table says so", async () => {
    await load(flowWithList(held.tenant.url, {}, { concurrency: 2 }));
    const release = held.tenant.hold();
    give({ payload: numbers(1200) });
    await until(() => called().length > 0);
    give({ stop: true });
    await until(() => seen.completed.length > 0);
    release();
    const { list, payload } = await table();
    strictEqual(list.stopped, "message");
    strictEqual(list.outcomes.applied, called().length);
    strictEqual(list.outcomes["not-applied"], 1200 - called().length);
    match(payload.at(-1).reason, /stopped$/);
    strictEqual(seen.out.length, 1200);
  });

  it("goes on through deploys of each kind, each row once", async () => {
    const flow = flowWithList(held.tenant.url, {}, { concurrency: 2 });
    await load(flow);
    const release = held.tenant.hold();
    give({ payload: numbers(30) });
    await until(() => called().length > 0);
    const changed = flow.map((node) => (node["id"] === "n1" ? { ...node, name: "other" } : node));
    await redeploy(changed, "nodes");
    await redeploy(flow, "flows");
    release();
    await redeploy(changed, "full");
    await table();
    deepStrictEqual(new Set(called()), new Set(numbers(30)));
    strictEqual(called().length, 30);
    deepStrictEqual(new Set(rows().map(([index]) => index)).size, 30);
    strictEqual(seen.out.length, 30);
  });

  it("ends the rest where a deploy gives the tenant another mode", async () => {
    const flow = flowWithList(held.tenant.url, {}, { concurrency: 2 });
    await load(flow);
    const release = held.tenant.hold();
    give({ payload: numbers(30) });
    await until(() => called().length > 0);
    await redeploy(flow.map((node) => (node["id"] === "t1" ? { ...node, mode: "sandbox" } : node)));
    release();
    const { list } = await table();
    strictEqual(list.stopped, "tenant");
    ok(called().length < 10);
    strictEqual(list.codes.ERR_CONFIG, 30 - called().length);
  });

  it("is gone with its node", async () => {
    const flow = flowWithList(held.tenant.url, {}, { concurrency: 2 });
    await load(flow);
    const release = held.tenant.hold();
    give({ payload: numbers(30) });
    await until(() => called().length === 2);
    await redeploy(flow.filter(({ id }) => id !== "n1"));
    release();
    await redeploy(flow);
    await until(() => nodeOf("n1") !== null);
    strictEqual(called().length, 2);
    deepStrictEqual(seen.closed, []);
  });

  it("lets any other call of the tenant go first", async () => {
    const click = { id: "n2", type: "call-out", tenant: "t1", wires: [[]], ...says("Hello"), toNumberType: "str" };
    const flow = flowWithList(held.tenant.url, {}, { concurrency: 1 });
    await load([...flow, { z: "f1", x: 1, y: 1, toNumber: "0900000000", ...click }]);
    const release = held.tenant.hold();
    give({ payload: numbers(30) });
    await until(() => called().length === 1);
    give({ payload: {} }, "n2");
    await until(async () => (await waitingNumbers())[0] === "0900000000");
    release();
    await table();
    strictEqual(called()[1], "0900000000");
  });

  it("waits for the end of trouble, although its tenant lets calls fail: each row is called once", async () => {
    await load(flowWithList(held.tenant.url, {}, { concurrency: 2, waitAtMost: 1 }));
    let isDown = true;
    held.tenant.answers(() => (isDown ? { status: 503, body: "", headers: { "retry-after": "1" } } : {}));
    give({ payload: numbers(5) });
    await until(() => called().length > 0);
    isDown = false;
    const { list } = await table();
    strictEqual(list.outcomes.applied + list.outcomes.unknown, 5);
    strictEqual(list.outcomes["not-applied"], 0);
  });

  it("begins although there is trouble, and nothing else waits whose turn would show that it is over", async () => {
    await load(flowWithList(held.tenant.url, {}, { onTrouble: "wait" }));
    held.tenant.answers(() => ({ status: 503, body: "", headers: { "retry-after": "1" } }));
    give({ payload: numbers(3) });
    deepStrictEqual((await table()).list.outcomes.unknown, 3);
    held.tenant.answers(() => ({}));
    give({ payload: numbers(6).slice(3) });
    await until(() => seen.closed.length > 1);
    deepStrictEqual((seen.closed[1] as Message).list.outcomes.applied, 3);
  });

  it("waits while a list of the guard is missing, and goes on once it is there", async () => {
    const flow = flowWithList(held.tenant.url, {}, { block: "blocked", blockType: "global" });
    await load(flow);
    give({ payload: numbers(3) });
    await until(async () => (await counted()).lists.length === 1);
    deepStrictEqual(called(), []);
    nodeOf("n1")
      .context()
      .global.set("blocked", [numbers(1)[0]]);
    await redeploy(flow.map((node) => (node["id"] === "n1" ? { ...node, name: "again" } : node)));
    const { list } = await table();
    deepStrictEqual([list.outcomes.applied, list.codes], [2, { ERR_BLOCKED: 1 }]);
  });

  it("calls a number once that is in it twice, although a list of the guard is missing when it begins", async () => {
    const flow = flowWithList(held.tenant.url, { onceFor: "0" }, { block: "blocked", blockType: "global" });
    await load(flow);
    give({ payload: ["0901234501", "0901234501", "0901234502"] });
    await until(async () => (await counted()).lists[0]?.ended === 1);
    nodeOf("n1").context().global.set("blocked", []);
    await redeploy(flow.map((node) => (node["id"] === "n1" ? { ...node, name: "again" } : node)));
    await table();
    deepStrictEqual(new Set(called()), new Set(["0901234501", "0901234502"]));
    strictEqual(called().length, 2);
  });

  it("is stopped by a message behind it, which comes while it is read", async () => {
    await load(flowWithList(held.tenant.url));
    give({ payload: ["0901234501", "0901234502"] });
    give({ stop: true });
    const { list } = await table();
    deepStrictEqual([called(), list.stopped, list.codes], [[], "message", { ERR_DROPPED: 2 }]);
  });

  it("knows a repetition, although there is no room for another list", async () => {
    await load(flowWithList(held.tenant.url, {}, { perNumber: 3, rate: 1 }));
    const release = held.tenant.hold();
    const message = () => ({ payload: numbers(20_000), requestId: "r1" });
    give(message());
    await until(() => called().length > 0);
    give(message());
    await until(() => seen.caught.length > 0);
    strictEqual((seen.caught[0] as Message & { readonly error: Failure }).error.code, "ERR_DUPLICATE");
    give({ stop: true });
    release();
    await table();
  });

  it("judges by what is to be called once, for as long as the dialog says", async () => {
    const once = { once: "payload.id", onceType: "msg" };
    await load(flowWithList(held.tenant.url, { ...once, onceFor: "0" }));
    const payload = numbers(4).map((number, index) => ({ number, id: index % 2 }));
    give({ payload: [...payload, { number: "0901234599" }] });
    const { list } = await table();
    deepStrictEqual(list.codes, { ERR_DUPLICATE: 2, ERR_INPUT: 1 });
    give({ payload });
    await until(() => seen.closed.length === 2);
    strictEqual(seen.closed[1]?.["list"].outcomes.applied, 2);
  });

  it("counts calls per number through the list, with those before it", async () => {
    const flow = flowWithList(
      held.tenant.url,
      { once: "payload.id", onceType: "msg" },
      { perNumber: 2, perNumberHours: 1 },
    );
    await load(flow);
    const rowsOf = (from: number) => [0, 1, 2].map((id) => ({ number: "0901234501", id: from + id }));
    give({ payload: rowsOf(0).slice(0, 1) });
    await table();
    give({ payload: rowsOf(10) });
    await until(() => seen.closed.length === 2);
    const { list } = seen.closed[1] as Message;
    deepStrictEqual([list.good, list.codes], [1, { ERR_BLOCKED: 2 }]);
    strictEqual(called().length, 2);
  });

  it("is a list without rows where there are none, and says what is no list", async () => {
    await load(flowWithList(held.tenant.url));
    give({ payload: [] });
    const { list, payload } = await table();
    deepStrictEqual([list.total, payload], [0, []]);
    give({ payload: { records: numbers(2) } });
    await until(() => seen.caught.length > 0);
    const { error } = seen.caught[0] as Message & { readonly error: Failure };
    strictEqual(error.code, "ERR_INPUT");
    strictEqual(error.cause["field"], "list");
  });

  it("shows a control how far it is, which drops it", async () => {
    await load(flowWithList(held.tenant.url, {}, { concurrency: 1, rate: 1 }));
    give({ payload: numbers(20) });
    await until(() => called().length === 1);
    const { lists } = await counted();
    const { list, until: end, ...progress } = lists[0] ?? { list: "", until: "", ended: 0 };
    ok(Date.parse(end ?? "") > Date.now());
    deepStrictEqual(progress, {
      nodeId: "n1",
      name: "call-list",
      total: 20,
      ended: progress.ended,
      refused: 0,
      heldBack: false,
    });
    const { dropped, lists: left } = await carryOut(tenantOf("t1"), { command: "drop" });
    const given = await table();
    deepStrictEqual([given["list"].list, given["list"].stopped, left], [list, "drop", []]);
    strictEqual(given["list"].codes.ERR_DROPPED, dropped);
  });
});
