import { deepStrictEqual, doesNotMatch, match, ok, strictEqual } from "node:assert/strict";
import { fail, give, load, nodeOf, pass, redeploy, roundTrip, seen, statusesOf, until } from "../../support/stage";
import { CONTROL, callOut, callsOfTenant } from "../schedules/requests";

const TRANSFER = {
  id: "n3",
  type: "call-transfer",
  tenant: "t1",
  toKind: "payload.kind",
  toKindType: "msg",
  toNumber: "payload.number",
  toNumberType: "msg",
  wires: [["out"]],
};
const ADD = { ...TRANSFER, id: "n4", type: "call-add-user" };
const LISTED = ["0912 345 678", "+1*", { number: "1900*", name: "premium" }];

/** The context that the flows of a tenant share. */
const globals = () => nodeOf("n1").context().global;
const setGlobal = (key: string, value: unknown) =>
  new Promise<void>((resolve) => globals().set(key, value, undefined as never, () => resolve()));

describe("the guard of a tenant", () => {
  const { held, flow: flowOfCalls, dialled } = callsOfTenant();
  const flow = (guard: Record<string, unknown>, ...more: Record<string, unknown>[]) =>
    flowOfCalls({ country: "VN", ...guard }, callOut(), TRANSFER, ADD, CONTROL, ...more);
  const ruleOf = async (payload: unknown, id = "n1") => {
    const { code, cause } = await fail({ payload }, id);
    return [code, cause.rule, cause.field, cause.sent, cause.outcome, cause.retryable, cause.phase];
  };
  const blockedBy = (rule: string) => [
    "ERR_BLOCKED",
    rule,
    "to.number",
    "no",
    "not-applied",
    rule === "perNumber",
    "queue",
  ];

  it("never calls what it blocks, in any spelling, and calls everything else as it is written", async () => {
    await load(flow({ block: LISTED, blockType: "list" }));
    for (const number of ["0912345678", "+84 912 345 678", "84912345678", "+1 201 555 0123", "19001234"])
      deepStrictEqual(await ruleOf(number), blockedBy("block"), number);
    for (const number of ["0912 345 679", "+84 (0)912 345 677"]) await pass({ payload: number });
    deepStrictEqual(dialled(), ["0912 345 679", "+84 (0)912 345 677"]);
  });

  it("calls none of two numbers in one, warns where nothing refuses them, and sends digits and plus in ASCII", async () => {
    await load(flow({ block: ["0901234507"], blockType: "list" }));
    for (const number of ["0901234507/08", "0901234507 - 08", "p:(028) 3812 3456 - 57"])
      deepStrictEqual(await ruleOf(number), blockedBy("unreadable"), number);
    await pass({ payload: "p:\uff0b\uff18\uff14 \u0669\u0660\u0661\u200e 234-515" });
    deepStrictEqual(dialled(), ["+84 901 234-515"]);
    await redeploy(flow({}));
    const warnings: string[] = [];
    nodeOf("n1").warn = (text) => warnings.push(String(text));
    for (const number of ["0901234507/08", "0901234507 - 09", "0901 234 507"]) await pass({ payload: number });
    deepStrictEqual(
      warnings.map((text) => text.replace(/.*\./, "")),
      ["mayBeTwo"],
    );
  });

  it("looks at transfers and at parties that are added, but not at users and queues", async () => {
    await load(flow({ block: ["*"], blockType: "list" }));
    for (const id of ["n3", "n4"]) {
      const callId = "c";
      deepStrictEqual(await ruleOf({ callId, kind: "external", number: "0912345678" }, id), blockedBy("block"));
      await pass({ payload: { callId, kind: "internal", number: "101" } }, id);
    }
    await redeploy(
      flow({ block: ["*"], blockType: "list" }, callOut({ id: "n9", toKind: "internal", toKindType: "str" })),
    );
    await pass({ payload: "101" }, "n9");
    strictEqual(held.tenant.received.length, 3);
  });

  it("names no number in its sentence and its status", async () => {
    await load(flow({ block: ["0912345678"], blockType: "list" }));
    const statuses = statusesOf("n1");
    const error = await fail({ payload: "0912 345 678" });
    await until(() => statuses.at(-1)?.text === "ERR_BLOCKED", "the status");
    deepStrictEqual([statuses.at(-1)?.fill, statuses.at(-1)?.shape], ["red", "dot"]);
    doesNotMatch(JSON.stringify([error.message, statuses]), /912|345/);
  });

  it("reads a list of a context with each call: it may change in place", async () => {
    await load(flow({ block: "numbers", blockType: "global" }));
    const numbers = ["0911111111"];
    await setGlobal("numbers", numbers);
    await pass({ payload: "0912345678" });
    numbers.push("0912345678");
    deepStrictEqual(await ruleOf("+84912345678"), blockedBy("block"));
    numbers.length = 0;
    await pass({ payload: "0912345678" });
  });

  it("refuses each call while a context gives no list, or a bad one, and lets others pass", async () => {
    await load(flow({ allow: "numbers", allowType: "global" }));
    for (const [list, key, field] of [
      [undefined, "missing", "allow"],
      ["", "missing", "allow"],
      [{ a: 1 }, "notList", "allow"],
      [["0912345678", "alice"], "notPhoneNumber", "allow[1]"],
      ["[1,", "notJson", "allow"],
    ] as const) {
      await setGlobal("numbers", list);
      const { code, cause, message } = await fail({ payload: "0912345678" });
      deepStrictEqual([code, cause.field, cause.source, cause.sent], ["ERR_CONFIG", field, "global.numbers", "no"]);
      match(message, new RegExp(`input\\.${key}$`));
    }
    await pass({ payload: { callId: "c", kind: "internal", number: "101" } }, "n3");
    await setGlobal("numbers", []);
    await pass({ payload: "0912345678" });
  });

  it("reads the flow context of a tenant that belongs to a flow", async () => {
    await load(flow({ z: "f1", block: "numbers", blockType: "flow" }));
    nodeOf("n1").context().flow.set("numbers", ["0912345678"]);
    deepStrictEqual(await ruleOf("+84912345678"), blockedBy("block"));
    await pass({ payload: "0912345679" });
  });

  for (const [what, guard, field] of [
    ["an entry without a digit", { allow: ["0912345678", "+84*", "alice"], allowType: "list" }, "allow[2]"],
    ["an unset variable", { block: "NO_SUCH_VARIABLE", blockType: "env" }, "block"],
    ["a source without a name", { block: "", blockType: "global" }, "block"],
    ["the flow of a tenant that belongs to none", { block: "numbers", blockType: "flow" }, "block"],
    ["null", { allow: "null", allowType: "json" }, "allow"],
    ["a source that is none of a tenant's", { allow: "payload", allowType: "msg" }, "allow"],
    ["an unknown country", { country: "XX" }, "country"],
  ] as const)
    it(`${what} is ERR_CONFIG`, async () => {
      await load(flow(guard));
      const { code, cause } = await fail({ payload: "0912345678" });
      deepStrictEqual([code, cause.field], ["ERR_CONFIG", field]);
      strictEqual(held.tenant.received.length, 0);
    });

  it("is asked again when a call that waited is sent", async () => {
    await load(flow({ block: "numbers", blockType: "global" }));
    await setGlobal("numbers", []);
    give({ payload: "pause" }, "k1");
    give({ payload: "0912345678" });
    give({ payload: "0912345679" });
    await roundTrip();
    await setGlobal("numbers", "0912345678");
    give({ payload: "resume" }, "k1");
    await until(() => seen.caught.length === 1 && dialled().length === 1, "both ended");
    strictEqual(seen.caught[0]?.["error"].cause.rule, "block");
    deepStrictEqual(dialled(), ["0912345679"]);
  });

  it("holds for what waited before a redeploy with other lists", async () => {
    await load(flow({}));
    give({ payload: "pause" }, "k1");
    give({ payload: "0912345678" });
    give({ payload: "0912345679" });
    await roundTrip();
    await redeploy(flow({ block: ["+84912345678"], blockType: "list" }));
    give({ payload: "resume" }, "k1");
    await until(() => seen.caught.length === 1 && dialled().length === 1, "both ended");
    strictEqual(seen.caught[0]?.["error"].cause.rule, "block");
    deepStrictEqual(dialled(), ["0912345679"]);
  });

  it("calls a number no more often than it may, in any spelling", async () => {
    await load(flow({ perNumber: "2", perNumberHours: "0.5" }));
    await pass({ payload: "0912345678" });
    await pass({ payload: "+84 912 345 678" });
    const { cause } = await fail({ payload: "84912345678" });
    ok(cause.retryAfterMs > 0 && cause.retryAfterMs <= 1_800_000, String(cause.retryAfterMs));
    deepStrictEqual(await ruleOf("0084912345678"), blockedBy("perNumber"));
    await pass({ payload: "0912345679" });
    await pass({ payload: { callId: "c", kind: "external", number: "0912345678" } }, "n3");
    strictEqual(dialled().length, 3);
  });

  it("counts what is unknown, but not what was refused", async () => {
    held.tenant.answers((_request, index) => (index === 0 ? { status: 422, body: {} } : { status: 500, body: {} }));
    await load(flow({ perNumber: 1 }));
    strictEqual((await fail({ payload: "0912345678" })).code, "ERR_REJECTED");
    const { code, cause } = await fail({ payload: "0912345678" });
    deepStrictEqual([code, cause.outcome], ["ERR_SERVER", "unknown"]);
    deepStrictEqual(await ruleOf("0912345678"), blockedBy("perNumber"));
  });

  for (const mode of ["sandbox", "log"])
    it(`holds in ${mode} mode, too`, async () => {
      await load(flow({ mode, perNumber: 1, block: ["+1*"], blockType: "list" }));
      deepStrictEqual(await ruleOf("+12015550123"), blockedBy("block"));
      await pass({ payload: "0912345678" });
      deepStrictEqual(await ruleOf("0912345678"), blockedBy("perNumber"));
      const call = { callId: "c", kind: "external", number: "+12015550123" };
      deepStrictEqual(await ruleOf(call, "n3"), blockedBy("block"));
      strictEqual(held.tenant.received.length, 0);
    });
});
