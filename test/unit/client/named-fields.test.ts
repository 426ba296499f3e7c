import assert from "node:assert/strict";
import { namedFields } from "../../../src/client/named-fields";
import type { Request } from "../../../src/client/request";

const PARTIES: Request = {
  method: "POST",
  path: "/api/v1/call/call-out",
  body: { "from.type": "internal", "from.number": "1900", "to.type": "external", "to.number": "0000000000" },
};
const LIST: Request = { method: "GET", path: "/api/v1/setting/business-hour", query: { asc: false, limit: 5 } };
const STOP: Request = { method: "POST", path: "/api/v1/call/stop-a-call", body: { callId: "to" } };

const named = (request: Request, refusal: unknown) => [
  ...namedFields(Buffer.from(typeof refusal === "string" ? refusal : JSON.stringify(refusal)), request),
];

describe("the fields that a refusal names", () => {
  const parties: [form: string, refusal: unknown, names: string[]][] = [
    ["Laravel's sentence", { message: "The to.type field is required." }, ["to.type"]],
    ["Laravel's counted sentence", { message: "The to.type field is required. (and 3 more errors)" }, ["to.type"]],
    [
      "Laravel's errors",
      { message: "The given data was invalid.", errors: { "to.type": ["required"], "from.number": ["required"] } },
      ["to.type", "from.number"],
    ],
    ["Laravel's rule for a whole party", { errors: { to: ["The to field must be an array."] } }, ["to"]],
    ["a sentence on a whole party", { message: "The from field is required." }, ["from"]],
    ["a sentence that begins with the party", { errors: ["to must be an object"] }, ["to"]],
    ["a translated sentence", { message: "Trường to.number không được bỏ trống." }, ["to.number"]],
    ["a sentence without blanks", { message: "to.numberは必須項目です。" }, ["to.number"]],
    ["nested errors", { errors: { to: { type: ["is required"] } } }, ["to"]],
    ["Joi", { message: '"to" is required', path: ["to"] }, ["to"]],
    ["a path", { detail: [{ loc: ["body", "to", "number"], msg: "field required" }] }, ["to"]],
    ["a JSON pointer", { errors: [{ instancePath: "/from/number", message: "must be string" }] }, ["from.number"]],
    ["brackets", { message: "to[number] is missing" }, ["to.number"]],
    ["text that is no JSON", "Missing parameter to.type", ["to.type"]],
  ];
  for (const [form, refusal, names] of parties)
    it(`${form}: ${names.join(", ")}`, () => assert.deepEqual(named(PARTIES, refusal), names));

  const others: [what: string, refusal: unknown][] = [
    ["another field", { message: "The actions.0.action field is required." }],
    ["the English words", { message: "You are not allowed to call from this number. Talk to number one." }],
    ["words of which they are a part", { message: "auto.type into.number from.types" }],
    ["a part of the request", { message: "No credit.", request: { "to.number": "0000000000", "from.number": "1900" } }],
    ["a party of the request", { message: "No credit.", input: { to: { type: "external", number: "0000000000" } } }],
    ["nothing", ""],
    ["JSON of any depth", "[".repeat(100_000)],
  ];
  for (const [what, refusal] of others) it(`not by ${what}`, () => assert.deepEqual(named(PARTIES, refusal), []));

  it("only in a request that has such fields", () => {
    assert.deepEqual(named(STOP, { message: "The to.type field is required." }), []);
    assert.deepEqual(named(LIST, { message: "The to.type field is required." }), []);
  });

  it("a boolean of a query", () => {
    assert.deepEqual(named(LIST, { message: "The asc field must be true or false." }), ["asc"]);
    assert.deepEqual(named(LIST, { errors: { asc: ["The asc field must be true or false."] } }), ["asc"]);
    assert.deepEqual(named(LIST, { message: "The limit field must be a number.", query: { asc: "false" } }), []);
    assert.deepEqual(named(LIST, { message: "desc and ascending are no columns" }), []);
    assert.deepEqual(named({ ...LIST, query: { limit: 5 } }, { message: "The asc field is required." }), []);
  });
});
