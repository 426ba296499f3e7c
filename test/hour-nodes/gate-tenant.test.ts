import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { Sandbox } from "../../src/sandbox";
import { TOKEN } from "../canary";
import { type Received, type Reply, withTenant } from "../nodes/flow";
import {
  ALWAYS,
  clear,
  fail,
  flowOf,
  give,
  type Hour,
  helper,
  hour,
  load,
  NINE_TO_FIVE,
  nodeOf,
  pass,
  play,
  queryOf,
  redeploy,
  seen,
  serving,
  settle,
  statusesOf,
  until,
} from "./stage";

const LIST = "/api/v1/setting/business-hour";

const gate = (more: Record<string, unknown> = {}) => ({
  id: "n1",
  type: "business-hour-gate",
  tenant: "t1",
  timezone: "UTC",
  at: "at",
  atType: "msg",
  wires: [["out"], ["closed"]],
  ...more,
});

describe("business-hour-gate with a schedule of the tenant", () => {
  const held = withTenant();
  beforeEach(clear);
  const lines = () => held.tenant.received.map(({ method, url }) => `${method} ${url}`);
  const flow = (...gates: Record<string, unknown>[]) => flowOf({ url: held.tenant.url }, ...gates);
  const serve = (...hours: Hour[]) => held.tenant.answers(serving(() => hours));
  const judged = async (message: object = {}, id?: string) => (await pass(message, id))["businessHour"];
  const AT = "2026-11-23T10:00:00Z";

  /** Holds all answers until it is told to go on. */
  function holding(answer: (request: Received) => Reply): () => void {
    let release: () => void = () => {};
    const held2 = new Promise<void>((resolve) => {
      release = resolve;
    });
    held.tenant.answers(async (request) => {
      await held2;
      return answer(request);
    });
    return release;
  }

  it("reads a schedule by id at deploy, once", async () => {
    serve(hour(7, "Office", NINE_TO_FIVE));
    await load(flow(gate({ scheduleId: "7", scheduleIdType: "str", scheduleName: "wins not" })));
    await until(() => held.tenant.received.length === 1, "the schedule is read without a message");
    deepStrictEqual(await judged({ at: AT }), {
      open: true,
      reason: "hours",
      name: "Office",
      id: 7,
      timezone: "UTC",
      checkedAt: "2026-11-23T10:00:00+00:00",
      closesAt: "2026-11-23T17:00:00+00:00",
      opensAt: "2026-11-24T09:00:00+00:00",
      opensIn: 23 * 3_600_000,
      stale: false,
    });
    strictEqual((await judged({ at: "2026-11-23T18:00:00Z" })).open, false);
    deepStrictEqual(lines(), [`GET ${LIST}/7`]);
  });

  it("finds a schedule by its exact name, with search, over all pages", async () => {
    const others = Array.from({ length: 25 }, (_, index) => hour(100 + index, `Office ${index}`));
    serve(...others, hour(3, "office"), hour(4, "Office", NINE_TO_FIVE));
    await load(flow(gate({ scheduleName: "Office" })));
    const { id, name } = await judged({ at: AT });
    deepStrictEqual([id, name], [4, "Office"]);
    deepStrictEqual(held.tenant.received.map(queryOf), [{ search: "Office" }, { search: "Office", page: "2" }]);
    ok(held.tenant.received.every(({ method, url }) => method === "GET" && url.startsWith(`${LIST}?`)));
  });

  it("reads once for all gates of a schedule, whatever the number of messages", async () => {
    serve(hour(7, "Office"));
    const gates = Array.from({ length: 10 }, (_, index) => gate({ id: `g${index}`, scheduleName: "Office" }));
    await load(flow(...gates));
    for (const { id } of gates) give({ at: AT }, id);
    await until(() => seen.out.length === 10, "all gates passed");
    await play(
      Array.from({ length: 100 }, () => ({ at: AT })),
      "g3",
    );
    strictEqual(held.tenant.received.length, 1);
  });

  it("gates of two schedules read each", async () => {
    serve(hour(7, "Office"), hour(8, "Night", []));
    await load(flow(gate({ scheduleName: "Office" }), gate({ id: "n2", scheduleId: 8, scheduleIdType: "num" })));
    strictEqual((await judged({ at: AT })).open, true);
    strictEqual((await judged({ at: AT }, "n2")).open, false);
    strictEqual(held.tenant.received.length, 2);
  });

  it("messages wait for the first answer, in their order", async () => {
    const release = holding(serving(() => [hour(7, "Office")]));
    await load(flow(gate({ scheduleName: "Office" })));
    for (let index = 0; index < 20; index += 1) give({ payload: index, at: AT });
    await until(() => held.tenant.received.length === 1, "asked");
    await settle(50);
    strictEqual(seen.out.length + seen.closed.length + seen.caught.length, 0);
    release();
    await until(() => seen.out.length === 20, "all passed");
    deepStrictEqual(
      seen.out.map(({ payload }) => payload),
      Array.from({ length: 20 }, (_, index) => index),
    );
    strictEqual(held.tenant.received.length, 1);
  });

  it("an override does not wait for the schedule", async () => {
    const release = holding(serving(() => [hour(7, "Office")]));
    await load(flow(gate({ scheduleName: "Office", override: "force", overrideType: "msg" })));
    const { open, reason, name, id } = await judged({ at: AT, force: "closed" });
    deepStrictEqual({ open, reason, name, id }, { open: false, reason: "override", name: null, id: null });
    release();
    await until(() => held.tenant.received.length === 1, "asked");
  });

  it("messages that wait at a redeploy are judged by the successor", async () => {
    const release = holding(serving(() => [hour(7, "Office")]));
    const deployed = flow(gate({ scheduleName: "Office" }));
    await load(deployed);
    give({ payload: 1, at: AT });
    await settle(20);
    await redeploy(structuredClone(deployed));
    release();
    await until(() => seen.out.length === 1, "the successor passed it");
    await settle(20);
    deepStrictEqual([seen.out.length, seen.caught.length], [1, 0]);
  });

  it("messages that wait in a gate that is deleted leave a line in the log", async () => {
    const release = holding(serving(() => [hour(7, "Office")]));
    await load(flow(gate({ scheduleName: "Office" })));
    give({ _msgid: "lost", at: AT });
    await settle(20);
    await redeploy(flow());
    const entries = helper.log().args.flat() as { level: number; msg: unknown }[];
    const warnings = entries.filter(({ level, msg }) => level === 30 && String(msg).includes("log.undelivered"));
    strictEqual(warnings.length, 1);
    release();
  });

  it("copies survive a redeploy", async () => {
    serve(hour(7, "Office"));
    await load(flow(gate({ scheduleName: "Office" })));
    await judged({ at: AT });
    held.tenant.answers(() => (response) => void response.socket?.destroy());
    await redeploy(flow(gate({ scheduleName: "Office", name: "changed" })));
    const { open, id } = await judged({ at: AT });
    deepStrictEqual([open, id], [true, 7]);
  });

  it("a copy of one tenant is not another one's", async () => {
    serve(hour(7, "Office"));
    await load(flow(gate({ scheduleId: "7" })));
    await judged({ at: AT });
    held.tenant.received.length = 0;
    await redeploy(flowOf({ url: `${held.tenant.url}/other` }, gate({ scheduleId: "7", onUnknown: "closed" })));
    strictEqual((await judged({ at: AT })).reason, "unknown");
    deepStrictEqual(lines(), [`GET /other${LIST}/7`]);
  });

  describe("chosen by messages", () => {
    const byMessage = { scheduleName: "which", scheduleNameType: "msg", scheduleId: "number", scheduleIdType: "msg" };

    it("is read when the first message asks for it, and then kept", async () => {
      serve(hour(7, "Office"), hour(8, "Night", []));
      await load(flow(gate(byMessage)));
      await settle(50);
      strictEqual(held.tenant.received.length, 0);
      strictEqual((await judged({ at: AT, which: "Office" })).id, 7);
      strictEqual((await judged({ at: AT, which: "Night" })).id, 8);
      strictEqual((await judged({ at: AT, which: "Office" })).open, true);
      strictEqual((await judged({ at: AT, which: "Office", number: 8 })).id, 8, "the id wins");
      deepStrictEqual(lines(), [`GET ${LIST}?search=Office`, `GET ${LIST}?search=Night`, `GET ${LIST}/8`]);
    });

    it("by nothing is ERR_INPUT", async () => {
      await load(flow(gate(byMessage)));
      strictEqual((await fail({ at: AT })).code, "ERR_INPUT");
      deepStrictEqual(lines(), []);
    });

    for (const bad of ["abc", "1/2", "-1", {}, "1".repeat(19)]) {
      it(`an id ${JSON.stringify(bad)} never leaves`, async () => {
        await load(flow(gate(byMessage)));
        const { code, cause } = await fail({ at: AT, number: bad });
        deepStrictEqual([code, cause.field, cause.source], ["ERR_INPUT", "scheduleId", "msg.number"]);
        deepStrictEqual(lines(), []);
      });
    }

    it("shows until when, and renews that", async () => {
      serve(hour(7, "Office", ALWAYS));
      await load(flow(gate(byMessage)));
      const statuses = statusesOf("n1");
      await judged({ which: "Office" });
      await until(() => statuses.length > 0, "a status");
      deepStrictEqual([statuses[0]?.fill, statuses[0]?.shape], ["green", "dot"]);
    });
  });

  describe("read at deploy, whatever else comes with messages or from contexts", () => {
    for (const more of [
      { override: "force", overrideType: "flow" },
      { at: "$.at", atType: "jsonata" },
      { exceptions: "holidays", exceptionsType: "global" },
      { exceptions: "holidays", exceptionsType: "msg" },
      { at: "{{when}}", atType: "mustache" },
    ]) {
      it(JSON.stringify(more), async () => {
        serve(hour(7, "Office"));
        await load(flow(gate({ scheduleName: "Office", ...more })));
        await until(() => held.tenant.received.length === 1, "read without a message");
      });
    }
  });

  describe("unknown", () => {
    const answers: [string, Reply, number?][] = [
      ["the tenant refuses the token", { status: 401, body: {} }],
      ["the schedule is not there", { status: 404, body: { success: false } }],
      ["the answer is no schedule", { body: { success: true, data: { id: 7, name: "Office", days: 5 } } }],
      ["the answer is empty", { body: { success: true, data: null } }],
    ];
    for (const [what, answer] of answers) {
      it(`${what}: ERR_SCHEDULE, and a red status`, async () => {
        held.tenant.answers(() => answer);
        await load(flow(gate({ scheduleId: "7" })));
        const statuses = statusesOf("n1");
        const { code, cause } = await fail({ at: AT });
        deepStrictEqual(
          [code, cause.outcome, cause.retryable, cause.action, cause.mode, cause.sent, cause.sentAt],
          ["ERR_SCHEDULE", "not-applied", true, "business-hour-gate", "live", "no", undefined],
        );
        await until(() => statuses.some(({ fill }) => fill === "red"), "red");
        await settle();
        ok(held.tenant.received.length >= 1);
      });
    }

    for (const [onUnknown, open] of [
      ["open", true],
      ["closed", false],
    ] as const) {
      it(`goes on as ${onUnknown} when told so`, async () => {
        held.tenant.answers(() => ({ status: 404, body: { success: false } }));
        await load(flow(gate({ scheduleId: "7", onUnknown })));
        const statuses = statusesOf("n1");
        deepStrictEqual(await judged({ at: AT }), {
          open,
          reason: "unknown",
          name: null,
          id: null,
          timezone: "UTC",
          checkedAt: "2026-11-23T10:00:00+00:00",
          closesAt: null,
          opensAt: null,
          opensIn: null,
          stale: false,
        });
        deepStrictEqual([seen.out.length, seen.closed.length], open ? [1, 0] : [0, 1]);
        await until(() => statuses.some(({ fill }) => fill === "red"), "red");
      });
    }

    it("no schedule of that name, or two, is ERR_SCHEDULE", async () => {
      serve(hour(1, "Twice"), hour(2, "Twice"), hour(3, "twice "));
      await load(flow(gate({ scheduleName: "Twice" }), gate({ id: "n2", scheduleName: "None" })));
      strictEqual((await fail({ at: AT })).code, "ERR_SCHEDULE");
      strictEqual((await fail({ at: AT }, "n2")).code, "ERR_SCHEDULE");
    });

    it("does not ask again with each message", async () => {
      serve();
      await load(flow(gate({ scheduleName: "None", onUnknown: "open" })));
      for (let round = 0; round < 20; round += 1) await judged({ at: AT });
      strictEqual(held.tenant.received.length, 1);
    });
  });

  it("shows until when it is open, and stale in yellow", async () => {
    serve(hour(7, "Office", [...ALWAYS.slice(0, -1)]));
    await load(flow(gate({ scheduleName: "Office", at: "", atType: "date" })));
    const statuses = statusesOf("n1");
    await until(() => statuses.length > 0, "a status without a message");
    ok(["green", "grey"].includes(String(statuses[0]?.fill)), JSON.stringify(statuses));
    ok(/^(open|closed)Until/.test(String(statuses[0]?.text)), JSON.stringify(statuses));
  });

  it("goes on with its copy while the sandbox is away, stale, and no longer when it is back", async function () {
    this.timeout(40_000);
    let sandbox = await Sandbox.start({ token: TOKEN });
    const { port, state } = sandbox;
    try {
      await load(
        flowOf(
          { url: sandbox.url },
          gate({ scheduleName: "Support 24/7", refresh: 5 }),
          gate({ id: "n2", scheduleName: "Support 24/7" }),
        ),
      );
      const statuses = statusesOf("n1");
      strictEqual((await judged()).stale, false);
      await sandbox.stop();
      let last = await judged();
      for (const end = Date.now() + 12_000; !last.stale && Date.now() < end; last = await judged()) await settle(100);
      deepStrictEqual([last.stale, last.open, last.reason, last.name], [true, true, "hours", "Support 24/7"]);
      strictEqual((await judged({}, "n2")).stale, true, "one copy for both gates");
      await until(() => statuses.at(-1)?.fill === "yellow", "stale in yellow");
      ok(statuses.at(-1)?.text?.includes("stale"), JSON.stringify(statuses.at(-1)));
      strictEqual(seen.caught.length, 0);
      sandbox = await Sandbox.start({ token: TOKEN, port, state });
      for (const end = Date.now() + 15_000; last.stale && Date.now() < end; last = await judged()) await settle(100);
      deepStrictEqual([last.stale, last.open], [false, true]);
      strictEqual((await judged({}, "n2")).stale, false);
      await until(() => statuses.at(-1)?.fill === "green", "fresh again");
    } finally {
      await sandbox.stop();
    }
  });

  it("a gate's messages go through while a campaign waits", async () => {
    serve(hour(7, "Office"));
    await load(
      flowOf({ url: held.tenant.url, rate: 0.1 }, gate({ scheduleName: "which", scheduleNameType: "msg" }), {
        id: "n2",
        type: "call-out",
        tenant: "t1",
        fromNumber: "1",
        fromNumberType: "str",
        toNumber: "2",
        toNumberType: "str",
        answerUrl: "https://example.com/a",
        answerUrlType: "str",
        wires: [["out"]],
      }),
    );
    for (let index = 0; index < 500; index += 1) give({}, "n2");
    await settle(50);
    give({ which: "Office", at: AT });
    await until(() => seen.out.some((message) => "businessHour" in message), "the gate passed its message", 2000);
    strictEqual(nodeOf("n2") !== null, true);
    ok(held.tenant.received.filter(({ method }) => method === "POST").length <= 1);
  });
});
