import assert from "node:assert/strict";
import { redactor, TenantError } from "../../../src/client";
import { classifyAnswer, classifyBroken, DeadlineError, type UnknownOutcome } from "../../../src/client/classify";
import { readEnvelope } from "../../../src/client/envelope";
import { ConnectError, isCertificateProblem } from "../../../src/client/transport/connect-attempt";
import { type Broken, TooLargeError } from "../../../src/client/transport/exchange";

const ifUnknown: UnknownOutcome = { outcome: "unknown", retryable: false };
const context = { ifUnknown, redact: redactor("canary"), host: "acme.example.com", now: 0 };

const classified = (
  status: number,
  body: string | Buffer,
  headers: Record<string, string> = { "content-length": "1" },
) => classifyAnswer({ status, headers, body: Buffer.from(body as string) }, context);
const failed = (...args: Parameters<typeof classified>): TenantError => {
  const outcome = classified(...args);
  assert.ok(outcome instanceof TenantError);
  return outcome;
};

describe("classifying an answer", () => {
  for (const status of [200, 201, 202, 299]) {
    it(`${status} with success true is a success, whatever its code and data`, () => {
      const outcome = classified(status, '{"success":true,"code":0,"data":"canary"}');
      assert.ok(!(outcome instanceof TenantError));
      assert.deepEqual([outcome.status, outcome.envelope], [status, { success: true, code: 0, data: "canary" }]);
    });
  }

  const byStatus: [number, string, string, boolean][] = [
    [300, "ERR_REDIRECT", "rejected", false],
    [304, "ERR_REDIRECT", "rejected", false],
    [399, "ERR_REDIRECT", "rejected", false],
    [400, "ERR_REJECTED", "rejected", false],
    [401, "ERR_AUTH", "rejected", false],
    [402, "ERR_REJECTED", "rejected", false],
    [403, "ERR_AUTH", "rejected", false],
    [428, "ERR_REJECTED", "rejected", false],
    [429, "ERR_RATE_LIMITED", "rejected", true],
    [430, "ERR_REJECTED", "rejected", false],
    [499, "ERR_REJECTED", "rejected", false],
    [500, "ERR_SERVER", "unknown", false],
    [599, "ERR_SERVER", "unknown", false],
  ];
  for (const [status, code, outcome, retryable] of byStatus) {
    it(`${status} is ${code}, whatever its body contains`, () => {
      for (const body of ["", "<html>", '{"success":true}', '{"success":false}']) {
        const error = failed(status, body);
        assert.deepEqual(
          [error.code, error.outcome, error.retryable, error.phase, error.sent, error.details.httpStatus],
          [code, outcome, retryable, "parse", "yes", status],
        );
      }
    });
  }

  const service = '{"success":false,"code":404,"message":"gone"}';
  const elsewhere = ["", "<html>", "[]", '{"message":"gone"}', '{"success":false}', '{"success":"no","code":404}'];
  for (const missing of ["noSuchCall", "noSuchSchedule", undefined] as const) {
    it(`404 for ${missing ?? "no id"}: the address is right in the service's envelope, and to be checked without`, () => {
      const keyOf = (body: string) => {
        const outcome = classifyAnswer({ status: 404, headers: {}, body: Buffer.from(body) }, { ...context, missing });
        return outcome instanceof TenantError && outcome.key;
      };
      assert.equal(keyOf(service), missing ?? "ERR_REJECTED");
      for (const body of elsewhere) assert.equal(keyOf(body), "notService", body);
    });
  }

  for (const status of [429, 503])
    it(`${status} with a date waits as long after the answer's own date, whatever the clock here shows`, () => {
      const wished = { "retry-after": "Sat, 21 Nov 2026 08:00:05 GMT" };
      const waits = ["Sat, 21 Nov 2026 08:00:00 GMT", "today", ""].map((date) => {
        return failed(status, "{}", { ...wished, ...(date && { date }) }).details.retryAfterMs;
      });
      assert.deepEqual(waits, [5000, Date.UTC(2026, 10, 21, 8, 0, 5), Date.UTC(2026, 10, 21, 8, 0, 5)]);
    });

  it("waits for no other failure of the service", () => {
    for (const status of [500, 502, 504])
      assert.equal(failed(status, "{}", { "retry-after": "5" }).details.retryAfterMs, undefined);
  });

  it("the service's words come along, redacted and short", () => {
    const error = failed(
      422,
      JSON.stringify({ success: false, code: "E-canary", message: `no\ncanary ${"x".repeat(300)}` }),
    );
    assert.equal(error.details.serviceCode, "E-[token]");
    assert.match(error.details.serviceMessage ?? "", /^no \[token\] x+…$/);
    assert.equal(error.details.serviceMessage?.length, 200);
    assert.match(String(error.params["service"]), /^: no \[token\]/);
    assert.deepEqual(failed(422, '{"success":false,"code":7}').details, { httpStatus: 422, serviceCode: 7 });
    assert.deepEqual(failed(422, '{"success":false,"code":{},"message":[1]}').details, { httpStatus: 422 });
    assert.equal(failed(422, "{}").params["service"], "");
  });

  it("the service's text is included without an envelope too, since its error format is not documented", () => {
    const { code, details } = failed(401, '{"message":"Unauthenticated.","code":"E1"}');
    assert.deepEqual(
      [code, details],
      ["ERR_AUTH", { httpStatus: 401, serviceCode: "E1", serviceMessage: "Unauthenticated." }],
    );
    const bad = failed(200, '{"success":"true","code":5,"message":"yes"}');
    assert.deepEqual(bad.details, { httpStatus: 200, serviceCode: 5, serviceMessage: "yes" });
    assert.equal(bad.code, "ERR_BAD_RESPONSE");
  });

  it("a refusal that names a party field mentions the two formats for sending them", () => {
    const key = (message: string) => failed(422, JSON.stringify({ success: false, message })).key;
    assert.equal(key("The to.number field is required."), "rejectedParty");
    assert.equal(key("from.alias: unknown"), "rejectedParty");
    assert.equal(key("The tomato.number field"), "ERR_REJECTED");
    assert.equal(key("The number field"), "ERR_REJECTED");
  });

  it("a body without an envelope is quoted; an empty answer has its own sentence", () => {
    const page = failed(200, `<b>canary\u001b</b> call +49 170 1234567 ${"x".repeat(300)}`);
    assert.equal(page.key, "ERR_BAD_RESPONSE");
    assert.match(String(page.params["excerpt"]), /^<b>\[token\] <\/b> call \+•• ••• ••••567 x+…$/);
    assert.equal(String(page.params["excerpt"]).length, 200);
    assert.equal(failed(200, "").key, "emptyResponse");
    assert.equal(failed(200, " \r\n").key, "emptyResponse");
  });

  it("a body cut at its connection's end was lost on the way; one with a length was meant so", () => {
    assert.equal(failed(200, '{"success":tr', {}).phase, "body");
    assert.equal(failed(200, "", {}).phase, "body");
    assert.equal(failed(204, "", {}).phase, "parse");
    assert.equal(failed(200, "<html>", {}).phase, "parse");
    assert.equal(failed(200, "{}", {}).phase, "parse");
    assert.equal(failed(200, '{"success":tr', { "content-length": "13" }).phase, "parse");
    assert.equal(failed(200, '{"success":tr', { "transfer-encoding": "chunked" }).phase, "parse");
  });
});

describe("an envelope", () => {
  const kind = (body: string | Buffer) => readEnvelope(Buffer.from(body as string)).kind;
  const nested = (depth: number) => `{"success":true,"data":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`;

  it("is any object whose success is a boolean, with a byte order mark or without", () => {
    for (const body of ['{"success":true}', '\uFEFF{"success":false}', ' {"success":true,"data":[]} ']) {
      assert.equal(kind(body), "envelope");
    }
    for (const body of [
      "",
      "null",
      "[]",
      '"success"',
      "7",
      "{}",
      '{"success":1}',
      '{"success":null}',
      '[{"success":true}]',
    ]) {
      assert.equal(kind(body), "other", body);
    }
  });

  it("is UTF-8", () => {
    assert.equal(kind(Buffer.from('{"success":true,"message":"\xff"}', "latin1")), "other");
    assert.equal(kind('{"success":true,"message":"é🎉"}'), "envelope");
  });

  it("nests at most 200 levels, counted outside of its strings", () => {
    const deep = nested(200);
    assert.equal(kind(deep + " ".repeat(200)), "envelope");
    assert.equal(kind(nested(201)), "other");
    assert.equal(kind(`{"success":true,"data":${'{"a":'.repeat(200)}1${"}".repeat(200)}}`), "other");
    assert.equal(kind(`{"success":true,"data":[${"[],".repeat(500)}[]]}`), "envelope");
    assert.equal(kind(`{"success":true,"data":[${"{},".repeat(500)}{}]}`), "envelope");
    assert.equal(kind(`{"success":true,"message":"${"[".repeat(500)}"}`), "envelope");
    assert.equal(kind(`{"success":true,"message":"\\"${"[".repeat(500)}"}`), "envelope");
    assert.equal(kind(`{"success":true,"message":"\\\\","data":${"[".repeat(300)}${"]".repeat(300)}}`), "other");
  });

  it("has no __proto__ key at any level, however it is spelled", () => {
    for (const key of ["__proto__", "\\u005f_proto__", "__prot\\u006f__", "\\u005F\\u005Fproto\\u005f_"]) {
      const reading = readEnvelope(Buffer.from(`{"success":true,"data":{"${key}":{"polluted":1},"a":[{"${key}":1}]}}`));
      assert.ok(reading.kind === "envelope");
      assert.deepEqual(reading.envelope, { success: true, data: { a: [{}] } });
      assert.ok(!Object.hasOwn(reading.envelope.data as object, "__proto__"), key);
    }
  });
});

describe("classifying an exchange without an answer", () => {
  const coded = (code: string) => Object.assign(new Error("x"), { code });
  const broken = (error: Error, more: Partial<Broken> = {}) =>
    classifyBroken({ error, started: true, began: false, ...more }, context);

  const cases: [string, Error, Partial<Broken>, [string, string, string]][] = [
    ["reset", coded("ECONNRESET"), {}, ["ERR_CONNECTION_LOST", "headers", "maybe"]],
    ["reset in the headers", coded("ECONNRESET"), { began: true }, ["ERR_BAD_RESPONSE", "headers", "yes"]],
    ["reset in the body", coded("ECONNRESET"), { began: true, status: 200 }, ["ERR_BAD_RESPONSE", "body", "yes"]],
    ["nonsense", coded("HPE_INVALID_CONSTANT"), {}, ["ERR_BAD_RESPONSE", "headers", "yes"]],
    ["late", new DeadlineError("x"), {}, ["ERR_TIMEOUT", "headers", "maybe"]],
    ["late in the headers", new DeadlineError("x"), { began: true }, ["ERR_TIMEOUT", "headers", "yes"]],
    ["late in the body", new DeadlineError("x"), { began: true, status: 200 }, ["ERR_TIMEOUT", "body", "yes"]],
    ["too large", new TooLargeError(), { began: true, status: 200 }, ["ERR_RESPONSE_TOO_LARGE", "body", "yes"]],
    [
      "headers too large",
      coded("UND_ERR_HEADERS_OVERFLOW"),
      { began: true },
      ["ERR_RESPONSE_TOO_LARGE", "headers", "yes"],
    ],
    ["not started", coded("UND_ERR_SOCKET"), { started: false }, ["ERR_CONNECT", "connect", "no"]],
  ];
  for (const [name, error, more, wanted] of cases) {
    it(`${name}: ${wanted.join(", ")}`, () => {
      const { code, phase, sent, outcome, retryable } = broken(error, more);
      assert.deepEqual([code, phase, sent], wanted);
      assert.deepEqual([outcome, retryable], sent === "no" ? ["not-applied", true] : ["unknown", false]);
    });
  }

  it("an answer that is only packed is not called large", () => {
    const keys = [true, false].map((packed) => broken(new TooLargeError(packed), { began: true, status: 200 }).key);
    assert.deepEqual(keys, ["packedAnswer", "ERR_RESPONSE_TOO_LARGE"]);
  });

  it("a reason not to send is passed on as it is", () => {
    const reason = failed(400, "");
    assert.equal(broken(reason, { started: false }), reason);
  });

  const connects: [ConnectError, string, string, boolean][] = [
    [new ConnectError("dns", "ENOTFOUND"), "ERR_DNS", "ERR_DNS", true],
    [new ConnectError("dns", "TIMEOUT"), "ERR_DNS", "ERR_DNS", true],
    [new ConnectError("connect", "ECONNREFUSED"), "ERR_CONNECT", "ERR_CONNECT", true],
    [new ConnectError("connect", "TIMEOUT"), "ERR_CONNECT_TIMEOUT", "ERR_CONNECT_TIMEOUT", true],
    [new ConnectError("proxy", "TIMEOUT"), "ERR_CONNECT", "proxyRefused", true],
    [new ConnectError("proxy", "407"), "ERR_CONNECT", "proxyRefused", true],
    [new ConnectError("tls", "TIMEOUT"), "ERR_TLS", "ERR_TLS", true],
    [new ConnectError("tls", "ERR_SSL_TLSV1_ALERT_CERTIFICATE_REQUIRED"), "ERR_TLS", "ERR_TLS", true],
    [new ConnectError("tls", "CERT_HAS_EXPIRED"), "ERR_TLS", "certificate", false],
    [new ConnectError("tls", "UNABLE_TO_VERIFY_LEAF_SIGNATURE"), "ERR_TLS", "certificate", false],
    [new ConnectError("tls", "ERR_TLS_CERT_ALTNAME_INVALID"), "ERR_TLS", "certificate", false],
  ];
  for (const [error, code, key, retryable] of connects) {
    it(`${error.phase} ${error.sys}: ${code}`, () => {
      const outcome = broken(error, { started: false });
      assert.deepEqual(
        [outcome.code, outcome.key, outcome.phase, outcome.retryable],
        [code, key, error.phase, retryable],
      );
      assert.deepEqual(outcome.details, { host: "acme.example.com", sys: error.sys });
      assert.equal(isCertificateProblem(error), !retryable);
    });
  }
});
