import assert from "node:assert/strict";
import { join } from "node:path";
import { envelope, hour, LIST, pageOf } from "../../support/business-hours";
import type { LiveTenant, Reply } from "../../support/live-tenant";
import { loggedOnce } from "../../support/process/campaign";
import { eventually } from "../../support/process/eventually";
import { age, journalIn, recordsOf } from "../../support/process/journals";
import { at } from "../../support/process/node-red";
import { unfinishedLines } from "../../support/process/unfinished-lines";
import { BY_SECRET, NUMBER, ORDER, SAYS, type Told, WebhookStage } from "../../support/process/webhook-stage";

const REFUSED = { status: 422, body: { success: false, code: 422, message: "no" } };
/** As senders repeat a request. */
const ONCE = { onceKey: "requestId", onceKeyType: "msg", onceFor: "60" };
const only = ({ status, body }: Told): Readonly<Record<string, unknown>> => ({ status, ...body });

/** Of messages to an escalation. */
const BEGUN = { status: 202, accepted: true, waitsFor: "acknowledgement", changed: true };
const changed = (isChanged: boolean) => ({ status: 200, accepted: true, changed: isChanged });

/** docs/contract/webhook.md, "The answer". */
describe("The answer of a webhook, in a process", () => {
  let stage: WebhookStage;
  let tenant: LiveTenant;
  const deploy: WebhookStage["deploy"] = (...args) => stage.deploy(...args);
  const post = (body: unknown = ORDER, key?: string, path?: string) =>
    stage.send(body, { ...BY_SECRET, ...(key && { "idempotency-key": key }) }, path);
  const received = (count: number) => eventually(() => tenant.received.length === count || undefined);

  before(async () => {
    stage = await WebhookStage.start();
    tenant = stage.tenant;
  });
  beforeEach(() => tenant.reset());
  after(() => stage?.end());

  it("says what became of the call, and of a lost answer that the call may exist", async () => {
    await deploy();
    const { message, ...input } = only(await post({}));
    const refused = { status: 400, accepted: false, code: "ERR_INPUT", outcome: "not-applied", field: "phone" };
    assert.deepEqual(input, refused);
    assert.equal(typeof message, "string");
    for (const [reply, status, code, outcome] of [
      [REFUSED, 502, "ERR_REJECTED", "rejected"],
      [{ status: 401, body: { success: false, code: 401, message: "" } }, 500, "ERR_AUTH", "rejected"],
      [{ status: 429, body: "", headers: { "retry-after": "7" } }, 503, "ERR_RATE_LIMITED", "rejected"],
      [(response) => response.socket?.destroy(), 504, "ERR_CONNECTION_LOST", "unknown"],
    ] as readonly (readonly [Reply, number, string, string])[]) {
      tenant.reset();
      tenant.answers(() => reply);
      const told = await post();
      assert.deepEqual([told.status, told.body["code"], told.body["outcome"]], [status, code, outcome]);
      assert.equal(told.headers.get("retry-after"), status === 503 ? "7" : null);
      assert.equal(tenant.received.length, 1);
    }
  });

  it("tells at once what a call waits for: a date, a pause, the hours, the end of trouble; its turn after a while", async () => {
    const date = new Date(Date.now() + 3_600_000).toISOString();
    await deploy({}, { notBefore: date, notBeforeType: "str" }, [], { timezone: "Asia/Ho_Chi_Minh" });
    const { until, ...dated } = only(await post());
    assert.deepEqual(dated, { status: 202, accepted: true, waitsFor: "date" });
    // In the tenant's zone.
    assert.match(String(until), /\+07:00$/);
    assert.equal(new Date(String(until)).toISOString(), date);

    const secret = { credentials: { secret: BY_SECRET["x-call-secret"] } };
    const control = (command: string, ...wires: string[]) => [
      at(`${command} hook`, "telephony-webhook", { path: command, ...secret }, [command]),
      at(command, "telephony-control", { tenant: "tenant", command }, wires),
    ];
    await deploy({}, {}, [...control("pause"), ...control("resume"), ...control("count", "call")]);
    assert.deepEqual(only(await post({}, undefined, "/pause")), { status: 200, accepted: true });
    assert.deepEqual(only(await post()), { status: 202, accepted: true, waitsFor: "pause" });
    // With a wire, the count goes on, and the call answers.
    assert.deepEqual(only(await post(ORDER, undefined, "/count"))["code"], "ERR_INPUT");
    await post({}, undefined, "/resume");

    const closed = { body: envelope(pageOf([hour(1, "Office", [])], 1, 20)) };
    tenant.answers(({ url }) => (url.startsWith(LIST) ? closed : {}));
    await deploy({}, {}, [], { callingHours: "Office" });
    await eventually(async () => (await post()).body["waitsFor"] === "hours" || undefined);

    tenant.reset();
    await deploy({}, {}, [], { onTrouble: "wait" });
    assert.equal((await post()).status, 200);
    tenant.answers(() => ({ status: 429, body: "", headers: { "retry-after": "60" } }));
    await post();
    assert.deepEqual(only(await post()), { status: 202, accepted: true, waitsFor: "trouble" });
    await stage.nodeRed.deploy(stage.flow({}, ONCE, [], { onTrouble: "wait" }));
    const told = await post(ORDER, "trouble");
    assert.deepEqual(only(told), { status: 503, accepted: false, outcome: "pending" });
    assert.equal(told.headers.get("retry-after"), "5");

    tenant.reset();
    const release = tenant.hold();
    await deploy({}, {}, [], { concurrency: "1" });
    const [first, second] = [post(), post()];
    assert.deepEqual(only(await Promise.race([first, second])), { status: 202, accepted: true, waitsFor: "turn" });
    release();
    await received(2);
    assert.deepEqual(new Set([(await first).status, (await second).status]), new Set([200, 202]));
  });

  it("gives the same key one call and the same answer, once with `repeated`", async () => {
    await deploy({}, ONCE);
    for (const [reply, status] of [
      [{}, 200],
      [REFUSED, 502],
    ] as const) {
      tenant.reset();
      const release = tenant.hold(() => reply);
      const both = [post(ORDER, "same"), post(ORDER, "same")];
      await received(1);
      await eventually(async () => (await stage.seen()).length === 2 || undefined);
      release();
      const told = await Promise.all(both);
      assert.deepEqual([told[0]?.status, told[1]?.status, tenant.received.length], [status, status, 1]);
      assert.equal(told.filter(({ body }) => body["repeated"] === true).length, 1);
      const again = await post(ORDER, "same");
      // A refused call gives its key back.
      if (status === 200) assert.deepEqual(only(again), { status, accepted: true, repeated: true });
      else assert.equal(tenant.received.length, 2);
      await deploy({}, { ...ONCE, onceScope: "tenant" });
    }
    tenant.reset();
    tenant.answers(() => (response) => response.socket?.destroy());
    assert.equal((await post(ORDER, "lost")).status, 504);
    const { message, ...told } = only(await post(ORDER, "lost"));
    const body = { accepted: false, code: "ERR_DUPLICATE", outcome: "unknown", repeated: true };
    assert.deepEqual([told, typeof message], [{ status: 504, ...body }, "string"]);
    // Somebody has looked: the phone has rung.
    const { url } = stage.nodeRed;
    const tenantUrl = `${url}/telephony/tenant/tenant`;
    const open = (await (await fetch(`${tenantUrl}/unknown`)).json()) as {
      readonly calls: readonly { readonly id: string }[];
    };
    const headers = { "content-type": "application/json", origin: url };
    const decision = JSON.stringify({ command: "settle", id: open.calls.at(-1)?.id, as: "rang" });
    const decided = await fetch(`${tenantUrl}/control`, { method: "POST", headers, body: decision });
    assert.equal(((await decided.json()) as { readonly settled: number }).settled, 1);
    assert.deepEqual(only(await post(ORDER, "lost")), { status: 200, accepted: true, repeated: true });
  });

  it("says after a restart, too, that a repeated call waits for its date", async () => {
    const notBefore = new Date(Date.now() + 3_600_000).toISOString();
    await deploy({}, { ...ONCE, notBefore, notBeforeType: "str" }, [], { engine: "file" });
    const told = only(await post(ORDER, "dated"));
    assert.deepEqual([told["status"], told["waitsFor"]], [202, "date"]);
    await stage.nodeRed.stop();
    await stage.restart();
    assert.deepEqual(only(await post(ORDER, "dated")), { ...told, repeated: true });
  });

  it("says that a repeated call from before a stop of 16 minutes is held back", async () => {
    await deploy({}, ONCE, [], { engine: "file", rate: "0.01" });
    for (const key of ["first", "second"]) await post(ORDER, key);
    await stage.nodeRed.stop("SIGKILL");
    age(journalIn(join(stage.folder, "telephony")), 16 * 60_000);
    await stage.restart();
    const told = only(
      await eventually(async () => {
        const answer = await post(ORDER, "second");
        return answer.status === 202 ? answer : undefined;
      }),
    );
    assert.deepEqual(told, { status: 202, accepted: true, waitsFor: "held-back", repeated: true });
  });

  it("is 202 for what a file has, whether it waits for trouble to end or for an answer; a repetition alike", async () => {
    const file = { engine: "file", onTrouble: "wait" };
    await deploy({}, ONCE, [], file);
    // Whatever an earlier test has left in the file, the service works.
    assert.equal((await post(ORDER, "before")).status, 200);
    tenant.answers(() => ({ status: 429, body: "", headers: { "retry-after": "60" } }));
    await post(ORDER, "first");
    const trouble = { status: 202, accepted: true, waitsFor: "trouble" };
    assert.deepEqual(only(await post(ORDER, "trouble")), trouble);
    assert.deepEqual(only(await post(ORDER, "trouble")), { ...trouble, repeated: true });
    tenant.reset();
    await deploy({}, { ...ONCE, onceScope: "tenant" }, [], { ...file, concurrency: "2" });
    const release = tenant.hold();
    const told = await post(ORDER, "slow");
    assert.deepEqual(only(told), { status: 202, accepted: true, waitsFor: "answer" });
    release();
  });

  it("names the field that is missing or wrong, by its place in the body, and no value", async () => {
    const number = (toNumber: string, toNumberType: string) => ({ toNumber, toNumberType });
    const spoken = { action: "talk", text: "Hello {{payload.customer.name}}", textType: "mustache" };
    for (const [call, body, field, words] of [
      [number("payload.customer.phone", "msg"), {}, "customer.phone", /Missing: customer\.phone/],
      [
        number("payload.customer.phone", "msg"),
        { customer: { phone: "no-number" } },
        "customer.phone",
        /customer\.phone/,
      ],
      [number("{{payload.area}}1", "mustache"), {}, "area", /area/],
      [
        number("{{ payload.customer.phone }}", "mustache"),
        { customer: { phone: "no-number" } },
        "customer.phone",
        /phone/,
      ],
      [number("payloads", "msg"), {}, "to.number", /to\.number/],
      [{ actions: [spoken] }, ORDER, "customer.name", /customer\.name/],
      [number("payload.phone & area", "jsonata"), {}, "to.number", /to\.number/],
      [{}, [ORDER], "phone", /list/],
      [{}, '"{\\"phone\\": \\"0901\\"}"', "phone", /Missing/],
    ] as const) {
      await deploy({}, call);
      const { status, body: told } = await post(body);
      assert.deepEqual([status, told["code"], told["field"]], [400, "ERR_INPUT", field], JSON.stringify(told));
      assert.match(String(told["message"]), words);
      assert.doesNotMatch(JSON.stringify(told), /no-number|0901/);
    }
  });

  it("does not let one of several speak for the others", async () => {
    const split = at("split", "split", { splt: "\\n", spltType: "str", arraySplt: "1", arraySpltType: "len" }, [
      "call",
    ]);
    await deploy({ wires: [["split"]] }, {}, [split]);
    const rows = [{ phone: "84901234501" }, { phone: "84901234502" }, { phone: "none" }];
    const parts = { status: 202, accepted: true, parts: 3 };
    for (const each of [rows, [...rows].reverse()]) assert.deepEqual(only(await post(each)), parts);
    await received(4);
    const once = { ...ONCE, onceKey: "payload.phone" };
    await deploy({ wires: [["split"]] }, once, [split]);
    assert.deepEqual(only(await post(rows)), parts);
    await received(6);
    assert.deepEqual(only(await post(rows)), { ...parts, repeated: true });
    // Put together again, they are one.
    const join = at("join", "join", { mode: "auto" }, ["one"]);
    const one = at("one", "change", { rules: [{ t: "set", p: "payload", to: "payload[0]", tot: "jsonata" }] }, [
      "call",
    ]);
    await deploy({ wires: [["split"]] }, {}, [{ ...split, wires: [["join"]] }, join, one]);
    assert.deepEqual(only(await post(rows)), { status: 200, accepted: true });
  });

  it("asks for no repetition by which one of several would ring twice", async () => {
    const split = at("split", "split", { splt: "\\n", spltType: "str", arraySplt: "1", arraySpltType: "len" }, [
      "call",
    ]);
    const rows = ["84901234511", "84901234512", "84901234513"].map((phone) => ({ phone }));
    const full = { concurrency: "1", backlog: "1" };
    for (const call of [{}, { ...ONCE, onceKey: "payload.phone" }]) {
      tenant.reset();
      await deploy({ wires: [["split"]] }, call, [split], full);
      const release = tenant.hold();
      const told = await post(rows);
      // The key makes it safe to ask again for the one that found no place.
      const expected = "onceKey" in call ? [503, "ERR_BACKLOG_FULL", undefined] : [202, undefined, 3];
      assert.deepEqual([told.status, told.body["code"], told.body["parts"]], expected);
      release();
      await received(2);
      if (told.status === 202) continue;
      await post(rows);
      await received(3);
    }
    assert.deepEqual(
      [...stage.rung].sort(),
      rows.map(({ phone }) => phone),
    );
    // No part has rung.
    await deploy({ wires: [["split"]] }, {}, [split]);
    tenant.answers(() => ({ status: 429, body: "", headers: { "retry-after": "7" } }));
    assert.deepEqual([(await post(rows)).body["code"]], ["ERR_RATE_LIMITED"]);

    const other = "84901234599";
    const second = at("second", "call-out", {
      ...{ tenant: "tenant", toNumber: other, toNumberType: "str", toKind: "external", toKindType: "str" },
      ...{ ...SAYS, target: "-" },
    });
    const lost: Reply = (response) => response.socket?.destroy();
    for (const [slow, quick, status, code] of [
      [{}, { status: 429, body: "" }, 202, undefined],
      [{}, REFUSED, 202, undefined],
      [lost, REFUSED, 504, "ERR_CONNECTION_LOST"],
      [lost, lost, 202, undefined],
      [REFUSED, REFUSED, 502, "ERR_REJECTED"],
    ] as readonly (readonly [Reply, Reply, number, string | undefined])[]) {
      await deploy({ wires: [["call", "second"]] }, {}, [second], { concurrency: "2" });
      tenant.reset();
      tenant.answers(async ({ body }) => {
        if (Object(body)["to.number"] === other) return quick;
        await eventually(() => tenant.answered > 0 || quick === lost || undefined);
        return slow;
      });
      const told = await post();
      assert.deepEqual([told.status, told.body["code"]], [status, code]);
      if (status === 202) assert.deepEqual(told.body, { accepted: true, parts: 2 });
    }
  });

  it("does not come from an HTTP Response node after a failed call", async () => {
    const late = at("late", "http response", { statusCode: "299", headers: { "x-decided": "too late" } });
    await deploy({}, {}, [at("catch", "catch", { scope: ["call"] }, ["late"]), late]);
    tenant.answers(() => REFUSED);
    const told = await post();
    assert.deepEqual([told.status, told.headers.get("x-decided")], [502, null]);
  });

  it("is at a stop what is known of the call", async () => {
    await deploy();
    tenant.answers(() => (response) => response.socket?.destroy());
    const failed = stage.nodeRed.prints("[error]");
    const told = post();
    await failed;
    await stage.nodeRed.stop();
    await stage.restart();
    assert.deepEqual([(await told).status, (await told).body["code"]], [504, "ERR_CONNECTION_LOST"]);
  });

  it("comes from an HTTP Response node, too, where nothing else has answered", async () => {
    const nothing = at("nothing", "http response", { statusCode: "204", headers: { "x-decided": "nothing to do" } });
    await deploy({ wires: [["nothing"]] }, {}, [nothing]);
    const told = await post();
    assert.deepEqual([told.status, told.headers.get("x-decided")], [204, "nothing to do"]);
    const before = stage.nodeRed.log.length;
    await deploy({}, { wires: [["nothing", "seen"]] }, [nothing]);
    assert.deepEqual(only(await post()), { status: 200, accepted: true });
    const [message] = await eventually(async () => ((await stage.seen()).length > 0 ? stage.seen() : undefined));
    assert.ok(!("res" in (message ?? {})), "no JSON");
    assert.doesNotMatch(stage.nodeRed.log.slice(before), /error/i);
  });

  it("comes from the flow where that answers, also if the call had to wait in a file", async () => {
    const told = at("told", "http response", { statusCode: "201", headers: {} });
    await deploy({ answer: "flow" }, { wires: [["told"]] }, [told], { engine: "file", concurrency: "1" });
    const release = tenant.hold();
    const answers = [post(), post()];
    await received(1);
    release();
    for (const answer of answers) assert.equal((await answer).status, 201);
  });

  it("is 200 for what a repetition cannot change, where the sender takes nothing else", async () => {
    const only200 = { status: "200" };
    const date = new Date(Date.now() + 3_600_000).toISOString();
    for (const [webhook, call, more, body, accepted] of [
      [{}, {}, {}, ORDER, true],
      [{ answer: "taken" }, {}, {}, ORDER, true],
      [{}, { notBefore: date, notBeforeType: "str" }, {}, ORDER, true],
      [{}, {}, {}, {}, false],
      [{}, {}, { block: [NUMBER], blockType: "json", country: "VN" }, ORDER, false],
      [{}, { notAfter: "2026-01-01T00:00Z", notAfterType: "str" }, {}, ORDER, false],
    ] as const) {
      await deploy({ ...webhook, ...only200 }, call, [], more);
      const told = await post(body);
      assert.deepEqual([told.status, told.body["accepted"]], [200, accepted], JSON.stringify(told.body));
    }
    await deploy(only200);
    tenant.answers(() => (response) => response.socket?.destroy());
    assert.deepEqual([(await post()).status], [200]);
    tenant.answers(() => ({ status: 429, body: "" }));
    assert.equal((await post()).status, 503);
    for (const [body, headers, status] of [
      ["{", { ...BY_SECRET, "content-type": "application/json" }, 400],
      ["{}", {}, 401],
      ["a", { ...BY_SECRET, "content-type": "image/png" }, 415],
    ] as const)
      assert.equal((await stage.send(body, headers)).status, status);
  });

  it("is no error in the log where it says that the request was repeated", async () => {
    await deploy({}, ONCE);
    assert.equal((await post(ORDER, "again")).status, 200);
    assert.equal((await post(ORDER, "again")).body["repeated"], true);
    const refused = stage.nodeRed.prints("[error]");
    await post({}, "another");
    await refused;
    assert.equal(stage.nodeRed.log.match(/\[error\]/g)?.length, 1, stage.nodeRed.log);
    // Catch nodes have it.
    const caught = at("catch", "catch", { scope: ["call"] }, ["seen"]);
    await stage.nodeRed.deploy(stage.flow({}, ONCE, [caught]));
    await post(ORDER, "again");
    await eventually(
      async () => (await stage.seen()).some(({ error }) => Object(Object(error).source).id) || undefined,
    );
  });

  it("tells no 2xx, with a key, for a call in flight that is then refused", async () => {
    await deploy({}, ONCE);
    const release = tenant.hold(() => REFUSED);
    const first = await post(ORDER, "slow");
    assert.deepEqual(only(first), { status: 503, accepted: false, outcome: "pending" });
    const second = post(ORDER, "slow");
    await eventually(async () => (await stage.seen()).length === 2 || undefined);
    release();
    assert.deepEqual([(await second).status, (await second).body["repeated"]], [502, true]);
    assert.equal(tenant.received.length, 1);
  });

  it("answers the same client across a deploy, and 202 where nothing of ours ends the message", async () => {
    await deploy();
    const release = tenant.hold();
    const answer = post();
    await received(1);
    await stage.nodeRed.deploy(stage.flow({ name: "Renamed" }, { name: "Renamed" }));
    release();
    assert.equal((await answer).status, 200);
    await deploy({ wires: [["seen"]] });
    assert.deepEqual(only(await post()), { status: 202, accepted: true, waitsFor: "flow" });
  });

  it("is answered by an escalation, and by a gate, a list or a count that lead nowhere", async () => {
    const gate = { tenant: "", source: "value", timezone: "UTC", schedule: { days: [] }, scheduleType: "json" };
    await deploy({ wires: [["gate"]] }, {}, [at("gate", "business-hour-gate", gate, ["call"], [])]);
    assert.deepEqual(only(await post()), { status: 200, accepted: false, reason: "closed" });
    const incident = {
      ...{ tenant: "tenant", key: "fire", keyType: "str", ...SAYS, ringFor: "60" },
      ...{ people: [{ name: "Jane", number: NUMBER }], peopleType: "json" },
    };
    await deploy({ wires: [["escalate"]] }, {}, [at("escalate", "call-escalate", incident, [], [])]);
    const told = only(await post());
    assert.deepEqual(told, BEGUN);
    assert.deepEqual(only(await post()), changed(false));
    // Reading goes on; what stands behind it answers, also if it has a wire.
    const list = at("list", "business-hour-list", { tenant: "tenant" }, ["escalate"]);
    await deploy({ wires: [["list"]] }, {}, [list, at("escalate", "call-escalate", incident, ["seen"], [])]);
    const nothing = { body: envelope(pageOf([], 1, 1)) };
    tenant.answers(({ method }) => (method === "GET" ? nothing : {}));
    for (const expected of [told, changed(false)]) assert.deepEqual(only(await post()), expected);
    const plan = { tenant: "tenant", mode: "plan", scheduleName: "Office", scheduleNameType: "str" };
    const days = { days: [{ day: "mon", open: "08:00", close: "12:00" }], daysType: "list" };
    await deploy({ wires: [["plan"]] }, {}, [at("plan", "business-hour-ensure", { ...plan, ...days }, ["seen"])]);
    tenant.answers(() => nothing);
    assert.deepEqual(only(await post()), { status: 200, accepted: true });
    await deploy({ wires: [["count"]] }, {}, [
      at("count", "telephony-control", { tenant: "tenant", command: "count" }, []),
    ]);
    assert.deepEqual(only(await post()), { status: 200, accepted: true });
  });

  it("says whether a message to an escalation changed anything, and lets one that is held back go on", async () => {
    const people = ["1", "2"].map((name) => ({ name, number: `${NUMBER}${name}` }));
    const node = { tenant: "tenant", key: "fire", keyType: "str", ...SAYS, ringFor: "10", rounds: "20" };
    const rules = ["acknowledge", "over"].map((p) => ({ t: "set", p, pt: "msg", to: `payload.${p}`, tot: "msg" }));
    await deploy(
      { wires: [["words"]] },
      {},
      [
        at("words", "change", { rules }, ["escalate"]),
        at("escalate", "call-escalate", { ...node, peopleType: "json", people: JSON.stringify(people) }, [], []),
      ],
      { engine: "file" },
    );
    assert.deepEqual(only(await post({})), BEGUN);
    await received(1);
    const journal = journalIn(join(stage.folder, "telephony"));
    await eventually(() => JSON.stringify(recordsOf(journal)).includes('"applied"') || undefined);
    await stage.nodeRed.stop("SIGKILL");
    age(journal, 16 * 60_000);
    await stage.restart();
    await loggedOnce(stage.nodeRed, "[warn]", "held back: 1");
    assert.equal(tenant.received.length, 1);
    assert.deepEqual(only(await post({})), changed(true));
    await eventually(() => tenant.received.length > 1 || undefined);
    assert.deepEqual(stage.rung.slice(0, 2), [`${NUMBER}1`, `${NUMBER}2`]);
    assert.deepEqual(only(await post({})), changed(false));
    const acknowledgedAt = Date.now();
    assert.deepEqual(only(await post({ acknowledge: "Jane" })), changed(true));
    for (const body of [{}, { acknowledge: "Jane" }]) {
      const { quietUntil, ...told } = only(
        await eventually(async () => {
          const again = await post(body);
          return again.body["quietUntil"] ? again : undefined;
        }),
      );
      assert.deepEqual(told, changed(false));
      assert.equal(quietUntil, new Date(String(quietUntil)).toISOString());
      const ms = Date.parse(String(quietUntil)) - 900_000;
      assert.ok(acknowledgedAt <= ms && ms <= Date.now(), String(quietUntil));
    }
    assert.deepEqual(only(await post({ over: true })), changed(true));
    assert.deepEqual(only(await post({ over: true })), changed(false));
    assert.deepEqual(only(await post({})), BEGUN);
  });

  it("holds no number, name, token or text of the request, the flow or the service", async () => {
    const planted: string[] = [];
    const plant = (text: string) => {
      planted.push(text);
      return text;
    };
    const number = () => plant(`8490${1_000_000 + planted.length}`);
    const words = () => plant(`planted-${planted.length}-words`);
    const body = () => ({
      ...Object.fromEntries(Array.from({ length: 4 }, () => [words(), words()])),
      phone: number(),
    });
    const blocked = number();
    const guard = { block: [blocked], blockType: "json", country: "VN", name: words(), fromNumber: number() };
    const call = { ...ONCE, name: words() };
    await deploy({ name: words() }, call, [], { ...guard, credentials: { token: plant("token-of-the-planted") } });
    const texts: string[] = [];
    const tell = async (given: unknown, key = words()) => {
      const { headers, status, body: told } = await post(given, key);
      texts.push(JSON.stringify([...headers, status, told]));
      return status;
    };
    const statuses = [
      await tell(body()),
      await tell({ ...body(), phone: words() }),
      await tell({ ...body(), phone: blocked }),
    ];
    const repeated = words();
    statuses.push(await tell(body(), repeated), await tell(body(), repeated));
    const message = `${words()} ${number()}`;
    for (const status of [400, 401, 404, 422, 429, 500]) {
      tenant.answers(() => ({ status, body: { success: false, code: status, message, data: { name: message } } }));
      statuses.push(await tell(body()));
    }
    assert.deepEqual(statuses, [200, 400, 403, 200, 200, 502, 500, 502, 502, 503, 504]);
    assert.ok(planted.length >= 40);
    for (const value of planted) assert.ok(!texts.join().includes(value), `${value} in ${texts.join("\n")}`);
  });

  for (const engine of ["memory", "file"])
    it(`is as the outcome in unfinished.jsonl at a stop, engine ${engine}, and 202 for what goes on after the start`, async () => {
      await deploy({}, {}, [], { engine });
      const losing: readonly Reply[] = [REFUSED, (response) => response.socket?.destroy()];
      const release = tenant.hold((_, index) => losing[index] ?? {});
      const numbers = Array.from({ length: 20 }, (_, n) => `8490${engine.length}23${1000 + n}`);
      const answers = numbers.map((phone) => post({ phone }));
      // Of eight places, two are kept for calls that are under way.
      await received(6);
      await eventually(async () => (await stage.seen()).length === 20 || undefined);
      const stops = stage.nodeRed.prints("Stopping flows");
      const exit = stage.nodeRed.stop();
      await stops;
      release();
      await exit;
      const told = await Promise.all(answers);
      const before = stage.rung.length;
      const lines = unfinishedLines(join(stage.folder, "telephony", "unfinished.jsonl"));
      await stage.restart();
      const kept = engine === "file" ? 14 : 0;
      await eventually(() => stage.rung.length === before + kept || undefined);
      const after = stage.rung.slice(before);
      const STATUS: Readonly<Record<string, number>> = {
        applied: 200,
        unknown: 504,
        rejected: 503,
        "not-applied": 503,
      };
      for (const [n, { status, body }] of told.entries()) {
        const line = lines.findLast(({ request }) => request["to.number"] === numbers[n]);
        // On a slow machine, a call in memory was told after two seconds that it waits for its turn.
        if (body["waitsFor"] !== "turn" || engine === "file")
          assert.equal(status, line ? STATUS[line.outcome] : 202, `${numbers[n]}: ${status} ${line?.outcome}`);
        assert.equal(after.includes(numbers[n] ?? ""), status === 202 && engine === "file", `${numbers[n]}: ${status}`);
      }
      assert.equal(new Set(stage.rung).size, stage.rung.length);
      assert.ok(lines.length > 0 || engine === "file");
    });
});
