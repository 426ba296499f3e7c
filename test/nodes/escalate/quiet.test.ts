import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { mock } from "node:test";
import type { TenantClient } from "../../../src/client";
import { tenantOf } from "../../../src/runtime/tenants/tenants";
import { clear, give, load, seen, until } from "../../support/stage";
import { acknowledge, ending, escalate, incident, incidents } from "./escalations";

/** docs/contract/escalate.md */
describe("call-escalate after an acknowledgement", () => {
  const { flow, dialled, untilDialled } = incidents();

  it("is quiet, until it is over, and an end begins nothing", async () => {
    await load(flow({}, escalate({ ringFor: "3600" })));
    const over = (value: unknown, key = "k") => give({ ...incident(key), over: value, acknowledge: "Ali" });
    over(true);
    give(incident());
    await untilDialled(1);
    acknowledge("Jane");
    await ending();
    clear();
    for (const message of [incident(), incident("k", "no list")]) give(message);
    await until(() => seen.completed.length === 2, "both change nothing");
    over("on");
    give(incident());
    await untilDialled(2);
    over(1);
    const { at, message } = await ending();
    const { over: isOver, acknowledgedBy } = message.payload;
    deepStrictEqual([at, isOver, acknowledgedBy], ["acknowledged", true, null]);
    clear();
    give({ ...incident(), over: false });
    await untilDialled(3);
    strictEqual(seen.out.length + seen.closed.length + seen.caught.length, 0);
  });

  it("is quiet also if another Node-RED ends the incident between the look and the record", async () => {
    await load(flow({}, escalate()));
    const { client } = tenantOf("t1") as { client: TenantClient };
    const keys = await client.ask((backlog) => backlog.keys);
    const tryKey = keys.try.bind(keys);
    const acknowledgedMeanwhile: typeof tryKey = async (key) => {
      const taken = await tryKey(key);
      await keys.keep(key);
      return taken;
    };
    mock.method(keys, "try", acknowledgedMeanwhile, { times: 1 });
    give(incident());
    await until(() => seen.completed.length === 1, "it changes nothing");
    deepStrictEqual([dialled(), seen.out.length + seen.closed.length + seen.caught.length], [[], 0]);
  });
});
