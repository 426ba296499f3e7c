import { deepStrictEqual, ok } from "node:assert/strict";
import { flowOf, give, load, seen, settle, until, withTenant } from "../../support/stage";
import { CALL_STOP } from "../schedules/requests";

describe("lanes of a tenant in a flow", () => {
  const held = withTenant();

  it("a stop or transfer of a live call does not stand behind reads", async () => {
    const order: string[] = [];
    held.tenant.answers(async ({ url }) => {
      order.push(url);
      await settle(5);
      return {};
    });
    const read = { id: "n3", type: "business-hour-get", tenant: "t1", wires: [["out"]] };
    const transfer = { id: "n4", type: "call-transfer", tenant: "t1", wires: [["out"]] };
    const addUser = { id: "n5", type: "call-add-user", tenant: "t1", wires: [["out"]] };
    await load(flowOf({ url: held.tenant.url, concurrency: 1 }, CALL_STOP, read, transfer, addUser));
    for (let index = 1; index <= 100; index += 1) give({ payload: { id: index } }, "n3");
    await until(() => order.length > 0, "the first read is in flight");
    const to = { type: "internal", number: "7" };
    give({ payload: { callId: "c", to } }, "n5");
    give({ payload: { callId: "c", to } }, "n4");
    give({ payload: { callId: "c" } }, "n2");
    await until(() => seen.out.length === 103, "all ended");
    const calls = order.filter((url) => url.startsWith("/api/v1/call/"));
    deepStrictEqual(
      calls.map((url) => url.replace("/api/v1/call/", "")),
      ["add-user", "transfer", "stop-a-call"],
    );
    // Reads may be in flight, or have ended, while a message is prepared.
    ok(order.indexOf(calls[2] ?? "") < 50, `after ${order.indexOf(calls[2] ?? "")} requests`);
    const numbers = order.filter((url) => !url.startsWith("/api/v1/call/")).map((url) => Number(url.split("/").at(-1)));
    deepStrictEqual(
      numbers,
      Array.from({ length: 100 }, (_, index) => index + 1),
    );
  });
});
