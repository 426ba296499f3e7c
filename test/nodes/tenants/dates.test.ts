import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { putClockAhead } from "../../support/clocks";
import { clear, fail, give, load, nodeOf, pass, redeploy, seen, until, warnings } from "../../support/stage";
import { callOut, callsOfTenant, control } from "../schedules/requests";

const MINUTE = 60_000;
const DATED = { notBefore: "when", notBeforeType: "msg" };

describe("what a tenant does with calls that have a date", () => {
  const { flow: flowOfCalls, dialled } = callsOfTenant();
  const flow = (tenant: Record<string, unknown>) =>
    flowOfCalls({ engine: "memory", ...tenant }, callOut(DATED), control());
  const dated = async (count: number) => {
    await until(async () => (await pass({ payload: "count" }, "k1")).payload.dated === count);
    clear();
  };

  it("takes their share of calls to a number at the date, and ends those for which none is left", async () => {
    await load(flow({ perNumber: "1" }));
    for (const n of [1, 2]) give({ payload: "0912345678", when: Date.now() + 5 * MINUTE, n });
    await dated(2);
    await pass({ payload: "0912345678", when: Date.now() });
    give({ payload: "0912345678", when: Date.now() + 100, n: 3 });
    await until(() => seen.caught.length === 1, "the third one ended");
    const { n, error = {} } = { ...seen.caught[0] };
    const { code, cause } = error as Record<string, Record<string, unknown>>;
    deepStrictEqual(
      [n, code, cause?.["rule"], cause?.["outcome"], cause?.["retryable"]],
      [3, "ERR_BLOCKED", "perNumber", "not-applied", true],
    );
    deepStrictEqual(dialled(), ["0912345678"]);
    await dated(2);
  });

  it("blocks them on acceptance, and at their date if the list has changed", async () => {
    const list = { block: "block", blockType: "global" };
    await load(flow(list));
    const { global } = nodeOf("n1").context();
    global.set("block", ["113"]);
    const later = Date.now() + 5 * MINUTE;
    strictEqual((await fail({ payload: "113", when: later })).code, "ERR_BLOCKED");
    clear();
    give({ payload: "0912345678", when: later });
    await dated(1);
    global.set("block", ["0912345678"]);
    putClockAhead(6 * MINUTE);
    await until(() => seen.caught.length === 1, "it is blocked");
    deepStrictEqual([seen.caught[0]?.["error"].code, dialled()], ["ERR_BLOCKED", []]);
  });

  it("warns once that a later date is lost with the memory", async () => {
    const inMemory = () => warnings().filter((line) => line.includes("datedInMemory")).length;
    await load(flow({}));
    give({ payload: "1", when: Date.now() + 9 * MINUTE });
    await dated(1);
    strictEqual(inMemory(), 0);
    for (const n of [2, 3]) give({ payload: String(n), when: Date.now() + 11 * MINUTE });
    await dated(3);
    strictEqual(inMemory(), 1);
    await redeploy(flow({ timeout: "20" }));
    give({ payload: "4", when: Date.now() + 11 * MINUTE });
    await dated(4);
    strictEqual(inMemory(), 1);
  });

  it("only logs them at their date in log mode", async () => {
    await load(flow({ mode: "log", engine: "" }));
    const when = Date.now() + 150;
    const { telephony } = await pass({ payload: "0912345678", when });
    strictEqual(telephony.mode, "log");
    strictEqual(Date.now() >= when, true);
    deepStrictEqual(dialled(), []);
  });
});
