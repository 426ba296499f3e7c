import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { ACCEPTED, flowWith, helper, load, send, tenantServer } from "./flow";

describe("call nodes", () => {
  let tenant: Awaited<ReturnType<typeof tenantServer>>;
  before(() => helper.startServer());
  after((done) => {
    helper.stopServer(done);
  });
  beforeEach(async () => {
    tenant = await tenantServer();
  });
  afterEach(async () => {
    await helper.unload();
    await tenant.stop();
  });

  it("stops a call with nothing filled in", async () => {
    await load(flowWith(tenant.url, { type: "call-stop" }));
    const { out, caught } = await send({ payload: { callId: "c-1" }, req: { a: 1 } });
    strictEqual(caught, undefined, JSON.stringify(caught?.error));
    deepStrictEqual(tenant.received.map(({ method, url, body }) => ({ method, url, body })), [
      { method: "POST", url: "/api/v1/call/stop-a-call", body: { callId: "c-1" } },
    ]);
    strictEqual(tenant.received[0]?.headers["authentication"], "Bearer secret-token");
    strictEqual(out?.payload, null);
    deepStrictEqual(out?.envelope, ACCEPTED);
    strictEqual(out?.statusCode, 200);
    strictEqual(out?.callId, "c-1");
    console.log(out);
  });

  it("fails", async () => {
    await load(flowWith(tenant.url, { type: "call-transfer" }));
    const { caught } = await send({ payload: { callId: "c-1", to: { type: "queue", number: 5 } } });
    console.log(caught);
  });
});
