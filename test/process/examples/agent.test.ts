import assert from "node:assert/strict";
import { answered, ExampleStage, KNOWS, SECRET } from "../../support/process/example-stage";

describe("the example that rings an agent first, in a real Node-RED", () => {
  const stage = new ExampleStage();
  const ada = { agent: "12", name: "Ada", number: "0000000000" };
  const ask = (body: unknown, headers = {}) => answered(stage.nodeRed.post("/ring-agent", body, headers));
  const report = (body: unknown, headers = {}, query = "") =>
    answered(stage.nodeRed.post(`/agent-answers${query}`, body, headers));
  const customer = { type: "external", number: "0000000000", alias: "Ada", by: "add-user" };

  beforeEach(() => stage.show("Ring the agent, then bring the customer in", SECRET));

  /** The participants of the call with this id. */
  const joined = async (id: string) => (await stage.calls()).find(({ callId }) => callId === id)?.participants;

  it("rings the agent, and calls the customer once the agent has answered", async () => {
    const { status, json } = await ask(ada, KNOWS);
    assert.deepEqual([status, json.accepted], [200, true]);
    const [ringing, ...others] = await stage.calls();
    assert.deepEqual(others, []);
    assert.deepEqual(ringing?.to, { type: "internal", number: "12" });
    assert.match(ringing?.actions?.[0]?.text ?? "", /^Ada asked for a call/);
    const answers = await report({ callId: "taken", user: "12" }, KNOWS);
    assert.deepEqual([answers.status, answers.json.joined], [200, true]);
    assert.deepEqual(await joined("taken"), [customer]);
  });

  for (const [what, body, query] of [
    ["a call_id", { call_id: "taken", user: "12" }, ""],
    ["a user that is a number", { callId: "taken", user: 12 }, ""],
    ["nothing but an address for the secret", { callId: "taken", user: "12" }, `?secret=${encodeURIComponent(SECRET)}`],
  ] as const) {
    it(`understands a report with ${what}`, async () => {
      await ask(ada, KNOWS);
      assert.equal((await report(body, query ? {} : KNOWS, query)).json.joined, true);
      assert.deepEqual(await joined("taken"), [customer]);
    });
  }

  it("leaves alone what is not the call that it asked for", async () => {
    for (const body of [{ callId: "another", user: "12" }, { callId: "another" }, {}]) {
      assert.deepEqual((await report(body, KNOWS)).json.joined, false);
    }
    await ask(ada, KNOWS);
    assert.equal((await report({ callId: "another", user: "13" }, KNOWS)).json.joined, false);
    assert.equal((await report({ user: "12" }, KNOWS)).json.joined, false);
    assert.equal((await report({ callId: "taken", user: "12" }, KNOWS)).json.joined, true);
    // The agent's next call is another customer's.
    assert.equal((await report({ callId: "next", user: "12" }, KNOWS)).json.joined, false);
    assert.equal(await joined("next"), undefined);
  });

  it("joins nobody when it is unknown whether the agent's phone rings", async () => {
    await stage.injectFaults({ times: 1, status: 503 });
    const { status, json } = await ask({ ...ada, requestId: "one" }, KNOWS);
    assert.deepEqual([status, json.accepted], [502, null]);
    const again = await ask({ ...ada, requestId: "one" }, KNOWS);
    assert.deepEqual([again.status, again.json.first?.outcome], [200, "unknown"]);
    assert.equal((await report({ callId: "taken", user: "12" }, KNOWS)).json.joined, false);
    assert.deepEqual(await stage.calls(), []);
  });

  it("rings the agent once for repeated posts", async () => {
    assert.equal((await ask({ ...ada, requestId: "one" }, KNOWS)).json.accepted, true);
    const { status, json } = await ask({ ...ada, requestId: "one" }, KNOWS);
    assert.deepEqual([status, json.code, json.first?.outcome], [200, "ERR_DUPLICATE", "applied"]);
    assert.equal((await stage.calls()).length, 1);
  });

  it("refuses a post without the secret, an agent or a number", async () => {
    assert.equal((await ask(ada)).status, 401);
    assert.equal((await report({ callId: "taken", user: "12" })).status, 401);
    assert.equal((await ask({ ...ada, agent: undefined }, KNOWS)).status, 400);
    assert.equal((await ask({ ...ada, number: undefined }, KNOWS)).status, 400);
    assert.deepEqual(await stage.calls(), []);
    await stage.show("Ring the agent, then bring the customer in");
    assert.equal((await ask(ada, { "x-call-secret": "" })).status, 503);
    assert.equal((await report({ callId: "taken", user: "12" }, {}, "?secret=")).status, 503);
  });
});
