import { deepStrictEqual, match } from "node:assert/strict";
import { failureOf, flowWith, load, play, withTenant } from "../../support/flow";

/** A field that only the other mode has is refused, not silently left out: the caller meant something by it. */
describe("call-transfer, fields of the other mode", () => {
  const held = withTenant();
  const simple = { callId: "c-1", to: { type: "internal", number: "8" } };
  const advanced = { ...simple, transferType: "blind" };

  const REFUSED: readonly [
    mode: string,
    field: string,
    node: Record<string, unknown>,
    payload: Record<string, unknown>,
    key: RegExp,
  ][] = [
    ["simple", "transferType", {}, { ...simple, transferType: "blind" }, /input\.onlyInMode/],
    ["simple", "transferType", { transferKind: "blind", transferKindType: "str" }, simple, /input\.onlyInMode/],
    ["simple", "to.alias", {}, { ...simple, to: { ...simple.to, alias: "Ann" } }, /input\.onlyInMode/],
    ["simple", "to.alias", {}, { ...simple, "to.alias": "Ann" }, /input\.onlyInMode/],
    ["simple", "to.type", {}, { ...simple, to: { type: "queue", number: "9" } }, /input\.choiceOnlyInMode/],
    ["advanced", "fromUserId", {}, { ...advanced, fromUserId: "u7" }, /input\.onlyInMode/],
    ["advanced", "fromUserId", { fromUserId: 7 }, advanced, /input\.onlyInMode/],
  ];
  for (const [mode, field, node, payload, key] of REFUSED) {
    it(`${mode} mode refuses ${field}: ${JSON.stringify(node)} ${JSON.stringify(payload)}`, async () => {
      await load(flowWith(held.tenant.url, { type: "call-transfer", mode, ...node }));
      const { code, message, cause } = await failureOf({ payload });
      deepStrictEqual([code, cause.field, held.tenant.received.length], ["ERR_INPUT", field, 0]);
      match(message, key);
    });
  }

  const EMPTY: readonly [mode: string, node: Record<string, unknown>, payload: Record<string, unknown>][] = [
    ["simple", { toAlias: "", toAliasType: "msg", transferKind: "", transferKindType: "jsonata" }, simple],
    ["simple", {}, { ...simple, transferType: "", to: { ...simple.to, alias: null } }],
    ["advanced", { fromUserId: "", fromUserIdType: "num" }, { ...advanced, fromUserId: "u7" }],
  ];
  for (const [mode, node, payload] of EMPTY) {
    it(`${mode} mode treats an empty one as not given: ${JSON.stringify(node)} ${JSON.stringify(payload)}`, async () => {
      await load(flowWith(held.tenant.url, { type: "call-transfer", mode, ...node }));
      const { catches, outs } = await play({ payload });
      deepStrictEqual([catches.map(({ error }) => error), outs.length], [[], 1]);
    });
  }

  for (const [said, sent] of [
    ["attended", "attendend"],
    ["attendend", "attendend"],
    ["blind", "blind"],
  ]) {
    it(`says ${sent} for ${said}`, async () => {
      await load(
        flowWith(held.tenant.url, {
          type: "call-transfer",
          mode: "advanced",
          transferKind: said,
          transferKindType: "str",
        }),
      );
      await play({ payload: simple });
      deepStrictEqual(held.tenant.body()["transferType"], sent);
    });
  }
});
