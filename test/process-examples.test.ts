import assert from "node:assert/strict";
import { util } from "@node-red/util";
import { eventually } from "./process/eventually";
import { answered, type Call, ExampleStage, judgingAt, KNOWS, SECRET } from "./process/example-stage";
import { deployable, example, exampleNames } from "./process/examples";
import type { FlowNode } from "./process/node-red";

/** The office of the sandbox is open on weekdays from 8 to 12 and from 13 to 17:30. */
const MONDAY_AT_TEN = "2099-01-05T10:00";
const SUNDAY_AT_TEN = "2099-01-04T10:00";

/** What the table's Debug node prints. */
const TABLE = /\[debug:The table\].*\r\n/s;

describe("the example flows in a real Node-RED", function () {
  this.timeout(60_000);
  let stage: ExampleStage;

  before(async function () {
    this.timeout(120_000);
    stage = await ExampleStage.start();
  });
  after(() => stage?.nodeRed.kill());

  it("are found by the editor's Import menu", async () => {
    const library = await (
      await stage.nodeRed.get("/library/examples/flows/@cloud-telephony/node-red-call-actions")
    ).text();
    for (const name of exampleNames) assert.ok(library.includes(name), name);
  });

  it("can be deployed all together", async () => {
    const all = await Promise.all(exampleNames.map((name) => deployable(name, SECRET)));
    await stage.nodeRed.deploy(all.flatMap(({ flows }) => flows));
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
    const judging = rules.filter(({ to, tot }) => tot === "jsonata" && to?.includes("error.code"));
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
    const post = (body: unknown, headers = {}) => answered(stage.nodeRed.post("/call-a-customer", body, headers));

    beforeEach(() => stage.show("Call a customer when a form is posted", SECRET));

    it("serves its form, which loads and sends to nothing but itself", async () => {
      const page = await stage.nodeRed.get("/call-a-customer");
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
      const [call, ...others] = await stage.calls();
      assert.deepEqual(others, []);
      assert.deepEqual(call?.to, { type: "external", number: "0000000000", alias: "Ada" });
      assert.match(call?.actions?.[0]?.text ?? "", /^Hello Ada,/);
    });

    it("takes the secret from the form as well, and an ordinary form's encoding", async () => {
      const body = new URLSearchParams({ ...ada, secret: SECRET });
      const answer = await answered(fetch(`${stage.nodeRed.url}/call-a-customer`, { method: "POST", body }));
      assert.equal(answer.status, 200);
      assert.equal((await stage.calls()).length, 1);
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
        assert.deepEqual(await stage.calls(), []);
      });
    }

    for (const secret of [undefined, ""]) {
      it(`refuses everybody while CALL_SECRET is ${secret === undefined ? "not set" : "empty"}`, async () => {
        await stage.show("Call a customer when a form is posted", secret);
        for (const said of ["", "undefined", "null", "CALL_SECRET"]) {
          assert.equal((await post({ ...ada, secret: said }, { "x-call-secret": said })).status, 503);
        }
        assert.equal((await post(ada)).status, 503);
        assert.equal((await post({ ...ada, secret: null })).status, 503);
        assert.deepEqual(await stage.calls(), []);
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
        assert.deepEqual(await stage.calls(), []);
      });
    }

    it("answers 502 when nobody knows whether the call was placed, and shows nothing of the inside", async () => {
      await stage.trouble({ times: 1, status: 503 });
      const answer = await post(ada, KNOWS);
      assert.equal(answer.status, 502);
      assert.equal(answer.json.code, "ERR_SERVER");
      assert.match(answer.json.message ?? "", /Do not repeat/);
      assert.deepEqual(Object.keys(answer.json).sort(), ["accepted", "code", "message"]);
      assert.doesNotMatch(answer.text, /stack|node_modules|\.js/);
    });

    it("answers 503 when the service has too much to do", async () => {
      await stage.trouble({ times: 1, status: 429 });
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
      assert.equal((await stage.calls()).length, 1);
    });

    it("can be tried with its Inject node", async () => {
      await stage.press("Try it: Ada posts the form");
      const call = await eventually(async () => (await stage.calls())[0]);
      assert.deepEqual(call.to, { type: "external", number: "0000000000", alias: "Ada" });
    });
  });

  describe("Call control by webhook", () => {
    const callId = "a-call-of-the-tests";
    const to = { type: "internal", number: "12" };
    const post = (action: string, body: unknown, headers = {}) =>
      answered(stage.nodeRed.post(`/call-control/${action}`, body, headers));

    beforeEach(() => stage.show("Call control by webhook", SECRET));

    for (const [action, expected] of [
      ["transfer", { state: "ongoing", participants: [{ ...to, by: "transfer" }] }],
      ["listen", { state: "ongoing", participants: [{ ...to, by: "add-user", listensOnly: true }] }],
      ["stop", { state: "ended", participants: [] }],
    ] as const) {
      it(`does ${action}`, async () => {
        const answer = await post(action, { callId, to }, KNOWS);
        assert.equal(answer.status, 200);
        assert.deepEqual(answer.json, { accepted: true, callId, message: answer.json.message });
        const [call] = await stage.calls();
        assert.equal(call?.callId, callId);
        assert.deepEqual({ state: call?.state, participants: call?.participants }, expected);
      });

      it(`refuses ${action} to whoever does not know the secret`, async () => {
        assert.equal((await post(action, { callId, to })).status, 401);
        assert.equal((await post(action, { callId, to }, { "x-call-secret": "wrong" })).status, 401);
        await stage.show("Call control by webhook");
        assert.equal((await post(action, { callId, to }, { "x-call-secret": "" })).status, 503);
        assert.deepEqual(await stage.calls(), []);
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
        await stage.press(button);
        await eventually(async () => (await stage.calls()).some(done) || undefined);
      });
    }
  });

  describe("What does my phone system send", () => {
    beforeEach(() => stage.show("What does my phone system send"));

    it("thanks for whatever comes in, and lets somebody stop that call by hand", async () => {
      const answer = await stage.nodeRed.post("/phone-system?from=the-query", { callId: "seen-last" });
      assert.equal(answer.status, 204);
      assert.equal((await stage.nodeRed.get("/phone-system?callId=in-the-query")).status, 204);
      await stage.nodeRed.post("/phone-system", { callId: "seen-last" });
      assert.deepEqual(await stage.calls(), []);
      await stage.press("Stop the call seen last");
      const call = await eventually(async () => (await stage.calls())[0]);
      assert.deepEqual([call.callId, call.state], ["seen-last", "ended"]);
    });

    it("can be tried with its Inject nodes alone", async () => {
      await stage.press("Try it: something comes in");
      await stage.press("Stop the call seen last");
      const call = await eventually(async () => (await stage.calls())[0]);
      assert.deepEqual([call.callId, call.state], ["example-call", "ended"]);
    });
  });

  describe("Only call during business hours", () => {
    const name = "Only call during business hours";
    const ada = { name: "Ada", number: "0000000000" };
    const post = (body: unknown, headers = {}) =>
      answered(stage.nodeRed.post("/call-in-business-hours", body, headers));

    it("calls the customer while it is open, before it closes", async () => {
      await stage.show(name, SECRET, judgingAt(MONDAY_AT_TEN));
      const { status, json } = await post(ada, KNOWS);
      assert.deepEqual([status, json.accepted, json.open], [200, true, true]);
      assert.match(json.closesAt ?? "", /^2099-01-05T12:00:00/);
      assert.match(json.opensAt ?? "", /^2099-01-05T13:00:00/);
      const [call, ...others] = await stage.calls();
      assert.deepEqual(others, []);
      assert.deepEqual(call?.to, { type: "external", number: "0000000000", alias: "Ada" });
      assert.match(call?.actions?.[0]?.text ?? "", /^Hello Ada,/);
    });

    it("answers 409 while it is closed, says when it opens, and calls nobody", async () => {
      await stage.show(name, SECRET, judgingAt(SUNDAY_AT_TEN));
      const { status, json } = await post(ada, KNOWS);
      assert.deepEqual([status, json.accepted, json.open], [409, false, false]);
      assert.match(json.opensAt ?? "", /^2099-01-05T08:00:00/);
      assert.match(json.message ?? "", /Ask again from 2099-01-05T08:00:00/);
      assert.deepEqual(await stage.calls(), []);
    });

    it("calls nobody whose turn comes after it has closed", async () => {
      // Open on a day long past, so that closing time is over.
      await stage.show(name, SECRET, judgingAt("2024-01-08T10:00"));
      const { status, json } = await post(ada, KNOWS);
      assert.deepEqual([status, json.code], [409, "ERR_EXPIRED"]);
      assert.match(json.opensAt ?? "", /^2024-01-08T13:00:00/);
      assert.deepEqual(await stage.calls(), []);
    });

    it("rings once, however often the same post comes", async () => {
      await stage.show(name, SECRET, judgingAt(MONDAY_AT_TEN));
      const twice = { ...ada, requestId: "one" };
      assert.equal((await post(twice, KNOWS)).status, 200);
      const { status, json } = await post(twice, KNOWS);
      assert.deepEqual([status, json.code, json.first?.outcome], [200, "ERR_DUPLICATE", "applied"]);
      assert.equal((await stage.calls()).length, 1);
    });

    it("refuses whoever does not know the secret, and everybody while there is none", async () => {
      await stage.show(name, SECRET, judgingAt(MONDAY_AT_TEN));
      assert.equal((await post(ada)).status, 401);
      assert.equal((await post(ada, { "x-call-secret": "wrong" })).status, 401);
      assert.deepEqual(await stage.calls(), []);
      await stage.show(name, undefined, judgingAt(MONDAY_AT_TEN));
      assert.equal((await post(ada, { "x-call-secret": "" })).status, 503);
      assert.deepEqual(await stage.calls(), []);
    });

    it("goes by the clock, whatever a post says, and can be tried with its Inject nodes", async () => {
      await stage.show(name, SECRET);
      const { status, json } = await post({ ...ada, at: SUNDAY_AT_TEN, override: "closed" }, KNOWS);
      assert.equal(status, json.open ? 200 : 409);
      const before = (await stage.calls()).length;
      assert.equal(before, json.open ? 1 : 0);
      assert.doesNotMatch(json.opensAt ?? "", /^2099/);
      await stage.shows("Try it on a Sunday", /opensAt: '2099-01-05T08:00:00/);
      assert.equal((await stage.calls()).length, before);
      await stage.shows("Try it on a Monday", /closesAt: '2099-01-05T12:00:00/);
      assert.equal((await stage.calls()).length, before + 1);
      await stage.shows("Try it now", json.open ? "open: true" : "open: false");
    });
  });

  describe("After-hours: transfer the caller to the night queue", () => {
    const name = "After-hours transfer the caller to the night queue";
    const post = (body: unknown, headers = {}) => answered(stage.nodeRed.post("/incoming-call", body, headers));
    const queue = { type: "queue", number: "9", alias: "Night queue", by: "transfer/advance" };

    it("transfers a caller blindly to the queue while it is closed, and once when told twice", async () => {
      await stage.show(name, SECRET, judgingAt(SUNDAY_AT_TEN));
      const { status, json } = await post({ callId: "comes-in" }, KNOWS);
      assert.deepEqual([status, json.transferred, json.open], [200, true, false]);
      assert.match(json.opensAt ?? "", /^2099-01-05T08:00:00/);
      const again = await post({ callId: "comes-in" }, KNOWS);
      assert.deepEqual([again.status, again.json.code], [200, "ERR_DUPLICATE"]);
      const [call, ...others] = await stage.calls();
      assert.deepEqual(others, []);
      assert.deepEqual([call?.callId, call?.participants], ["comes-in", [queue]]);
      assert.match(JSON.stringify(call), /"blind"/);
    });

    it("leaves the call alone while it is open", async () => {
      await stage.show(name, SECRET, judgingAt(MONDAY_AT_TEN));
      const { status, json } = await post({ callId: "comes-in" }, KNOWS);
      assert.deepEqual([status, json.transferred, json.open], [200, false, true]);
      assert.match(json.message ?? "", /nothing to do/);
      assert.deepEqual(await stage.calls(), []);
    });

    it("refuses whoever does not know the secret, and a report without a call's id", async () => {
      await stage.show(name, SECRET, judgingAt(SUNDAY_AT_TEN));
      assert.equal((await post({ callId: "comes-in" })).status, 401);
      const { status, json } = await post({}, KNOWS);
      assert.deepEqual([status, json.code], [400, "ERR_INPUT"]);
      assert.deepEqual(await stage.calls(), []);
    });

    it("goes by the clock, whatever a post says, and can be tried with its Inject nodes", async () => {
      await stage.show(name, SECRET);
      const { json } = await post({ callId: "comes-in", at: SUNDAY_AT_TEN, override: "closed" }, KNOWS);
      const before = (await stage.calls()).length;
      assert.equal(before, json.open ? 0 : 1);
      assert.doesNotMatch(json.opensAt ?? "", /^2099/);
      await stage.shows("Try it on a Monday", "transferred: false");
      assert.equal((await stage.calls()).length, before);
      await stage.shows("Try it on a Sunday", /opensAt: '2099-01-05T08:00:00/);
      assert.equal((await stage.calls()).length, before + 1);
      await stage.shows("Try it now", json.open ? "open: true" : "open: false");
    });
  });

  describe("Copy a schedule to another tenant", () => {
    beforeEach(() => stage.show("Copy a schedule to another tenant"));

    it("creates in the second tenant what it reads in the first, and shows the new id", async () => {
      const before = await stage.schedules(1);
      await stage.shows("Copy number 1", "newId: 3");
      const [office] = await stage.schedules(0);
      const [copy, ...others] = (await stage.schedules(1)).slice(before.length);
      assert.deepEqual(others, []);
      assert.deepEqual([copy?.id, copy?.name, copy?.days], [3, office?.name, office?.days]);
      assert.equal((await stage.schedules(0)).length, 2);
      assert.ok((await stage.asked(0)).every((request) => request.startsWith("GET ")));
    });

    it("shows what the second tenant has", () => stage.shows("What the second tenant has", "Support 24/7"));

    it("says why it could not, and shows no id", async () => {
      const path = "/api/v1/setting/business-hour";
      await stage.trouble({ times: 1, status: 403, path: `${path}/1` });
      await stage.shows("Copy number 1", "ERR_AUTH");
      assert.ok(!(await stage.asked(1)).some((request) => request.startsWith("POST ")));
    });
  });

  describe("Delete schedules by search, after asking", () => {
    const old = ["Old summer hours", "Old winter hours"];
    const names = async () => (await stage.schedules()).map(({ name }) => name).sort();

    beforeEach(async () => {
      await stage.show("Delete schedules by search, after asking");
      await stage.press("Make two old ones");
      await eventually(async () => (await stage.schedules()).length === 4 || undefined);
    });

    it("shows what a search finds and deletes nothing yet; then exactly that, one by one", async () => {
      await stage.shows("Ask: which are “Old”?", "wouldDelete");
      assert.equal((await stage.schedules()).length, 4);
      // What comes up after the question stays.
      await stage.press("Make two old ones");
      await eventually(async () => (await stage.schedules()).length === 6 || undefined);
      await stage.press("Yes, delete them");
      await eventually(async () => (await stage.schedules()).length === 4 || undefined);
      assert.deepEqual(await names(), ["Office", ...old, "Support 24/7"]);
      const deleted = (await stage.asked()).filter((request) => request.startsWith("DELETE "));
      assert.deepEqual(
        deleted,
        [3, 4].map((id) => `DELETE /api/v1/setting/business-hour/${id} 200`),
      );
    });

    it("deletes nothing when nothing was asked, and takes one yes for one question", async () => {
      await stage.shows("Yes, delete them", "Nothing was deleted: ask first");
      assert.equal((await stage.schedules()).length, 4);
      await stage.shows("Ask: which are “Old”?", "wouldDelete");
      await stage.press("Yes, delete them");
      await eventually(async () => (await stage.schedules()).length === 2 || undefined);
      await stage.shows("Yes, delete them", "Nothing was deleted: ask first");
      await stage.shows("Ask: which are “Old”?", "Nothing is found");
      await stage.shows("Yes, delete them", "Nothing was deleted: ask first");
      assert.deepEqual(await names(), ["Office", "Support 24/7"]);
    });

    it("forgets the last question when a new one fails, or has no term", async () => {
      await stage.shows("Ask: which are “Old”?", "wouldDelete");
      await stage.trouble({ times: 1, status: 403 });
      await stage.shows("Ask: which are “Old”?", "ERR_AUTH");
      await stage.shows("Yes, delete them", "Nothing was deleted: ask first");
      await stage.shows("Ask: which are “Old”?", "wouldDelete");
      const blank = {
        ...stage.shown.flows.find(({ id }) => id === stage.shown.id("Ask: which are “Old”?")),
        payload: "  ",
      };
      await stage.nodeRed.deploy(
        stage.shown.flows.map((node) => (node.id === blank.id ? (blank as FlowNode) : node)),
        "nodes",
      );
      await stage.shows("Ask: which are “Old”?", "without a term");
      await stage.shows("Yes, delete them", "Nothing was deleted: ask first");
    });
  });

  describe("Let a supervisor listen in", () => {
    const name = "Let a supervisor listen in";
    const post = (body: unknown, headers = {}) => answered(stage.nodeRed.post("/call-taken", body, headers));
    const supervisor = { type: "internal", number: "90", alias: "Supervisor", by: "add-user", listensOnly: true };

    it("brings the supervisor into a new colleague's call, as a listener, and once when told twice", async () => {
      await stage.show(name, SECRET);
      const { status, json } = await post({ callId: "taken", user: "21" }, KNOWS);
      assert.deepEqual([status, json.accepted, json.listening], [200, true, true]);
      const again = await post({ callId: "taken", user: "21" }, KNOWS);
      assert.deepEqual([again.status, again.json.code, again.json.first?.outcome], [200, "ERR_DUPLICATE", "applied"]);
      const [call, ...others] = await stage.calls();
      assert.deepEqual(others, []);
      assert.deepEqual([call?.callId, call?.participants], ["taken", [supervisor]]);
    });

    it("leaves everybody else's calls alone", async () => {
      await stage.show(name, SECRET);
      for (const user of ["12", "121", "", undefined]) {
        const { status, json } = await post({ callId: "taken", user }, KNOWS);
        assert.deepEqual([status, json.listening], [200, false]);
      }
      assert.deepEqual(await stage.calls(), []);
    });

    it("refuses whoever does not know the secret, and a report without a call's id", async () => {
      await stage.show(name, SECRET);
      assert.equal((await post({ callId: "taken", user: "21" })).status, 401);
      const { status, json } = await post({ user: "21" }, KNOWS);
      assert.deepEqual([status, json.code], [400, "ERR_INPUT"]);
      await stage.show(name);
      assert.equal((await post({ callId: "taken", user: "21" }, { "x-call-secret": "" })).status, 503);
      assert.deepEqual(await stage.calls(), []);
    });

    it("can be tried with its Inject nodes", async () => {
      await stage.show(name);
      await stage.shows("Try it: user 12", "listening: false");
      assert.deepEqual(await stage.calls(), []);
      await stage.shows("Try it: user 21", "listening: true");
      assert.deepEqual(
        (await stage.calls()).map(({ participants }) => participants),
        [[supervisor]],
      );
    });
  });

  describe("Call a list from a CSV file", () => {
    const name = "Call a list from a CSV file";
    /** At another pace than the example's one call a second. */
    const paced = (rate: string) => (node: FlowNode) => (node.type === "telephony-tenant" ? { ...node, rate } : node);
    const has = (printed: string, rows: readonly string[]) => {
      for (const row of rows) assert.ok(printed.includes(`${row}\r\n`), `"${row}" is not in ${printed}`);
    };

    it("calls everybody with the number as it is in the file, and ends with a table", async () => {
      await stage.show(name);
      const printed = await stage.shows("Call the list", TABLE);
      assert.deepEqual(
        (await stage.calls()).map(({ to }) => to),
        [
          { type: "external", number: "0000000000", alias: "Ada" },
          { type: "external", number: "+0000000000", alias: "Ben" },
          { type: "external", number: "0000000000", alias: "Dan, who has a comma" },
        ],
      );
      has(printed, [
        "name,number,result,code",
        "Ada,0000000000,accepted,",
        "Ben,+0000000000,accepted,",
        "Chi,,failed,ERR_INPUT",
        '"Dan, who has a comma",0000000000,accepted,',
      ]);
      assert.match(printed, /1 of 4: 0 accepted, 1 failed, 0 unknown/);
      assert.match(printed, /4 of 4: 3 accepted, 1 failed, 0 unknown/);
    });

    it("tells a call that nobody knows of from one that failed", async () => {
      await stage.show(name, undefined, paced("50"));
      await stage.trouble({ times: 1, status: 503 });
      const printed = await stage.shows("Call the list", TABLE);
      has(printed, ["Ada,0000000000,unknown,ERR_SERVER", "Ben,+0000000000,accepted,"]);
      assert.match(printed, /4 of 4: 2 accepted, 1 failed, 1 unknown/);
      assert.equal((await stage.calls()).length, 2);
    });

    it("calls nobody else when told so, and nobody twice while a list is under way", async () => {
      await stage.show(name, undefined, paced("0.01"));
      await stage.shows("Call the list", /2 of 4: 1 accepted, 1 failed/);
      await stage.shows("Call the list", "Nobody was called: the last list is still under way");
      has(await stage.shows("Show the table now", TABLE), ["Ben,+0000000000,waiting,"]);
      has(await stage.shows("Call nobody else", TABLE), [
        "Ada,0000000000,accepted,",
        "Ben,+0000000000,failed,ERR_DROPPED",
        '"Dan, who has a comma",0000000000,failed,ERR_DROPPED',
      ]);
      assert.equal((await stage.calls()).length, 1);
      await stage.shows("Call the list", /1 of 4: 0 accepted, 1 failed/);
    });

    it("shows a table without rows before the first list", async () => {
      await stage.show(name);
      const printed = await stage.shows("Show the table now", TABLE);
      assert.doesNotMatch(printed, /error/i);
    });
  });

  describe("Call a list of customers and pause it", () => {
    beforeEach(() => stage.show("Call a list of customers and pause it"));

    it("calls one customer after the other, and nobody any more once what waits is dropped", async () => {
      await stage.press("Call ten customers");
      await eventually(async () => (await stage.calls()).length > 0 || undefined);
      await stage.press("Pause");
      await stage.press("Drop");
      await stage.press("Resume");
      await stage.press("Count");
      const names = (await stage.calls()).map(({ to }) => (to as { alias: string }).alias);
      assert.ok(names.length < 10);
      assert.deepEqual(names, ["Ada", "Ben", "Chi", "Dan", "Eva", "Fay", "Gus", "Hoa", "Ivo"].slice(0, names.length));
    });
  });
});
