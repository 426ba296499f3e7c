import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import { CALL_REQUESTS, dotted, nested, REQUESTS } from "../../interface/requests";
import { ACCEPTED, LiveTenant } from "../../support/live-tenant";
import { fail, flowWith, load, play, withTenant } from "../../support/stage";

describe("requests of the nodes", () => {
  const held = withTenant();

  for (const request of REQUESTS) {
    const { title, node, payload, method, path, body, data = null } = request;
    const usual = { name: "payload as it reads", payload, tenant: {}, body };
    const ofParties = [
      { name: "dotted own keys", payload: dotted(payload), tenant: {}, body },
      { name: "nested party fields", payload, tenant: { partyFields: "nested" }, body: nested(body) },
    ];
    const spellings = CALL_REQUESTS.includes(request) ? [usual, ...ofParties] : [usual];
    for (const { name, payload, tenant, body } of spellings) {
      it(`${title}: ${name}`, async () => {
        held.tenant.answers(() => ({ body: { ...ACCEPTED, data } }));
        await load(flowWith(held.tenant.url, node, tenant));
        const { out, caught, completed } = await play({ payload });
        deepStrictEqual(caught, []);
        deepStrictEqual([out.length, completed.length], [1, 1]);
        const [request] = held.tenant.received;
        strictEqual(held.tenant.received.length, 1);
        deepStrictEqual([request?.method, request?.url, request?.body], [method, path, body]);
        if (body) deepStrictEqual(out[0]?.["telephony"].request, body);
      });
    }
  }

  it("fail a test when the interface does not have them", async () => {
    const tenant = await LiveTenant.start();
    const body = JSON.stringify({ callID: "c-1" });
    await fetch(`${tenant.url}/api/v1/call/stop-a-call`, { method: "POST", body });
    throws(() => tenant.stop(), /stop-a-call breaks test\/interface\/openapi\.yaml: .*\(callID\)/);
  });

  for (const { title, node, payload } of CALL_REQUESTS.filter(({ payload }) => "callId" in payload)) {
    it(`${title}: takes the call from msg.callId`, async () => {
      await load(flowWith(held.tenant.url, node));
      const { callId: _, ...rest } = payload;
      const { out } = await play({ payload: rest, callId: "c-2" });
      strictEqual(held.tenant.body()["callId"], "c-2");
      strictEqual(out[0]?.["callId"], "c-2");
    });
  }

  const REQUIRED: readonly [node: Record<string, unknown>, field: string, payload: Record<string, unknown>][] = [
    [{ type: "call-stop" }, "callId", {}],
    [{ type: "call-transfer" }, "callId", { to: { type: "internal", number: "8" } }],
    [{ type: "call-transfer" }, "to.type", { callId: "c", to: { number: "8" } }],
    [{ type: "call-transfer" }, "to.number", { callId: "c", to: { type: "internal" } }],
    [{ type: "call-transfer", mode: "advanced" }, "transferType", { callId: "c", to: { type: "queue", number: "8" } }],
    [{ type: "call-add-user" }, "callId", { to: { type: "internal", number: "8" } }],
    [{ type: "call-add-user" }, "to.type", { callId: "c", to: { number: "8" } }],
    [{ type: "call-add-user" }, "to.number", { callId: "c", to: { type: "internal" } }],
    [{ type: "call-out" }, "from.number", { to: { number: "8" }, answer_url: "https://a.example" }],
    [{ type: "call-out" }, "to.number", { from: { number: "1" }, answer_url: "https://a.example" }],
    [{ type: "call-out" }, "actions", { from: { number: "1" }, to: { number: "8" } }],
    [{ type: "call-out" }, "actions", { from: { number: "1" }, to: { number: "8" }, actions: [], answer_url: "" }],
  ];
  for (const [node, field, payload] of REQUIRED) {
    it(`${node["type"]} ${node["mode"] ?? ""} needs ${field}`, async () => {
      await load(flowWith(held.tenant.url, node));
      const { code, cause } = await fail({ payload });
      deepStrictEqual([code, cause.field, held.tenant.received.length], ["ERR_INPUT", field, 0]);
    });
  }

  const CHOICES: readonly [node: Record<string, unknown>, field: string, payload: Record<string, unknown>][] = [
    [{ type: "call-transfer" }, "to.type", { callId: "c", to: { type: "group", number: "8" } }],
    [
      { type: "call-transfer", mode: "advanced" },
      "to.type",
      { callId: "c", to: { type: "Queue", number: "8" }, transferType: "blind" },
    ],
    [
      { type: "call-transfer", mode: "advanced" },
      "transferType",
      { callId: "c", to: { type: "queue", number: "8" }, transferType: "warm" },
    ],
    [{ type: "call-add-user" }, "to.type", { callId: "c", to: { type: "queue", number: "8" } }],
    [
      { type: "call-add-user" },
      "from.type",
      { callId: "c", from: { type: "queue" }, to: { type: "internal", number: "8" } },
    ],
    [
      { type: "call-out" },
      "from.type",
      { from: { type: "external", number: "1" }, to: { number: "8" }, answer_url: "https://a.example" },
    ],
    [
      { type: "call-out" },
      "to.type",
      { from: { number: "1" }, to: { type: "queue", number: "8" }, answer_url: "https://a.example" },
    ],
  ];
  for (const [node, field, payload] of CHOICES) {
    it(`${node["type"]} ${node["mode"] ?? ""} refuses another ${field} than the interface lists`, async () => {
      await load(flowWith(held.tenant.url, node));
      const { code, cause } = await fail({ payload });
      deepStrictEqual(
        [code, cause.field, cause.source, held.tenant.received.length],
        ["ERR_INPUT", field, `msg.payload.${field}`, 0],
      );
    });
  }
});
