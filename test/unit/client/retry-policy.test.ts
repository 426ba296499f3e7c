import assert from "node:assert/strict";
import fc from "fast-check";
import { type Code, type Details, type Outcome, type Phase, type Sent, TenantError } from "../../../src/client";
import { retryAfterMs } from "../../../src/client/classify";
import { afterFailure, type History, type Repeat, untried } from "../../../src/client/retry-policy";
import { casesOf } from "../../support/until";

type Rule = { repeat: Repeat; reads: boolean; restylable?: boolean };
const rules = {
  callOut: { repeat: "never", reads: false },
  stop: { repeat: "once", reads: false },
  get: { repeat: "freely", reads: true },
  remove: { repeat: "freely", reads: false },
} satisfies Record<string, Rule>;

const failure = (code: Code, phase: Phase, sent: Sent, outcome: Outcome, retryable: boolean, details: Details = {}) =>
  new TenantError(code, phase, { sent, outcome, retryable, ...details });

const refused = failure("ERR_CONNECT", "connect", "no", "not-applied", true);
const lost = failure("ERR_CONNECTION_LOST", "headers", "maybe", "unknown", true);
const limited = (waitMs?: number) =>
  failure("ERR_RATE_LIMITED", "parse", "yes", "rejected", true, waitMs === undefined ? {} : { retryAfterMs: waitMs });

/** The pauses after a series of failures, until one is final. */
function pauses(rule: Rule, failures: TenantError[], chance = 0): (number | undefined)[] {
  let history = untried;
  const out: (number | undefined)[] = [];
  for (const next of failures) {
    const decision = afterFailure(history, next, rule, chance);
    history = decision.history;
    out.push(decision.againAfterMs);
    if (decision.againAfterMs === undefined) break;
  }
  return out;
}

describe("the retry policy", () => {
  const unsent: [Code, Phase][] = [
    ["ERR_DNS", "dns"],
    ["ERR_CONNECT", "connect"],
    ["ERR_CONNECT", "proxy"],
    ["ERR_CONNECT_TIMEOUT", "connect"],
    ["ERR_TLS", "tls"],
  ];
  for (const [code, phase] of unsent) {
    it(`${code} (${phase}): any action twice more`, () => {
      const one = failure(code, phase, "no", "not-applied", true);
      for (const rule of Object.values(rules)) assert.deepEqual(pauses(rule, [one, one, one]), [100, 300, undefined]);
    });
  }

  it("a certificate that fails: never again", () => {
    const bad = failure("ERR_TLS", "tls", "no", "not-applied", false);
    for (const rule of Object.values(rules)) assert.deepEqual(pauses(rule, [bad]), [undefined]);
  });

  const answersLost: [Code, Phase][] = [
    ["ERR_CONNECTION_LOST", "headers"],
    ["ERR_SERVER", "parse"],
    ["ERR_BAD_RESPONSE", "headers"],
    ["ERR_BAD_RESPONSE", "body"],
  ];
  for (const [code, phase] of answersLost) {
    it(`${code} (${phase}): reads and deletes twice, a stop once, nothing else`, () => {
      const one = failure(code, phase, "yes", "unknown", true);
      const three = [one, one, one];
      assert.deepEqual(pauses(rules.callOut, three), [undefined]);
      assert.deepEqual(pauses(rules.stop, three), [100, undefined]);
      assert.deepEqual(pauses(rules.get, three), [100, 300, undefined]);
      assert.deepEqual(pauses(rules.remove, three), [100, 300, undefined]);
    });
  }

  const final: [Code, Phase][] = [
    ["ERR_AUTH", "parse"],
    ["ERR_REJECTED", "parse"],
    ["ERR_REDIRECT", "parse"],
    ["ERR_BAD_RESPONSE", "parse"],
    ["ERR_RESPONSE_TOO_LARGE", "body"],
    ["ERR_TIMEOUT", "headers"],
    ["ERR_EXPIRED", "queue"],
    ["ERR_DROPPED", "queue"],
  ];
  for (const [code, phase] of final) {
    it(`${code} (${phase}): never`, () => {
      const one = failure(code, phase, "yes", "unknown", true);
      for (const rule of Object.values(rules)) assert.deepEqual(pauses(rule, [one]), [undefined]);
    });
  }

  it("a 429 is waited for by reads alone, only with a time, and at most twice", () => {
    assert.deepEqual(pauses(rules.get, [limited(2000), limited(0), limited(1)]), [2000, 0, undefined]);
    assert.deepEqual(pauses(rules.get, [limited()]), [undefined]);
    for (const rule of [rules.callOut, rules.stop, rules.remove]) {
      assert.deepEqual(pauses(rule, [limited(2000)]), [undefined]);
    }
  });

  it("waiting for a 429 uses up no retry, and lost answers use up no wait", () => {
    assert.deepEqual(pauses(rules.get, [limited(5), lost, limited(6), refused, lost]), [5, 100, 6, 300, undefined]);
  });

  describe("a refusal of a request that can be written in another style", () => {
    const refusal = failure("ERR_REJECTED", "parse", "yes", "rejected", false);
    const restylable = { ...rules.callOut, restylable: true };

    it("is followed at once by one request in that style, whatever the action", () => {
      for (const rule of Object.values(rules))
        assert.deepEqual(pauses({ ...rule, restylable: true }, [refusal, refusal]), [0, undefined]);
    });

    it("uses up no retry: what was not sent is tried twice more", () => {
      assert.deepEqual(pauses(restylable, [refused, refusal, refused, refused]), [100, 0, 300, undefined]);
    });

    it("is final after an unknown outcome: the refusal does not say that the earlier attempt did nothing", () => {
      assert.deepEqual(pauses({ ...rules.stop, restylable: true }, [lost, refusal]), [100, undefined]);
    });
  });

  it("repeats of both kinds count together", () => {
    assert.deepEqual(pauses(rules.get, [refused, lost, refused]), [100, 300, undefined]);
    assert.deepEqual(pauses(rules.stop, [refused, lost, refused]), [100, 300, undefined]);
    assert.deepEqual(pauses(rules.stop, [lost, lost]), [100, undefined]);
    assert.deepEqual(pauses(rules.callOut, [refused, refused, lost]), [100, 300, undefined]);
    assert.deepEqual(pauses(rules.callOut, [refused, lost]), [100, undefined]);
  });

  it("pauses lie between 100 and 300, then between 300 and 900 milliseconds", () => {
    assert.deepEqual(pauses(rules.get, [lost, lost, lost], 1), [300, 900, undefined]);
    assert.deepEqual(pauses(rules.get, [lost, lost, lost], 0.5), [200, 600, undefined]);
  });

  it("a history keeps the worst outcome, whatever follows", () => {
    const after = (failures: TenantError[]): History =>
      failures.reduce((history, next) => afterFailure(history, next, rules.remove, 0).history, untried);
    const server = failure("ERR_SERVER", "parse", "yes", "unknown", true);
    assert.deepEqual(after([refused]), {
      attempts: 1,
      unsent: 1,
      lost: 0,
      waits: 0,
      restyled: false,
      sent: "no",
      unknown: false,
    });
    assert.deepEqual(after([lost, refused]), {
      attempts: 2,
      unsent: 1,
      lost: 1,
      waits: 0,
      restyled: false,
      sent: "maybe",
      unknown: true,
    });
    assert.deepEqual(after([server, lost, limited(1)]), {
      attempts: 3,
      unsent: 0,
      lost: 2,
      waits: 1,
      restyled: false,
      sent: "yes",
      unknown: true,
    });
    assert.equal(after([limited(1)]).unknown, false);
  });

  describe("whatever fails in whatever order", () => {
    const anyFailure = fc.oneof(
      fc.constantFrom(...unsent).map(([code, phase]) => failure(code, phase, "no", "not-applied", true)),
      fc
        .tuple(fc.constantFrom(...answersLost, ...final), fc.constantFrom<Sent>("maybe", "yes"))
        .map(([[code, phase], sent]) => failure(code, phase, sent, "unknown", true)),
      fc.option(fc.nat(10_000), { nil: undefined }).map(limited),
    );
    const run = (rule: Rule, failures: TenantError[], chance: number) => {
      let history = untried;
      const steps: { failure: TenantError; pause: number }[] = [];
      for (const next of failures) {
        const decision = afterFailure(history, next, rule, chance);
        history = decision.history;
        if (decision.againAfterMs === undefined) return { history, steps };
        steps.push({ failure: next, pause: decision.againAfterMs });
      }
      return { history, steps };
    };
    const anyRun = [fc.array(anyFailure, { maxLength: 12 }), fc.double({ min: 0, max: 1, noNaN: true })] as const;

    it("a call-out is never repeated once a byte may have left", () => {
      fc.assert(
        fc.property(...anyRun, (failures, chance) =>
          run(rules.callOut, failures, chance).steps.every((step) => step.failure.sent === "no"),
        ),
        { numRuns: casesOf(2000) },
      );
    });

    it("a request ends: at most 2 repeats and, for reads, 2 waits", () => {
      fc.assert(
        fc.property(fc.constantFrom(...Object.values(rules)), ...anyRun, (rule, failures, chance) => {
          const { steps, history } = run(rule, failures, chance);
          const waits = steps.filter((step) => step.failure.code === "ERR_RATE_LIMITED").length;
          assert.ok(waits <= (rule.reads ? 2 : 0));
          assert.ok(steps.length - waits <= 2);
          assert.ok(history.attempts === Math.min(failures.length, steps.length + 1));
          if (rule.repeat === "once") assert.ok(steps.filter((step) => step.failure.sent !== "no").length <= 1);
        }),
        { numRuns: casesOf(2000) },
      );
    });

    it("every pause is one of the two, or what the service asked for", () => {
      fc.assert(
        fc.property(fc.constantFrom(...Object.values(rules)), ...anyRun, (rule, failures, chance) => {
          const { steps } = run(rule, failures, chance);
          const own = steps.filter((step) => step.failure.code !== "ERR_RATE_LIMITED").map((step) => step.pause);
          assert.ok(own[0] === undefined || (own[0] >= 100 && own[0] <= 300));
          assert.ok(own[1] === undefined || (own[1] >= 300 && own[1] <= 900));
          for (const step of steps) {
            if (step.failure.code === "ERR_RATE_LIMITED") assert.equal(step.pause, step.failure.details.retryAfterMs);
          }
        }),
        { numRuns: casesOf(2000) },
      );
    });
  });
});

describe("Retry-After", () => {
  const now = Date.UTC(2026, 10, 21, 8, 0, 0);
  const cases: [string | string[] | undefined, number | undefined][] = [
    ["2", 2000],
    [" 2 ", 2000],
    ["0", 0],
    ["007", 7000],
    ["99999999999999999999", Number.MAX_SAFE_INTEGER],
    ["Sat, 21 Nov 2026 08:00:05 GMT", 5000],
    ["Sat, 21 Nov 2026 07:59:00 GMT", 0],
    ["Sat, 99 Nov 2026 08:00:05 GMT", undefined],
    ["Saturday, 21-Nov-26 08:00:05 GMT", undefined],
    ["Sat Nov 21 08:00:05 2026", undefined],
    ["Sat, 21 Nov 2026 08:00:05 GMT, x", undefined],
    ["x Sat, 21 Nov 2026 08:00:05 GMT", undefined],
    ["2026-11-21T08:00:05Z", undefined],
    ["-1", undefined],
    ["+1", undefined],
    ["1.5", undefined],
    ["soon", undefined],
    ["1e9", undefined],
    ["5, 6", undefined],
    ["Infinity", undefined],
    ["0x10", undefined],
    ["٣", undefined],
    ["", undefined],
    ["9".repeat(65), undefined],
    [["5", "6"], undefined],
    [undefined, undefined],
  ];
  for (const [header, wait] of cases) {
    it(`${JSON.stringify(header)?.slice(0, 40)} means ${wait ?? "nothing"}`, () => {
      assert.equal(retryAfterMs(header, now), wait);
    });
  }
});
