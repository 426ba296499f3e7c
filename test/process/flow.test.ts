import assert from "node:assert/strict";
import { LiveTenant } from "../support/process/live-tenant";
import { type FlowNode, NodeRed } from "../support/process/node-red";
import { userFolder } from "../support/process/user-folder";

const TOKEN = "token-of-the-process-test";

/** POST /hook → call-out → HTTP answer; a failure is answered with its code. */
function flow(tenantUrl: string): FlowNode[] {
  const place = { z: "tab", x: 100, y: 100 };
  return [
    { id: "tab", type: "tab", label: "Process test" },
    {
      id: "tenant",
      type: "telephony-tenant",
      mode: "live",
      url: tenantUrl,
      fromNumber: "0000000001",
      fromAlias: "Hotline",
      credentials: { token: TOKEN },
    },
    { ...place, id: "hook", type: "http in", method: "post", url: "/hook", wires: [["call"]] },
    { ...place, id: "call", type: "call-out", tenant: "tenant", wires: [["respond"]] },
    { ...place, id: "catch", type: "catch", scope: null, wires: [["failed"]] },
    {
      ...place,
      id: "failed",
      type: "change",
      rules: [
        { t: "set", p: "statusCode", pt: "msg", to: "500", tot: "num" },
        {
          t: "set",
          p: "payload",
          pt: "msg",
          to: '{"code": error.code, "cause": error.cause}',
          tot: "jsonata",
        },
      ],
      wires: [["respond"]],
    },
    { ...place, id: "respond", type: "http response", wires: [] },
  ];
}

describe("the packed package in a real Node-RED", () => {
  let tenant: LiveTenant;
  let nodeRed: NodeRed;

  before(async () => {
    tenant = await LiveTenant.start();
    nodeRed = await NodeRed.start(await userFolder());
    await nodeRed.deploy(flow(tenant.url));
  });
  beforeEach(() => tenant.reset());
  after(() => {
    nodeRed?.kill();
    tenant?.stop();
  });

  it("loads every node without errors in the log", async () => {
    const answer = await fetch(`${nodeRed.url}/nodes`, { headers: { accept: "application/json" } });
    const sets = (await answer.json()) as { module: string; types: string[]; enabled: boolean; err?: string }[];
    const ours = sets.filter(({ module }) => module === "@cloud-telephony/node-red-call-actions");
    assert.deepEqual(
      ours.filter(({ enabled, err }) => !enabled || err),
      [],
    );
    assert.ok(ours.flatMap(({ types }) => types).includes("call-out"));
    assert.doesNotMatch(nodeRed.log, /\[error\]/);
  });

  it("turns a webhook into the interface's call-out request, and the service's answer into the webhook response", async () => {
    const actions = [{ action: "talk", text: "Xin chào, Ada!", voice: "banmai", speed: 0, loop: "3" }];
    const answer = await nodeRed.post("/hook", { to: { number: "0000000000", alias: "Ada" }, actions });
    assert.equal(answer.status, 200);
    assert.equal(await answer.json(), null);

    assert.equal(tenant.received.length, 1);
    const [request] = tenant.received;
    assert.equal(request?.method, "POST");
    assert.equal(request?.url, "/api/v1/call/call-out");
    assert.equal(request?.headers["authentication"], `Bearer ${TOKEN}`);
    assert.equal(request?.headers["authorization"], undefined);
    assert.equal(request?.headers["accept"], "application/json");
    assert.equal(request?.headers["content-type"], "application/json");
    assert.deepEqual(JSON.parse(request?.text ?? ""), {
      "from.type": "internal",
      "from.number": "0000000001",
      "from.alias": "Hotline",
      "to.type": "external",
      "to.number": "0000000000",
      "to.alias": "Ada",
      actions,
    });
  });

  it("sends nothing for a message without a number, and reports the field", async () => {
    const answer = await nodeRed.post("/hook", { answer_url: "https://example.com/answer" });
    assert.equal(answer.status, 500);
    const { code, cause } = (await answer.json()) as { code: string; cause: Record<string, unknown> };
    assert.equal(code, "ERR_INPUT");
    assert.equal(cause["field"], "to.number");
    assert.equal(cause["source"], "msg.payload.to.number");
    assert.equal(cause["sent"], "no");
    assert.deepEqual(tenant.received, []);
  });

  it("sends a refusal to the Catch node after one request", async () => {
    tenant.answer = {
      status: 422,
      envelope: { success: false, code: 422, locale: "en", message: "No such number", data: null },
    };
    const answer = await nodeRed.post("/hook", { to: { number: "1" }, answer_url: "https://example.com/answer" });
    const { code, cause } = (await answer.json()) as { code: string; cause: Record<string, unknown> };
    assert.equal(code, "ERR_REJECTED");
    assert.equal(cause["httpStatus"], 422);
    assert.equal(cause["serviceMessage"], "No such number");
    assert.equal(cause["outcome"], "rejected");
    assert.equal(tenant.received.length, 1);
  });

  it("keeps the token out of flows and log", async () => {
    const flows = await (await nodeRed.get("/flows")).text();
    assert.ok(flows.includes("telephony-tenant"));
    assert.ok(!flows.includes(TOKEN));
    assert.ok(!nodeRed.log.includes(TOKEN));
  });

  it("ends with code 0 on SIGTERM", async () => {
    assert.equal(await nodeRed.stop(), 0);
    assert.doesNotMatch(nodeRed.log, /Uncaught|\[error\]/);
  });
});
