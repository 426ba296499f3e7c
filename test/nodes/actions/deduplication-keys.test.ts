import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import {
  fail,
  flowOf,
  give,
  load,
  pass,
  play,
  redeploy,
  seen,
  statusesOf,
  until,
  withTenant,
} from "../../support/stage";
import { callAlike as callOut } from "../schedules/requests";

describe("deduplication keys (onceKey): ERR_DUPLICATE", () => {
  const held = withTenant();
  const flow = (...nodes: Record<string, unknown>[]) => flowOf({ url: held.tenant.url }, ...nodes);
  const count = () => held.tenant.received.length;
  const once = { onceKey: "key", onceKeyType: "msg" };

  it("let the first through and refuse the second", async () => {
    await load(flow(callOut(once)));
    const before = Date.now();
    await pass({ key: "a" });
    const { code, cause } = await fail({ key: "a" });
    deepStrictEqual(
      [code, cause.outcome, cause.retryable, cause.sent, cause.attempts],
      ["ERR_DUPLICATE", "not-applied", false, "no", 0],
    );
    deepStrictEqual(Object.keys(cause.first).sort(), ["at", "outcome"]);
    strictEqual(cause.first.outcome, "applied");
    ok(Date.parse(cause.first.at) >= before - 1 && Date.parse(cause.first.at) <= Date.now());
    await pass({ key: "b" });
    strictEqual(count(), 2);
  });

  for (const type of ["call-out", "call-transfer"]) {
    it(`of a ${type} may end a repeated message silently`, async () => {
      const node = { id: "n1", type, tenant: "t1", ...once, onceAgain: "ignore", wires: [["out"]] };
      await load(flow(type === "call-out" ? callOut({ ...once, onceAgain: "ignore" }) : node));
      const transfer = { callId: "c", to: { type: "internal", number: "1" } };
      const message = () => ({ key: "a", ...(type === "call-transfer" && { payload: { ...transfer } }) });
      await pass(message());
      const statuses = statusesOf("n1");
      give(message());
      await until(() => seen.completed.length === 2 && statuses.at(-1)?.fill === "grey", "the repeated one ended");
      deepStrictEqual([count(), seen.out.length, seen.caught.length], [1, 1, 0]);
    });
  }

  it("with another word for what becomes of repeats are ERR_CONFIG", async () => {
    await load(flow(callOut({ ...once, onceAgain: "forget" })));
    const { code, cause } = await fail({ key: "a" });
    deepStrictEqual([code, cause.field, count()], ["ERR_CONFIG", "onceAgain", 0]);
  });

  for (const key of [undefined, null, "", "  "]) {
    it(`that resolve to ${JSON.stringify(key)} are ERR_INPUT`, async () => {
      await load(flow(callOut(once)));
      const { code, cause } = await fail({ key });
      deepStrictEqual([code, cause.field, cause.source], ["ERR_INPUT", "onceKey", "msg.key"]);
      strictEqual(count(), 0);
    });
  }

  it("are off by default", async () => {
    await load(flow(callOut({ onceKey: "", onceKeyType: "msg" })));
    await pass({ onceKey: "a" });
    await pass({ onceKey: "a" });
    strictEqual(count(), 2);
  });

  for (const [what, answer, code, again] of [
    ["a refusal gives the key back", { status: 422, body: {} }, "ERR_REJECTED", true],
    ["a 429 gives the key back", { status: 429, body: {} }, "ERR_RATE_LIMITED", true],
    ["a 5xx keeps it", { status: 500, body: {} }, "ERR_SERVER", false],
    ["an answer that is none keeps it", { body: "hello" }, "ERR_BAD_RESPONSE", false],
  ] as const) {
    it(what, async () => {
      held.tenant.answers((_request, index) => (index === 0 ? answer : {}));
      await load(flow(callOut(once)));
      strictEqual((await fail({ key: "a" })).code, code);
      if (again) await pass({ key: "a" });
      else {
        const { code: second, cause } = await fail({ key: "a" });
        deepStrictEqual([second, cause.first.outcome], ["ERR_DUPLICATE", "unknown"]);
      }
      strictEqual(count(), again ? 2 : 1);
    });
  }

  it("belong to their node, or to all nodes of the tenant", async () => {
    await load(
      flow(
        callOut(once),
        callOut({ ...once, id: "n2" }),
        callOut({ ...once, id: "n3", onceScope: "tenant" }),
        callOut({ ...once, id: "n4", onceScope: "tenant" }),
      ),
    );
    await pass({ key: "a" }, "n1");
    await pass({ key: "a" }, "n2");
    await pass({ key: "a" }, "n3");
    strictEqual((await fail({ key: "a" }, "n4")).code, "ERR_DUPLICATE");
    strictEqual((await fail({ key: "a" }, "n1")).code, "ERR_DUPLICATE");
    strictEqual(count(), 3);
  });

  it("of a node are its own, whatever its id", async () => {
    await load(
      flow(
        callOut({ ...once, id: "n1", onceScope: "tenant" }),
        callOut({ ...once, id: "tenant" }),
        callOut({ ...once, id: "tenant a" }),
      ),
    );
    await pass({ key: "a b" }, "n1");
    await pass({ key: "a b" }, "tenant");
    await pass({ key: "b" }, "tenant a");
    strictEqual(count(), 3);
  });

  it("are free again after onceFor seconds", async () => {
    await load(flow(callOut({ ...once, onceFor: "0.2" })));
    await pass({ key: "a" });
    await until(async () => {
      const { caught } = await play({ key: "a" });
      ok(caught.every(({ error }) => error.code === "ERR_DUPLICATE"));
      return count() === 2;
    });
  });

  it("belong to one address", async () => {
    await load(flow(callOut(once)));
    await pass({ key: "a" });
    await redeploy(flowOf({ url: `${held.tenant.url}/other` }, callOut(once)));
    await pass({ key: "a" });
    strictEqual(count(), 2);
  });

  for (const between of [{ mode: "log" }, { mode: "sandbox" }, { url: "https://elsewhere.invalid" }, { url: "" }]) {
    it(`are kept while the tenant is another for a while: ${JSON.stringify(between)}`, async () => {
      await load(flow(callOut(once)));
      await pass({ key: "a" });
      await redeploy(flowOf({ url: held.tenant.url, ...between }, callOut(once)));
      await redeploy(flow(callOut(once)));
      strictEqual((await fail({ key: "a" })).code, "ERR_DUPLICATE");
      strictEqual(count(), 1);
    });
  }

  it("are not taken in log mode", async () => {
    await load(flowOf({ url: held.tenant.url, mode: "log" }, callOut(once)));
    await pass({ key: "a" });
    await pass({ key: "a" });
    strictEqual(count(), 0);
  });

  it("call-stop has none", async () => {
    await load(
      flow({ id: "n1", type: "call-stop", tenant: "t1", onceKey: "key", onceKeyType: "msg", wires: [["out"]] }),
    );
    const message = { payload: { callId: "c" }, key: "a" };
    deepStrictEqual([(await play(message, { ...message })).out.length, count()], [2, 2]);
  });

  it("business-hour-create has one", async () => {
    await load(flow({ id: "n1", type: "business-hour-create", tenant: "t1", ...once, wires: [["out"]] }));
    const payload = { name: "x", days: [{ day: "mon", open: "8:00", close: "9:00" }] };
    held.tenant.answers(() => ({ status: 422, body: {} }));
    for (let refused = 0; refused < 2; refused += 1)
      strictEqual((await fail({ payload, key: "a" })).code, "ERR_REJECTED");
    held.tenant.answers(() => (response) => void response.socket?.destroy());
    strictEqual((await fail({ payload, key: "a" })).code, "ERR_CONNECTION_LOST");
    const { code, cause } = await fail({ payload, key: "a" });
    deepStrictEqual([code, cause.first.outcome], ["ERR_DUPLICATE", "unknown"]);
  });
});
