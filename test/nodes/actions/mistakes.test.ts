import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { GOOD_PAYLOAD } from "../../interface/requests";
import { fail, flowWith, load, shownSoFar, withTenant } from "../../support/stage";

type Row = readonly [title: string, node: Record<string, unknown>, payload: Record<string, unknown>, source: string];

const TO = { type: "external", number: "0000000000" };
const WORD = { ...TO, number: "sip:ada@acme.example.com" };
const CALL = { to: TO, from: { number: "0000000001" }, answer_url: "https://flows.example.com/answer" };

/** A mistake that a phone service may accept without a word, and then calls nobody, or the wrong one. */
describe("A mistake in a call", () => {
  const held = withTenant();

  const REFUSED: Readonly<Record<string, readonly Row[]>> = {
    "to.number": [
      ["letters", { type: "call-out" }, { ...CALL, to: { number: "1-800-FLOWERS" } }, "msg.payload.to.number"],
      ["sip:", { type: "call-out" }, { ...CALL, to: WORD }, "msg.payload.to.number"],
      ["no digit", { type: "call-out", toNumber: "-", toNumberType: "str" }, CALL, "the dialog"],
      ["a transfer to letters", { type: "call-transfer" }, { callId: "c", to: WORD }, "msg.payload.to.number"],
      ["letters to add", { type: "call-add-user" }, { callId: "c", to: WORD }, "msg.payload.to.number"],
    ],
    answer_url: [
      ["no address", { type: "call-out" }, { ...CALL, answer_url: "acme/answer" }, "msg.payload.answer_url"],
      ["another protocol", { type: "call-out" }, { ...CALL, answer_url: "ftp://a.example" }, "msg.payload.answer_url"],
      ["no host", { type: "call-out" }, { ...CALL, answer_url: "https:///answer" }, "msg.payload.answer_url"],
    ],
  };
  for (const [field, rows] of Object.entries(REFUSED))
    for (const [title, node, payload, source] of rows)
      it(`is refused before anything is sent: ${field}, ${title}`, async () => {
        await load(flowWith(held.tenant.url, node));
        const { code, cause } = await fail({ payload });
        deepStrictEqual([code, cause.field, cause["source"]], ["ERR_INPUT", field, source]);
        strictEqual(held.tenant.received.length, 0);
      });

  const TEMPLATES: readonly [title: string, node: Record<string, unknown>, field: string][] = [
    [
      "a text",
      { actions: [{ action: "talk", text: "Hello {{payload.name", textType: "mustache" }], actionsType: "list" },
      "actions[0].text",
    ],
    ["a section", { toNumber: "{{#a}}1", toNumberType: "mustache" }, "to.number"],
    ["a key", { onceKey: "{{payload.id}", onceKeyType: "mustache" }, "onceKey"],
  ];
  for (const [title, node, field] of TEMPLATES)
    it(`is reported at deploy if it is a template that is not closed: ${title}`, async () => {
      await load(flowWith(held.tenant.url, { type: "call-out", ...node }));
      deepStrictEqual(shownSoFar(), [{ fill: "red", shape: "dot" }]);
      const { code, message, cause } = await fail({ payload: GOOD_PAYLOAD["call-out"] });
      deepStrictEqual([code, cause.field, held.tenant.received.length], ["ERR_CONFIG", field, 0]);
      match(message, /config\.template$/);
    });
});
