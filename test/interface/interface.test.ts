import { doesNotThrow, throws } from "node:assert/strict";
import { checkAnswer, checkRequest, operationOf, type SentRequest } from "./interface";

const HOURS = "/api/v1/setting/business-hour";
const headers = { authentication: "Bearer x", accept: "application/json", "content-type": "application/json" };
const post = (path: string, body: unknown): SentRequest => ({ method: "POST", url: path, headers, body });
const transfer = (body: object) => post("/pbx/api/v1/call/transfer", { callId: "c", "to.type": "internal", ...body });

describe("the check of requests against the interface", () => {
  const bad: readonly [what: string, request: SentRequest, sentence: RegExp][] = [
    ["a misspelt field", transfer({ fromUserID: "u" }), /transfer breaks .*additional properties \(fromUserID\)/],
    ["a value of another type", transfer({ "to.number": 5 }), /\.to\.number must be string/],
    ["a value outside a list", transfer({ "to.type": "queue" }), /allowed values \(internal,external\)/],
    ["a misspelt field of a nested party", transfer({ "to.type": undefined, to: { nmber: "1" } }), /mixes|to\.nmber/],
    ["both spellings in one body", transfer({ to: { number: "1" } }), /mixes dotted and nested parties/],
    ["a missing field", post("/api/v1/call/stop-a-call", {}), /required property 'callId'/],
    ["no body", post("/api/v1/call/stop-a-call", undefined), /the body must be object/],
    ["neither actions nor an answer address", post("/api/v1/call/call-out", {}), /'answer_url'/],
    [
      "a number for loop",
      post("/api/v1/call/call-out", { actions: [{ action: "talk", loop: 3 }] }),
      /loop must be str/,
    ],
    ["a time with seconds", post(HOURS, { days: [{ day: "mon", open: "08:00:00" }] }), /days\.0\.open must match/],
    ["an unknown path", post("/api/v1/call/hang-up", {}), /POST \/api\/v1\/call\/hang-up is no operation/],
    ["another method", { method: "PUT", url: HOURS, body: {} }, /PUT .* is no operation/],
    ["an unknown query parameter", { method: "GET", url: `${HOURS}?serch=a`, body: undefined }, /serch is unknown/],
    ["a word for a number", { method: "GET", url: `${HOURS}?limit=all`, body: undefined }, /limit must be a number/],
    ["an id that is not a number", { method: "DELETE", url: `${HOURS}/a`, body: undefined }, /id must be a number/],
    ["a body on a GET", { method: "GET", url: HOURS, body: {} }, /has no body/],
    [
      "no token",
      { ...transfer({}), headers: { ...headers, authentication: undefined } },
      /authentication must be Bear/,
    ],
    ["no accept header", { ...transfer({}), headers: { ...headers, accept: "*/*" } }, /accept must be application/],
    [
      "another content type",
      { ...transfer({}), headers: { ...headers, "content-type": "text/plain" } },
      /content-type/,
    ],
  ];
  for (const [what, request, sentence] of bad) {
    it(`refuses ${what}`, () => throws(() => checkRequest(request), sentence));
  }

  it("takes dotted and nested parties, and any field of an action", () => {
    doesNotThrow(() => checkRequest(transfer({})));
    const party = { type: "internal", number: "1" };
    doesNotThrow(() => checkRequest(post("/api/v1/call/transfer", { callId: "c", to: party })));
    doesNotThrow(() => checkRequest(post("/api/v1/call/call-out", { actions: [{ action: "play", file: 1 }] })));
  });
});

describe("the check of answers against the interface", () => {
  const envelope = { success: true, code: 200, locale: "en", message: "OK", data: null as unknown };
  const stop = operationOf("POST", "/api/v1/call/stop-a-call").operation;
  const create = operationOf("POST", HOURS).operation;

  it("takes the envelope, and a refusal in it", () => {
    doesNotThrow(() => checkAnswer(stop, 200, envelope));
    doesNotThrow(() => checkAnswer(create, 422, { ...envelope, success: false }));
  });

  it("refuses another shape", () => {
    throws(() => checkAnswer(stop, 200, { ...envelope, data: {} }), /stop-a-call breaks .*data must be null/);
    throws(() => checkAnswer(stop, 200, { ...envelope, more: 1 }), /\(more\)/);
    throws(() => checkAnswer(stop, 500, { ...envelope, code: "500" }), /code must be number/);
    throws(() => checkAnswer(stop, 500, envelope), /success false/);
    throws(() => checkAnswer(create, 200, { ...envelope, data: { name: "x", enable: 1 } }), /enable must be boolean/);
  });
});
