import assert from "node:assert/strict";
import { util } from "@node-red/util";
import { eventually } from "./process/eventually";
import { type Deployable, deployable, example, exampleNames } from "./process/examples";
import { type FlowNode, NodeRed } from "./process/node-red";
import { userFolder } from "./process/user-folder";

const SECRET = "a secret of the tests";
const KNOWS = { "x-call-secret": SECRET };

interface Call {
  readonly callId: string;
  readonly state: string;
  readonly to: unknown;
  readonly actions?: readonly { readonly text: string }[];
  readonly participants: readonly object[];
}

interface Schedule {
  readonly id: number;
  readonly name: string;
  readonly days: readonly object[];
}

interface Answered {
  readonly status: number;
  readonly text: string;
  readonly json: {
    accepted?: boolean;
    code?: string;
    message?: string;
    first?: { outcome?: string };
    open?: boolean;
    opensAt?: string;
    closesAt?: string;
    transferred?: boolean;
  };
}

/** The office of the sandbox is open on weekdays from 8 to 12 and from 13 to 17:30. */
const MONDAY_AT_TEN = "2099-01-05T10:00";
const SUNDAY_AT_TEN = "2099-01-04T10:00";

/** Nodes that tell a test which schedules a tenant has: the sandbox itself has no page for them. */
function scheduleReader(tenant: FlowNode, _index: number, flows: FlowNode[]): FlowNode[] {
  if (tenant.type !== "telephony-tenant") return [];
  const number = flows.filter(({ type }) => type === "telephony-tenant").indexOf(tenant);
  const z = `reader ${number}`;
  return [
    { id: z, type: "tab", label: z },
    { id: `${z} in`, z, type: "http in", method: "get", url: `/schedules/${number}`, wires: [[`${z} list`]] },
    { id: `${z} list`, z, type: "business-hour-list", tenant: tenant.id, output: "all", wires: [[`${z} out`]] },
    { id: `${z} out`, z, type: "http response", wires: [] },
  ];
}

async function answered(response: Promise<Response>): Promise<Answered> {
  const { status } = await response;
  const text = await (await response).text();
  return { status, text, json: text === "" ? {} : (JSON.parse(text) as Answered["json"]) };
}

describe("the example flows in a real Node-RED", function () {
  this.timeout(60_000);
  let nodeRed: NodeRed;
  let shown: Deployable;

  before(async function () {
    this.timeout(120_000);
    nodeRed = await NodeRed.start(await userFolder(), { CALL_SECRET: undefined });
  });
  after(() => nodeRed?.kill());

  /** @param at the instant at which its gates judge what comes in; the clock's when not given */
  async function show(name: string, secret?: string, at?: string): Promise<void> {
    shown = await deployable(name, secret);
    // A sandbox keeps its calls over a redeploy; only without its tenant it ends.
    await nodeRed.deploy([]);
    const judging = (node: FlowNode) =>
      at && node.type === "business-hour-gate" ? { ...node, at, atType: "str" } : node;
    await nodeRed.deploy([...shown.flows.map(judging), ...shown.flows.flatMap(scheduleReader)]);
  }

  async function calls(): Promise<Call[]> {
    return (await (await fetch(`${shown.sandboxes[0]}/calls`)).json()) as Call[];
  }

  /** What a tenant of the example was asked for, oldest first. */
  async function asked(tenant = 0): Promise<string[]> {
    const log = (await (await fetch(`${shown.sandboxes[tenant]}/log`)).json()) as {
      method: string;
      path: string;
      status: number;
    }[];
    return log.map(({ method, path, status }) => `${method} ${path} ${status}`);
  }

  /** The schedules of a tenant of the example, as they are now. */
  async function schedules(tenant = 0): Promise<Schedule[]> {
    return (await (await nodeRed.get(`/schedules/${tenant}`)).json()) as Schedule[];
  }

  /** Presses a button and waits for what a Debug node then shows. */
  async function shows(button: string, text: string | RegExp): Promise<void> {
    const before = nodeRed.log.length;
    await nodeRed.inject(shown.id(button));
    await eventually(() => nodeRed.log.slice(before).search(text) >= 0 || undefined);
  }

  /** The next requests to the sandbox fail. */
  async function trouble(trouble: object): Promise<void> {
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(trouble) };
    assert.equal((await fetch(`${shown.sandboxes[0]}/trouble`, init)).status, 200);
  }

  it("are found by the editor's Import menu", async () => {
    const library = await (await nodeRed.get("/library/examples/flows/@cloud-telephony/node-red-call-actions")).text();
    for (const name of exampleNames) assert.ok(library.includes(name), name);
  });

  it("can be deployed all together", async () => {
    const all = await Promise.all(exampleNames.map((name) => deployable(name, SECRET)));
    await nodeRed.deploy(all.flatMap(({ flows }) => flows));
  });

  it("find the code of an error where Node-RED 4.0 hands it on, too", async () => {
    const read = (expression: string, error: object) =>
      new Promise((resolve, reject) => {
        const prepared = util.prepareJSONataExpression(expression, { _flow: null } as never);
        util.evaluateJSONataExpression(prepared, { payload: 1, error } as never, (problem, value) =>
          problem ? reject(problem) : resolve(value),
        );
      });
    const changes = exampleNames.flatMap(example).filter(({ type }) => type === "change");
    const rules = changes.flatMap((node) => node["rules"] as { to?: string; tot?: string }[]);
    const judging = rules.filter(({ to, tot }) => tot === "jsonata" && to?.includes("error."));
    assert.ok(judging.length >= 10);
    const [code, message, cause] = ["ERR_DUPLICATE", "ERR_DUPLICATE: …", { outcome: "not-applied" }];
    for (const { to = "" } of judging) {
      const now = await read(to, { code, message, cause });
      assert.ok(now === 200 || (now as { code: string }).code === code, to);
      assert.deepEqual(await read(to, { message, cause: { ...cause, code } }), now);
      // Another node's error has neither.
      assert.notEqual(await read(to, { message }), undefined);
    }
  });

  describe("Call a customer when a form is posted", () => {
    const ada = { name: "Ada", number: "0000000000" };
    const post = (body: unknown, headers = {}) => answered(nodeRed.post("/call-a-customer", body, headers));

    beforeEach(() => show("Call a customer when a form is posted", SECRET));

    it("serves its form, which loads and sends to nothing but itself", async () => {
      const page = await nodeRed.get("/call-a-customer");
      assert.equal(page.status, 200);
      assert.match(page.headers.get("content-type") ?? "", /^text\/html/);
      assert.match(page.headers.get("content-security-policy") ?? "", /default-src 'none'.*form-action 'self'/);
      const html = await page.text();
      assert.ok(html.includes("</form>"));
      assert.ok(!html.includes(SECRET));
    });

    it("calls the customer and greets them by name", async () => {
      const answer = await post(ada, KNOWS);
      assert.equal(answer.status, 200);
      assert.equal(answer.json.accepted, true);
      const [call, ...others] = await calls();
      assert.deepEqual(others, []);
      assert.deepEqual(call?.to, { type: "external", number: "0000000000", alias: "Ada" });
      assert.match(call?.actions?.[0]?.text ?? "", /^Hello Ada,/);
    });

    it("takes the secret from the form as well, and an ordinary form's encoding", async () => {
      const body = new URLSearchParams({ ...ada, secret: SECRET });
      const answer = await answered(fetch(`${nodeRed.url}/call-a-customer`, { method: "POST", body }));
      assert.equal(answer.status, 200);
      assert.equal((await calls()).length, 1);
    });

    for (const [what, body, headers] of [
      ["no secret", ada, {}],
      ["a wrong secret", ada, { "x-call-secret": "wrong" }],
      ["an empty secret", { ...ada, secret: "" }, { "x-call-secret": "" }],
      ["a list for a secret", { ...ada, secret: [] }, {}],
      ["no object at all", [1], {}],
    ] as const) {
      it(`refuses ${what}`, async () => {
        assert.equal((await post(body, headers)).status, 401);
        assert.deepEqual(await calls(), []);
      });
    }

    for (const secret of [undefined, ""]) {
      it(`refuses everybody while CALL_SECRET is ${secret === undefined ? "not set" : "empty"}`, async () => {
        await show("Call a customer when a form is posted", secret);
        for (const said of ["", "undefined", "null", "CALL_SECRET"]) {
          assert.equal((await post({ ...ada, secret: said }, { "x-call-secret": said })).status, 503);
        }
        assert.equal((await post(ada)).status, 503);
        assert.equal((await post({ ...ada, secret: null })).status, 503);
        assert.deepEqual(await calls(), []);
      });
    }

    for (const [what, body] of [
      ["without a number", { name: "Ada" }],
      ["without a name, which the greeting needs", { number: "0000000000" }],
      ["that is a list", []],
    ] as const) {
      it(`answers 400 to a post ${what}, and calls nobody`, async () => {
        const answer = await post(body, KNOWS);
        assert.equal(answer.status, 400);
        assert.equal(answer.json.code, "ERR_INPUT");
        assert.equal(answer.json.accepted, false);
        assert.deepEqual(await calls(), []);
      });
    }

    it("answers 502 when nobody knows whether the call was placed, and shows nothing of the inside", async () => {
      await trouble({ times: 1, status: 503 });
      const answer = await post(ada, KNOWS);
      assert.equal(answer.status, 502);
      assert.equal(answer.json.code, "ERR_SERVER");
      assert.match(answer.json.message ?? "", /Do not repeat/);
      assert.deepEqual(Object.keys(answer.json).sort(), ["accepted", "code", "message"]);
      assert.doesNotMatch(answer.text, /stack|node_modules|\.js/);
    });

    it("answers 503 when the service has too much to do", async () => {
      await trouble({ times: 1, status: 429 });
      const answer = await post(ada, KNOWS);
      assert.equal(answer.status, 503);
      assert.match(answer.json.message ?? "", /can be tried again/);
    });

    it("rings once, however often the same post comes", async () => {
      const twice = { ...ada, requestId: "one" };
      assert.equal((await post(twice, KNOWS)).status, 200);
      const again = await post(twice, KNOWS);
      assert.equal(again.status, 200);
      assert.equal(again.json.code, "ERR_DUPLICATE");
      assert.equal(again.json.first?.outcome, "applied");
      assert.equal((await calls()).length, 1);
    });

    it("can be tried with its Inject node", async () => {
      await nodeRed.inject(shown.id("Try it: Ada posts the form"));
      const call = await eventually(async () => (await calls())[0]);
      assert.deepEqual(call.to, { type: "external", number: "0000000000", alias: "Ada" });
    });
  });

  describe("Call control by webhook", () => {
    const callId = "a-call-of-the-tests";
    const to = { type: "internal", number: "12" };
    const post = (action: string, body: unknown, headers = {}) =>
      answered(nodeRed.post(`/call-control/${action}`, body, headers));

    beforeEach(() => show("Call control by webhook", SECRET));

    for (const [action, expected] of [
      ["transfer", { state: "ongoing", participants: [{ ...to, by: "transfer" }] }],
      ["listen", { state: "ongoing", participants: [{ ...to, by: "add-user", listensOnly: true }] }],
      ["stop", { state: "ended", participants: [] }],
    ] as const) {
      it(`does ${action}`, async () => {
        const answer = await post(action, { callId, to }, KNOWS);
        assert.equal(answer.status, 200);
        assert.deepEqual(answer.json, { accepted: true, callId, message: answer.json.message });
        const [call] = await calls();
        assert.equal(call?.callId, callId);
        assert.deepEqual({ state: call?.state, participants: call?.participants }, expected);
      });

      it(`refuses ${action} to whoever does not know the secret`, async () => {
        assert.equal((await post(action, { callId, to })).status, 401);
        assert.equal((await post(action, { callId, to }, { "x-call-secret": "wrong" })).status, 401);
        await show("Call control by webhook");
        assert.equal((await post(action, { callId, to }, { "x-call-secret": "" })).status, 503);
        assert.deepEqual(await calls(), []);
      });

      it(`answers 400 to ${action} without a call id`, async () => {
        const answer = await post(action, { to }, KNOWS);
        assert.equal(answer.status, 400);
        assert.match(answer.json.code ?? "", /^ERR_INPUT$/);
      });
    }

    it("answers 404 to an action that it does not have", async () => {
      assert.equal((await post("merge", { callId }, KNOWS)).status, 404);
    });

    for (const [button, done] of [
      ["Try a transfer", (call: Call) => call.participants.length === 1],
      ["Try to listen in", (call: Call) => "listensOnly" in (call.participants[0] ?? {})],
      ["Try to stop", (call: Call) => call.state === "ended"],
    ] as const) {
      it(`can be tried with its Inject node "${button}"`, async () => {
        await nodeRed.inject(shown.id(button));
        await eventually(async () => (await calls()).some(done) || undefined);
      });
    }
  });

  describe("What does my phone system send", () => {
    beforeEach(() => show("What does my phone system send"));

    it("thanks for whatever comes in, and lets somebody stop that call by hand", async () => {
      const answer = await nodeRed.post("/phone-system?from=the-query", { callId: "seen-last" });
      assert.equal(answer.status, 204);
      assert.equal((await nodeRed.get("/phone-system?callId=in-the-query")).status, 204);
      await nodeRed.post("/phone-system", { callId: "seen-last" });
      assert.deepEqual(await calls(), []);
      await nodeRed.inject(shown.id("Stop the call seen last"));
      const call = await eventually(async () => (await calls())[0]);
      assert.deepEqual([call.callId, call.state], ["seen-last", "ended"]);
    });

    it("can be tried with its Inject nodes alone", async () => {
      await nodeRed.inject(shown.id("Try it: something comes in"));
      await nodeRed.inject(shown.id("Stop the call seen last"));
      const call = await eventually(async () => (await calls())[0]);
      assert.deepEqual([call.callId, call.state], ["example-call", "ended"]);
    });
  });

  describe("Only call during business hours", () => {
    const name = "Only call during business hours";
    const ada = { name: "Ada", number: "0000000000" };
    const post = (body: unknown, headers = {}) => answered(nodeRed.post("/call-in-business-hours", body, headers));

    it("calls the customer while it is open, before it closes", async () => {
      await show(name, SECRET, MONDAY_AT_TEN);
      const { status, json } = await post(ada, KNOWS);
      assert.deepEqual([status, json.accepted, json.open], [200, true, true]);
      assert.match(json.closesAt ?? "", /^2099-01-05T12:00:00/);
      assert.match(json.opensAt ?? "", /^2099-01-05T13:00:00/);
      const [call, ...others] = await calls();
      assert.deepEqual(others, []);
      assert.deepEqual(call?.to, { type: "external", number: "0000000000", alias: "Ada" });
      assert.match(call?.actions?.[0]?.text ?? "", /^Hello Ada,/);
    });

    it("answers 409 while it is closed, says when it opens, and calls nobody", async () => {
      await show(name, SECRET, SUNDAY_AT_TEN);
      const { status, json } = await post(ada, KNOWS);
      assert.deepEqual([status, json.accepted, json.open], [409, false, false]);
      assert.match(json.opensAt ?? "", /^2099-01-05T08:00:00/);
      assert.match(json.message ?? "", /Ask again from 2099-01-05T08:00:00/);
      assert.deepEqual(await calls(), []);
    });

    it("calls nobody whose turn comes after it has closed", async () => {
      // Open on a day long past, so that closing time is over.
      await show(name, SECRET, "2024-01-08T10:00");
      const { status, json } = await post(ada, KNOWS);
      assert.deepEqual([status, json.code], [409, "ERR_EXPIRED"]);
      assert.match(json.opensAt ?? "", /^2024-01-08T13:00:00/);
      assert.deepEqual(await calls(), []);
    });

    it("rings once, however often the same post comes", async () => {
      await show(name, SECRET, MONDAY_AT_TEN);
      const twice = { ...ada, requestId: "one" };
      assert.equal((await post(twice, KNOWS)).status, 200);
      const { status, json } = await post(twice, KNOWS);
      assert.deepEqual([status, json.code, json.first?.outcome], [200, "ERR_DUPLICATE", "applied"]);
      assert.equal((await calls()).length, 1);
    });

    it("refuses whoever does not know the secret, and everybody while there is none", async () => {
      await show(name, SECRET, MONDAY_AT_TEN);
      assert.equal((await post(ada)).status, 401);
      assert.equal((await post(ada, { "x-call-secret": "wrong" })).status, 401);
      assert.deepEqual(await calls(), []);
      await show(name, undefined, MONDAY_AT_TEN);
      assert.equal((await post(ada, { "x-call-secret": "" })).status, 503);
      assert.deepEqual(await calls(), []);
    });

    it("goes by the clock, whatever a post says, and can be tried with its Inject nodes", async () => {
      await show(name, SECRET);
      const { status, json } = await post({ ...ada, at: SUNDAY_AT_TEN, override: "closed" }, KNOWS);
      assert.equal(status, json.open ? 200 : 409);
      const before = (await calls()).length;
      assert.equal(before, json.open ? 1 : 0);
      assert.doesNotMatch(json.opensAt ?? "", /^2099/);
      await shows("Try it on a Sunday", /opensAt: '2099-01-05T08:00:00/);
      assert.equal((await calls()).length, before);
      await shows("Try it on a Monday", /closesAt: '2099-01-05T12:00:00/);
      assert.equal((await calls()).length, before + 1);
      await shows("Try it now", json.open ? "open: true" : "open: false");
    });
  });

  describe("After-hours: transfer the caller to the night queue", () => {
    const name = "After-hours transfer the caller to the night queue";
    const post = (body: unknown, headers = {}) => answered(nodeRed.post("/incoming-call", body, headers));
    const queue = { type: "queue", number: "9", alias: "Night queue", by: "transfer/advance" };

    it("transfers a caller blindly to the queue while it is closed, and once when told twice", async () => {
      await show(name, SECRET, SUNDAY_AT_TEN);
      const { status, json } = await post({ callId: "comes-in" }, KNOWS);
      assert.deepEqual([status, json.transferred, json.open], [200, true, false]);
      assert.match(json.opensAt ?? "", /^2099-01-05T08:00:00/);
      const again = await post({ callId: "comes-in" }, KNOWS);
      assert.deepEqual([again.status, again.json.code], [200, "ERR_DUPLICATE"]);
      const [call, ...others] = await calls();
      assert.deepEqual(others, []);
      assert.deepEqual([call?.callId, call?.participants], ["comes-in", [queue]]);
      assert.match(JSON.stringify(call), /"blind"/);
    });

    it("leaves the call alone while it is open", async () => {
      await show(name, SECRET, MONDAY_AT_TEN);
      const { status, json } = await post({ callId: "comes-in" }, KNOWS);
      assert.deepEqual([status, json.transferred, json.open], [200, false, true]);
      assert.match(json.message ?? "", /nothing to do/);
      assert.deepEqual(await calls(), []);
    });

    it("refuses whoever does not know the secret, and a report without a call's id", async () => {
      await show(name, SECRET, SUNDAY_AT_TEN);
      assert.equal((await post({ callId: "comes-in" })).status, 401);
      const { status, json } = await post({}, KNOWS);
      assert.deepEqual([status, json.code], [400, "ERR_INPUT"]);
      assert.deepEqual(await calls(), []);
    });

    it("goes by the clock, whatever a post says, and can be tried with its Inject nodes", async () => {
      await show(name, SECRET);
      const { json } = await post({ callId: "comes-in", at: SUNDAY_AT_TEN, override: "closed" }, KNOWS);
      const before = (await calls()).length;
      assert.equal(before, json.open ? 0 : 1);
      assert.doesNotMatch(json.opensAt ?? "", /^2099/);
      await shows("Try it on a Monday", "transferred: false");
      assert.equal((await calls()).length, before);
      await shows("Try it on a Sunday", /opensAt: '2099-01-05T08:00:00/);
      assert.equal((await calls()).length, before + 1);
      await shows("Try it now", json.open ? "open: true" : "open: false");
    });
  });

  describe("Copy a schedule to another tenant", () => {
    beforeEach(() => show("Copy a schedule to another tenant"));

    it("creates in the second tenant what it reads in the first, and shows the new id", async () => {
      const before = await schedules(1);
      await shows("Copy number 1", "newId: 3");
      const [office] = await schedules(0);
      const [copy, ...others] = (await schedules(1)).slice(before.length);
      assert.deepEqual(others, []);
      assert.deepEqual([copy?.id, copy?.name, copy?.days], [3, office?.name, office?.days]);
      assert.equal((await schedules(0)).length, 2);
      assert.ok((await asked(0)).every((request) => request.startsWith("GET ")));
    });

    it("shows what the second tenant has", () => shows("What the second tenant has", "Support 24/7"));

    it("says why it could not, and shows no id", async () => {
      const path = "/api/v1/setting/business-hour";
      await trouble({ times: 1, status: 403, path: `${path}/1` });
      await shows("Copy number 1", "ERR_AUTH");
      assert.ok(!(await asked(1)).some((request) => request.startsWith("POST ")));
    });
  });

  describe("Delete schedules by search, after asking", () => {
    const old = ["Old summer hours", "Old winter hours"];
    const names = async () => (await schedules()).map(({ name }) => name).sort();

    beforeEach(async () => {
      await show("Delete schedules by search, after asking");
      await nodeRed.inject(shown.id("Make two old ones"));
      await eventually(async () => (await schedules()).length === 4 || undefined);
    });

    it("shows what a search finds and deletes nothing yet; then exactly that, one by one", async () => {
      await shows("Ask: which are “Old”?", "wouldDelete");
      assert.equal((await schedules()).length, 4);
      // What comes up after the question stays.
      await nodeRed.inject(shown.id("Make two old ones"));
      await eventually(async () => (await schedules()).length === 6 || undefined);
      await nodeRed.inject(shown.id("Yes, delete them"));
      await eventually(async () => (await schedules()).length === 4 || undefined);
      assert.deepEqual(await names(), ["Office", ...old, "Support 24/7"]);
      const deleted = (await asked()).filter((request) => request.startsWith("DELETE "));
      assert.deepEqual(
        deleted,
        [3, 4].map((id) => `DELETE /api/v1/setting/business-hour/${id} 200`),
      );
    });

    it("deletes nothing when nothing was asked, and takes one yes for one question", async () => {
      await shows("Yes, delete them", "Nothing was deleted: ask first");
      assert.equal((await schedules()).length, 4);
      await shows("Ask: which are “Old”?", "wouldDelete");
      await nodeRed.inject(shown.id("Yes, delete them"));
      await eventually(async () => (await schedules()).length === 2 || undefined);
      await shows("Yes, delete them", "Nothing was deleted: ask first");
      await shows("Ask: which are “Old”?", "Nothing is found");
      await shows("Yes, delete them", "Nothing was deleted: ask first");
      assert.deepEqual(await names(), ["Office", "Support 24/7"]);
    });

    it("forgets the last question when a new one fails, or has no term", async () => {
      await shows("Ask: which are “Old”?", "wouldDelete");
      await trouble({ times: 1, status: 403 });
      await shows("Ask: which are “Old”?", "ERR_AUTH");
      await shows("Yes, delete them", "Nothing was deleted: ask first");
      await shows("Ask: which are “Old”?", "wouldDelete");
      const blank = { ...shown.flows.find(({ id }) => id === shown.id("Ask: which are “Old”?")), payload: "  " };
      await nodeRed.deploy(
        shown.flows.map((node) => (node.id === blank.id ? (blank as FlowNode) : node)),
        "nodes",
      );
      await shows("Ask: which are “Old”?", "without a term");
      await shows("Yes, delete them", "Nothing was deleted: ask first");
    });
  });

  describe("Call a list of customers and pause it", () => {
    beforeEach(() => show("Call a list of customers and pause it"));

    it("calls one customer after the other, and nobody any more once what waits is dropped", async () => {
      await nodeRed.inject(shown.id("Call ten customers"));
      await eventually(async () => (await calls()).length > 0 || undefined);
      await nodeRed.inject(shown.id("Pause"));
      await nodeRed.inject(shown.id("Drop"));
      await nodeRed.inject(shown.id("Resume"));
      await nodeRed.inject(shown.id("Count"));
      const names = (await calls()).map(({ to }) => (to as { alias: string }).alias);
      assert.ok(names.length < 10);
      assert.deepEqual(names, ["Ada", "Ben", "Chi", "Dan", "Eva", "Fay", "Gus", "Hoa", "Ivo"].slice(0, names.length));
    });
  });
});
