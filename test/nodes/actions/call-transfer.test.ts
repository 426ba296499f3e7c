import { deepStrictEqual, match } from "node:assert/strict";
import { fail, flowWith, load, play, withTenant } from "../../support/stage";

/** A message may serve both modes. What the node itself sets for the other one is refused: its builder meant something by it. */
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
    ["simple", "transferType", { transferKind: "blind", transferKindType: "str" }, simple, /input\.onlyInMode/],
    [
      "simple",
      "transferType",
      { transferKind: "payload.how", transferKindType: "msg" },
      { ...simple, how: "x" },
      /input\.onlyInMode/,
    ],
    [
      "simple",
      "to.alias",
      { toAlias: "payload.name", toAliasType: "msg" },
      { ...simple, name: "Ann" },
      /input\.onlyInMode/,
    ],
    ["simple", "to.type", {}, { ...simple, to: { type: "queue", number: "9" } }, /input\.choiceOnlyInMode/],
    ["advanced", "fromUserId", { fromUserId: 7 }, advanced, /input\.onlyInMode/],
  ];
  for (const [mode, field, node, payload, key] of REFUSED) {
    it(`${mode} mode refuses ${field}: ${JSON.stringify(node)} ${JSON.stringify(payload)}`, async () => {
      await load(flowWith(held.tenant.url, { type: "call-transfer", mode, ...node }));
      const { code, message, cause } = await fail({ payload });
      deepStrictEqual([code, cause.field, held.tenant.received.length], ["ERR_INPUT", field, 0]);
      match(message, key);
    });
  }

  const both = { ...advanced, fromUserId: "u7", to: { ...simple.to, alias: "Ann" } };
  const [plain, to] = [{ callId: "c-1" }, { "to.type": "internal", "to.number": "8" }];
  const defaults = { toAlias: "payload.to.alias", toAliasType: "msg", fromUserId: "payload.fromUserId" };
  const PASSED: readonly [
    mode: string,
    node: Record<string, unknown>,
    payload: Record<string, unknown>,
    sent: object,
  ][] = [
    ["simple", {}, both, { ...plain, fromUserId: "u7", ...to }],
    ["simple", { ...defaults, fromUserIdType: "msg" }, both, { ...plain, fromUserId: "u7", ...to }],
    ["simple", {}, { ...simple, "to.alias": { first: "Ann" }, transferType: "later" }, { ...plain, ...to }],
    [
      "simple",
      { toAlias: "", toAliasType: "msg", transferKind: "", transferKindType: "jsonata" },
      simple,
      { ...plain, ...to },
    ],
    ["advanced", {}, both, { ...plain, ...to, "to.alias": "Ann", transferType: "blind" }],
    [
      "advanced",
      { fromUserId: "", fromUserIdType: "num" },
      both,
      { ...plain, ...to, "to.alias": "Ann", transferType: "blind" },
    ],
  ];
  for (const [mode, node, payload, sent] of PASSED) {
    it(`${mode} mode leaves out those of a message: ${JSON.stringify(node)} ${JSON.stringify(payload)}`, async () => {
      await load(flowWith(held.tenant.url, { type: "call-transfer", mode, ...node }));
      const { caught } = await play({ payload });
      deepStrictEqual([caught.map(({ error }) => error), held.tenant.body()], [[], sent]);
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
