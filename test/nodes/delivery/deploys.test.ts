import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import type { Node, NodeContext, NodeInitializer } from "node-red";
import { OpenAnswer } from "../../../src/runtime/delivery/answers";
import { heldOf } from "../../../src/runtime/node-red/node-state";
import { recordName } from "../../../src/runtime/nodes/escalate/incident";
import { tenantOf } from "../../../src/runtime/tenants/tenants";
import { ALWAYS } from "../../support/business-hours";
import { putClockAhead } from "../../support/clocks";
import type { Received, Reply } from "../../support/live-tenant";
import { LosingService } from "../../support/losing-service";
import { speaking } from "../../support/speaking";
import {
  type Flow,
  give,
  load,
  nodeOf,
  redeploy,
  redeployTwice,
  roundTrip,
  seen,
  until,
  warnings,
} from "../../support/stage";
import { escalate } from "../escalate/escalations";
import { tenantGate } from "../gate/gates";
import { CONTROL, callOut, callsOfTenant } from "../schedules/requests";

const MINUTE = 60_000;

/**
 * The states in which a deploy finds the messages of a node (one node a row), the number of calls and schedules that are asked for
 * then, and how each message ends: at the node's output, at a Catch node, or in the log. The deploy replaces our nodes, or only those
 * behind them; it moves their tenant, where nothing may go that waits; it takes our nodes away, and perhaps the next deploy brings
 * them back. It lasts until the answers that are given meanwhile have been read. None of them may come out before.
 */
const TABLE = `
                     | replaced               | behind                | moved                     | gone                              | back
answered meanwhile   | 1: out                 | 1: out                | 1: out                    | 1: log applied                    | 1: out
failed meanwhile     | 1: ERR_SERVER unknown  | 1: ERR_SERVER unknown | 1: ERR_SERVER unknown     | 1: log unknown                    | 1: ERR_SERVER unknown
in flight            | 1: out                 | 1: out                | 1: out                    | 1: log applied                    | 1: out
sent twice           | 2: out, out            | 2: out, out           | 2: out, out               | 2: log applied, log applied       | 2: out, out
in a subflow         | 1: out                 | 1: out                | 1: out                    | 1: log applied                    | 1: out
paused and dated     | 3: out, out, out       | 3: out, out, out      | 0: CONFIG, CONFIG, CONFIG | 0: log 3 not-applied              | 0: log 3 not-applied
one behind another   | 2: out, out            | 2: out, out           | 1: out, CONFIG            | 1: log applied, log 1 not-applied | 1: out, log 1 not-applied
still being read     | 1: out                 | 1: out                | 0: CONFIG                 | 0: log 1 not-applied              | 1: out
a list, page by page | 0: item, item, DROPPED | 0: item, item, item   | 0: item, item, DROPPED    | 0: item, item, log 1 not-applied  | 0: item, item, DROPPED
waits for a schedule | 0: out                 | 0: out                | 0: as its tenant          | 0: log 1 not-applied              | 0: log 1 not-applied
creates a schedule   | 1: out                 | 1: out                | 1: ERR_CONFIG unknown     | 1: log applied                    | 1: out
rings somebody       | 1: out                 | 1: out                | 1: ERR_CONFIG unknown     | 1: log 1 unknown                  | 1: log 1 unknown
`;
const [[, ...KINDS] = [], ...ROWS] = TABLE.trim()
  .split("\n")
  .map((line) => line.split("|").map((cell) => cell.trim()));
const STATES = ROWS.map(([state = ""]) => state);
/** The warning about a node: its id, the numbers of messages and of incidents, and the worst outcome. */
const DELETED = /\(([^)]*)\): the node was deleted or disabled\D*(\d+)\D*(\d+)\. Outcome: ([\w-]+)$/;
/** The new instance of a gate decides anew. */
const AS_ITS_TENANT: Readonly<Record<string, string>> = {
  "to the sandbox": "ERR_SCHEDULE not-applied",
  "to another address": "ERR_SCHEDULE not-applied",
  "to settings that are wrong": "ERR_CONFIG not-applied",
  "away: it is deleted": "ERR_CONFIG not-applied",
};

const english: NodeInitializer = (RED) => void Object.assign(RED, { _: speaking("en-US")._ });
const links = require("@node-red/nodes/core/common/60-link.js") as NodeInitializer;

describe("a deploy", () => {
  const { held, flow } = callsOfTenant();
  let service: LosingService;
  let isOver: boolean;
  let closing: (() => void)[];
  /** The answers that the senders of messages had, by state: each comes from a webhook. */
  let told: string[];
  let answering: Record<"meanwhile" | "later", { readonly promise: Promise<void>; readonly come: () => void }>;
  let onRead: ((error: null, value: string) => void) | undefined;

  /** A node of another author, which takes long to close. */
  const slowToClose: NodeInitializer = (RED) => {
    RED.nodes.registerType("slow-to-close", function (this: Node, config) {
      RED.nodes.createNode(this, config);
      this.on("close", (done: () => void) => (isOver ? done() : closing.push(done)));
    });
  };
  const stateOf = ({ url, text }: Received) => {
    const id = Number(/business-hour\/(\d+)/.exec(url)?.[1]);
    const name = service.hours.find((hour) => hour.id === id)?.name;
    const all = name ?? decodeURIComponent(url.replaceAll("+", " ")) + text;
    return STATES.find((state) => all.includes(state)) ?? (all.includes("0000000009") ? "rings somebody" : all);
  };
  const posts = () => held.tenant.received.filter(({ method }) => method === "POST");
  const moment = () => {
    let come: () => void = () => {};
    const promise = new Promise<void>((resolve) => (come = resolve));
    return { promise, come };
  };

  beforeEach(() => {
    service = new LosingService("creates a schedule");
    service.add("waits for a schedule", ALWAYS);
    for (let n = 0; n < 3; n += 1) service.add(`a list, page by page ${n}`, ALWAYS);
    answering = { meanwhile: moment(), later: moment() };
    [isOver, closing, onRead, told] = [false, [], undefined, []];
    held.tenant.answers(async (request): Promise<Reply> => {
      const state = stateOf(request);
      const isNext = request.method === "POST" || /page=2/.test(request.url) || state.startsWith("waits");
      if (state.endsWith("meanwhile")) await answering.meanwhile.promise;
      else if (isNext && !state.startsWith("rings")) await answering.later.promise;
      if (state.startsWith("failed")) return { status: 503 };
      return request.url.includes("business-hour") ? service.answer(request) : {};
    });
  });

  /** @param more of both tenants */
  const ours = (more: object = {}, name = ""): Flow => {
    const call = { ...callOut(), toNumber: "0000000000", toNumberType: "str", toAlias: "of", toAliasType: "msg" };
    const to = { toKind: "internal", toKindType: "str", toNumber: "7", toNumberType: "str" };
    const transfer = { type: "call-transfer", callId: "of", callIdType: "msg", ...to };
    const search = { search: "of", searchType: "msg", limit: "2", limitType: "num" };
    const week = { days: [{ day: "mon", open: "8:00", close: "9:00" }], daysType: "list" };
    const nodes: Readonly<Record<string, object>> = {
      "answered meanwhile": transfer,
      "failed meanwhile": transfer,
      "in flight": call,
      "sent twice": transfer,
      "in a subflow": { type: "subflow:s1" },
      "paused and dated": { ...call, notBefore: "when", notBeforeType: "msg" },
      "one behind another": { type: "call-stop", tenant: "t2", callId: "of", callIdType: "msg" },
      "still being read": { ...call, toNumber: "number", toNumberType: "flow" },
      "a list, page by page": { type: "business-hour-list", output: "each", ...search },
      "waits for a schedule": tenantGate({ scheduleName: "waits for a schedule" }),
      "creates a schedule": { type: "business-hour-ensure", scheduleName: "of", scheduleNameType: "msg", ...week },
      "rings somebody": escalate({ ringFor: "3600" }),
    };
    deepStrictEqual(Object.keys(nodes), STATES);
    const action = (node: object, id: string) => ({ tenant: "t1", ...node, id, name, wires: [["over"], ["over"]] });
    const settings = { timeout: 60, concurrency: 20, ...more };
    return [
      ...flow(settings, ...STATES.map((id) => action(nodes[id] ?? {}, id)), CONTROL).map((node) =>
        node["id"] === "out" ? { ...node, z: "f2" } : node,
      ),
      { id: "t2", type: "telephony-tenant", url: held.tenant.url, onTrouble: "fail", ...settings, concurrency: 1 },
      { id: "f2", type: "tab", label: "Behind" },
      { id: "over", type: "link out", z: "f1", x: 200, y: 10, mode: "link", links: ["here"], wires: [] },
      { id: "here", type: "link in", z: "f2", x: 100, y: 10, links: ["over"], wires: [["out"]] },
      ...["f1", "f2"].map((z) => ({ id: `slow ${z}`, type: "slow-to-close", z, x: 100, y: 10, wires: [] })),
      {
        ...{ id: "s1", type: "subflow", name: "Transfer", in: [{ x: 50, y: 30, wires: [{ id: "inner" }] }] },
        out: [{ x: 300, y: 30, wires: [{ id: "inner", port: 0 }] }],
      },
      { ...action(transfer, "inner"), z: "s1", x: 100, y: 100, wires: [[]] },
    ];
  };
  const isOurs = (id: unknown) => STATES.includes(String(id));
  const changed = (change: object, ...ids: string[]) =>
    ours().map((node) => (ids.includes(String(node["id"])) ? { ...node, ...change } : node));
  const slow = { name: "renamed" };

  const HOWS: Readonly<Record<string, Readonly<Record<string, () => Promise<void>>>>> = {
    replaced: {
      "all flows": () => redeploy(changed(slow, "slow f1", ...STATES)),
      "their flow": () => redeploy(changed(slow, "slow f1", ...STATES), "flows"),
      "only these nodes": () => redeploy(changed(slow, "slow f1", ...STATES), "nodes"),
      "all flows, twice at once": () => redeployTwice(ours({}, "first"), ours({}, "second")),
      "the tenant, with another timeout": () => redeploy(ours({ timeout: 50 })),
      "the tenant, with a backlog that is full": () => redeploy(ours({ backlog: 1 })),
    },
    behind: {
      "the nodes at their outputs": () => redeploy(changed(slow, "slow f1", "out"), "nodes"),
      "their Catch node": () => redeploy(changed(slow, "slow f1", "c1", "caught"), "nodes"),
      "the flow behind a link": () => redeploy(changed(slow, "slow f2", "out"), "flows"),
    },
    moved: {
      "to log mode": () => redeploy(ours({ mode: "log" })),
      "to the sandbox": () => redeploy(ours({ mode: "sandbox" })),
      "to another engine": () => redeploy(ours({ engine: "memory" })),
      "to another address": () => redeploy(ours({ url: `${held.tenant.url}/other` })),
      "to settings that are wrong": () => redeploy(ours({ rate: -1 })),
      "away: it is deleted": () => redeploy(ours().filter(({ type }) => type !== "telephony-tenant")),
    },
    gone: {
      deleted: () => redeploy(ours().filter(({ id }) => !isOurs(id))),
      disabled: () => redeploy(changed({ d: true }, ...STATES)),
      "disabled with their flow": () => redeploy(changed({ disabled: true }, "f1")),
    },
    back: {
      "the deletion is undone": async () => {
        await redeploy(ours().filter(({ id }) => !isOurs(id)));
        await redeploy(ours());
      },
    },
  };

  /** Returns how the messages of a state have ended so far. */
  const endsOf = (state: string): string => {
    const came = seen.out.filter((message) => message["of"] === state);
    const out = came.map(({ parts }) => (parts ? "item" : "out"));
    const caught = seen.caught.filter((message) => message["of"] === state);
    const log = warnings().flatMap((line) => {
      const [, node, messages, incidents, outcome] = DELETED.exec(line) ?? [];
      if (node === state) return [`log ${Number(messages) + Number(incidents)} ${outcome}`];
      return line.includes(`message ${state}:`) ? [`log ${/Outcome: ([\w-]+)$/.exec(line)?.[1]}`] : [];
    });
    const failed = caught.map(({ error }) => `${error.code} ${error.cause.outcome}`);
    return `${posts().filter((request) => stateOf(request) === state).length}: ${[...out, ...failed, ...log].join(", ")}`;
  };

  async function begin(): Promise<void> {
    await load(ours(), {}, english, links, slowToClose);
    const get = (_key: string, _store: string | undefined, done: typeof onRead) => (onRead = done);
    nodeOf("still being read").context = () => ({ flow: { get } }) as unknown as NodeContext;
    let count = 0;
    const put = (state: string, more: object = {}) => {
      count += 1;
      const { id } = new OpenAnswer(`${count}`, ({ status }) => told.push(`${state}: ${status}`));
      give({ _msgid: state, of: state, webhook: { id }, ...more }, state);
    };
    give(Object.freeze({ _msgid: "in flight", of: "in flight" }), "in flight");
    put("rings somebody", { payload: { key: "k", people: [{ name: "rings somebody", number: "0000000009" }] } });
    await until(() => posts().length === 2, "the calls are in flight");
    give({ payload: "pause" }, "k1");
    await roundTrip();
    const twice = { _msgid: "sent twice", of: "sent twice" };
    for (const message of [twice, twice]) give(message, twice.of);
    for (const minutes of [0, 0, 30]) put("paused and dated", { when: Date.now() + minutes * MINUTE });
    for (const _ of [1, 2]) put("one behind another");
    for (const state of STATES.filter((one) => !/^(in flight|rings|sent|paused|one)/.test(one))) put(state);
    await until(() => {
      const isNext = held.tenant.received.some(({ url }) => /page=2/.test(url));
      const { inFlight, waiting } = tenantOf("t1").client?.lanes ?? {};
      // Of the requests of t1, those of the incident and of the first pages have been answered.
      return isNext && posts().length === 9 && inFlight === 9 && waiting?.callOut === 3 && onRead !== undefined;
    }, "all are where the deploy finds them");
  }

  const cellOf = (column: number, how: string, cells: readonly string[]) =>
    (cells[column] ?? "")
      .replace("as its tenant", AS_ITS_TENANT[how] ?? "out")
      .replaceAll(/\b(CONFIG|DROPPED)\b/g, "ERR_$1 not-applied");

  for (const [column, kind] of KINDS.entries())
    for (const [how, deploy] of Object.entries(HOWS[kind] ?? {}))
      it(`with nodes ${kind}: ${how}`, async () => {
        await begin();
        const { client } = tenantOf("t1");
        const inFlight = client?.lanes.inFlight ?? 0;
        const before = [seen.out.length, seen.caught.length];
        // Between two deploys the flows run without our nodes, so these answers come after both.
        isOver = kind === "back";
        const deployed = deploy();
        if (!isOver) {
          await until(() => closing.length > 0, "a node is closing");
          answering.meanwhile.come();
          await until(() => client?.lanes.inFlight === inFlight - 2, "the answers have been read");
          await roundTrip();
          deepStrictEqual([seen.out.length, seen.caught.length], before, "none comes out before the flows run");
          isOver = true;
          for (const done of closing.splice(0)) done();
        }
        await deployed;
        answering.meanwhile.come();
        answering.later.come();
        onRead?.(null, "0000000000");
        putClockAhead(31 * MINUTE);
        if (nodeOf("k1")) give({ payload: "resume" }, "k1");
        if (nodeOf("rings somebody")) give({ payload: { key: "k" }, acknowledge: true }, "rings somebody");
        const expected = ROWS.map(([state = "", ...cells]) => `${state} | ${cellOf(column, how, cells)}`);
        const found = () => STATES.map((state) => `${state} | ${endsOf(state)}`);
        await until(() => isDeepStrictEqual(found(), expected)).catch(() => {});
        await roundTrip();
        deepStrictEqual(found(), expected);
        const failed = seen.caught.filter(({ of }) => of !== undefined && of !== "waits for a schedule");
        for (const { error } of failed) strictEqual(error.cause.mode, "live");
        const [done, out] = [seen.completed, seen.out].map((all) =>
          all.filter(({ of }) => of && !/list|subflow/.test(of)),
        );
        strictEqual(done?.length, out?.length);
        if (kind !== "gone") return;
        const ofUnbegun = told.filter((each) => /^(still|waits)/.test(each)).sort();
        deepStrictEqual(ofUnbegun, ["still being read: 409", "waits for a schedule: 409"]);
        await until(() => STATES.every((id) => heldOf(id).length === 0), "nothing is held of them");
        const name = recordName("call-escalate", "rings somebody", "k");
        const record = () => tenantOf("t1").client?.ask(({ records }) => records.note(name, {}));
        await until(async () => (await record()) === false, "the incident has no record");
      });
});
