import assert from "node:assert/strict";
import { eventually } from "./process/eventually";
import { type Deployable, deployable, exampleNames } from "./process/examples";
import { NodeRed } from "./process/node-red";
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

interface Answered {
  readonly status: number;
  readonly text: string;
  readonly json: { accepted?: boolean; code?: string; message?: string; first?: { outcome?: string } };
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

  async function show(name: string, secret?: string): Promise<void> {
    shown = await deployable(name, secret);
    // A sandbox keeps its calls over a redeploy; only without its tenant it ends.
    await nodeRed.deploy([]);
    await nodeRed.deploy(shown.flows);
  }

  async function calls(): Promise<Call[]> {
    return (await (await fetch(`${shown.sandbox}/calls`)).json()) as Call[];
  }

  /** The next requests to the sandbox fail. */
  async function trouble(trouble: object): Promise<void> {
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(trouble) };
    assert.equal((await fetch(`${shown.sandbox}/trouble`, init)).status, 200);
  }

  it("are found by the editor's Import menu", async () => {
    const library = await (await nodeRed.get("/library/examples/flows/@cloud-telephony/node-red-call-actions")).text();
    for (const name of exampleNames) assert.ok(library.includes(name), name);
  });

  it("can be deployed all together", async () => {
    const all = await Promise.all(exampleNames.map((name) => deployable(name, SECRET)));
    await nodeRed.deploy(all.flatMap(({ flows }) => flows));
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

  describe("Route a call by opening hours", () => {
    const post = (body: unknown, headers = {}) => answered(nodeRed.post("/incoming-call", body, headers));

    beforeEach(() => show("Route a call by opening hours", SECRET));

    it("transfers a call that comes in, to where the clock says", async () => {
      const answer = await post({ callId: "comes-in" }, KNOWS);
      assert.equal(answer.status, 200);
      const { open } = answer.json as { open?: boolean };
      const [call] = await calls();
      const to = open ? { type: "internal", number: "12" } : { type: "external", number: "0000000000" };
      assert.deepEqual([call?.callId, call?.participants], ["comes-in", [{ ...to, by: "transfer" }]]);
    });

    it("refuses whoever does not know the secret", async () => {
      assert.equal((await post({ callId: "comes-in" })).status, 401);
      assert.deepEqual(await calls(), []);
    });

    it("lets nobody from outside say that it is open", async () => {
      const answer = await post({ callId: "comes-in", override: "open" }, KNOWS);
      assert.notEqual((answer.json as { reason?: string }).reason, "override");
    });

    for (const [button, type] of [
      ["Try it open", "internal"],
      ["Try it closed", "external"],
    ] as const) {
      it(`can be tried with its Inject node "${button}"`, async () => {
        await nodeRed.inject(shown.id(button));
        const call = await eventually(async () => (await calls())[0]);
        assert.equal((call.participants[0] as { type?: string }).type, type);
      });
    }
  });

  describe("Manage opening hours", () => {
    beforeEach(() => show("Manage opening hours"));

    async function asked(): Promise<string[]> {
      const log = (await (await fetch(`${shown.sandbox}/log`)).json()) as {
        method: string;
        path: string;
        status: number;
      }[];
      return log.map(({ method, path, status }) => `${method} ${path} ${status}`);
    }

    it("does with each of its Inject nodes what it says", async () => {
      const hours = "/api/v1/setting/business-hour";
      for (const [button, request] of [
        ["List them all", `GET ${hours} 200`],
        ["Read number 1", `GET ${hours}/1 200`],
        ["Create one", `POST ${hours} 200`],
        ["Delete it again", `DELETE ${hours}/3 200`],
      ] as const) {
        await nodeRed.inject(shown.id(button));
        await eventually(async () => (await asked()).includes(request) || undefined);
      }
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
