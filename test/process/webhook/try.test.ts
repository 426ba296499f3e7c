import assert from "node:assert/strict";
import { at } from "../../support/process/node-red";
import { NUMBER, ORDER, SECRET, WebhookStage } from "../../support/process/webhook-stage";

/** docs/contract/webhook.md, "Try it". */
describe("A request that is tried in the editor, in a process", () => {
  let stage: WebhookStage;

  before(async () => {
    stage = await WebhookStage.start();
  });
  beforeEach(() => stage.tenant.reset());
  after(() => stage?.end());

  /** Returns what is answered; nothing but the status where it is refused. */
  const post = async (body: string, headers: object = {}, id = "hook") => {
    const { url } = stage.nodeRed;
    const all = { origin: url, "content-type": "application/json", ...headers };
    const answer = await fetch(`${url}/telephony/webhook/${id}/try`, { method: "POST", headers: all, body });
    const text = await answer.text();
    return answer.ok ? JSON.parse(text) : answer.status;
  };

  for (const [what, webhook] of [
    ["a webhook", {}],
    ["one that takes only signed requests", { sign: "X-Signature" }],
  ] as const)
    it(`places a call at ${what}, as the sender's would, without the secret`, async () => {
      await stage.deploy(webhook);
      assert.deepEqual(await post(JSON.stringify(ORDER)), { status: 200, body: { accepted: true } });
      assert.deepEqual(stage.rung, [NUMBER]);
      const [message] = await stage.seen();
      assert.deepEqual(message?.["payload"], ORDER);
      assert.doesNotMatch(JSON.stringify(message), new RegExp(SECRET));
      const form = { "content-type": "application/x-www-form-urlencoded" };
      const ping = await post("webhook_id=17", form);
      if ("sign" in webhook) assert.deepEqual(ping, { status: 200, body: { accepted: false } });
    });

  it("is read as its type says, and answered like any other, also by the flow", async () => {
    await stage.deploy();
    const form = { "content-type": "application/x-www-form-urlencoded" };
    assert.deepEqual(await post(`phone=${NUMBER}`, form), { status: 200, body: { accepted: true } });
    const { status, body } = await post('{"phone": ');
    assert.deepEqual([status, body.accepted, typeof body.message], [400, false, "string"]);
    assert.equal((await post(JSON.stringify({ phone: "nobody" }))).status, 400);
    const flow = stage.flow({ answer: "flow", wires: [["made"]] }, {}, [
      at("made", "function", { func: "msg.payload = `made of ${msg.req.path}`; msg.statusCode = 418; return msg;" }, [
        "answers",
      ]),
      at("answers", "http response", { headers: { "x-by": "the flow" } }),
    ]);
    await stage.nodeRed.deploy(flow);
    assert.deepEqual(await post("{}"), { status: 418, body: "made of /orders" });
  });

  it("is refused from elsewhere, and at what is no webhook that receives", async () => {
    await stage.deploy();
    assert.equal(await post("{}", { origin: "https://elsewhere.example" }), 403);
    for (const id of ["gone", "call"]) assert.equal(await post("{}", {}, id), 404);
    assert.deepEqual(stage.rung, []);
  });

  it("has a form with the fields that the nodes behind read, and the live tenants that may ring", async () => {
    await stage.deploy();
    const form = await fetch(`${stage.nodeRed.url}/telephony/webhook/hook/try`);
    assert.deepEqual(await form.json(), { ok: true, fields: [["phone"]], live: [stage.tenant.url] });
    assert.equal((await fetch(`${stage.nodeRed.url}/telephony/webhook/call/try`)).status, 404);
  });
});
