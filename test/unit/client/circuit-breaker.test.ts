import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { mock } from "node:test";
import { type JobResult, TenantError } from "../../../src/client";
import { CircuitBreaker } from "../../../src/client/queue/circuit-breaker";

describe("the circuit breaker", () => {
  let done: string[];
  let answers: (TenantError | undefined)[];
  let breaker: CircuitBreaker;
  /** Milliseconds from each hold to its next probe. */
  let pauses: number[];
  const error = (code: TenantError["code"], details: object = {}) =>
    new TenantError(code, "parse", { sent: "yes", outcome: "rejected", retryable: true, ...details });
  const end = (code: TenantError["code"], details: object = {}) =>
    ({ ok: false, error: error(code, details), summary: {}, timings: {} }) as unknown as JobResult;
  const result = (error: TenantError | undefined) => ({ ok: !error, error }) as unknown as JobResult;
  const FINE = { ok: true } as unknown as JobResult;
  const probes = () => done.filter((word) => word === "probe").length;

  beforeEach(() => {
    mock.timers.enable({ apis: ["setTimeout", "Date"] });
    done = [];
    answers = [];
    pauses = [];
    const lanes = {
      hold: (until: number) => {
        done.push("hold");
        pauses.push(until - Date.now());
      },
      release: () => void done.push("release"),
    };
    breaker = new CircuitBreaker(lanes, () => {
      done.push("probe");
      return Promise.resolve(result(answers.shift()));
    });
  });
  afterEach(() => {
    breaker.stop();
    mock.timers.reset();
  });
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second += 1) {
      mock.timers.tick(1000);
      await Promise.resolve();
      await Promise.resolve();
      await Promise.resolve();
    }
  };

  it("holds after one 429, and probes after its Retry-After", async () => {
    breaker.observe(end("ERR_RATE_LIMITED", { httpStatus: 429, retryAfterMs: 20_000 }));
    deepStrictEqual(done, ["hold"]);
    await pass(19);
    strictEqual(probes(), 0);
    await pass(1);
    deepStrictEqual(done, ["hold", "probe", "release"]);
  });

  for (const [what, ends] of [
    [
      "refused tokens",
      [
        end("ERR_AUTH", { httpStatus: 401 }),
        end("ERR_AUTH", { httpStatus: 403 }),
        end("ERR_AUTH", { httpStatus: 401 }),
      ],
    ],
    ["failed connections", [end("ERR_CONNECT"), end("ERR_DNS"), end("ERR_TLS")]],
  ] as const) {
    it(`holds after three ${what} in a row`, () => {
      breaker.observe(ends[0] as JobResult);
      breaker.observe(ends[1] as JobResult);
      breaker.observe(FINE);
      breaker.observe(ends[0] as JobResult);
      breaker.observe(ends[1] as JobResult);
      deepStrictEqual(done, []);
      breaker.observe(ends[2] as JobResult);
      deepStrictEqual(done, ["hold"]);
    });
  }

  it("an answer of another kind interrupts the row, what never left does not", () => {
    breaker.observe(end("ERR_CONNECT"));
    breaker.observe(end("ERR_CONNECT"));
    breaker.observe(end("ERR_REJECTED", { httpStatus: 422 }));
    breaker.observe(end("ERR_CONNECT"));
    breaker.observe(end("ERR_EXPIRED"));
    breaker.observe(end("ERR_CONNECT"));
    deepStrictEqual(done, []);
    breaker.observe(end("ERR_CONNECT"));
    deepStrictEqual(done, ["hold"]);
  });

  it("keeps probing, at growing intervals, while it gets 401, 429, 5xx or no answer", async () => {
    answers = [
      error("ERR_AUTH", { httpStatus: 401 }),
      error("ERR_SERVER", { httpStatus: 503 }),
      error("ERR_CONNECT"),
      error("ERR_RATE_LIMITED", { httpStatus: 429 }),
      error("ERR_REJECTED", { httpStatus: 404 }),
    ];
    breaker.observe(end("ERR_RATE_LIMITED", { httpStatus: 429 }));
    const at: number[] = [];
    for (let second = 1; second <= 200 && !done.includes("release"); second += 1) {
      const before = probes();
      await pass(1);
      if (probes() > before) at.push(second);
    }
    strictEqual(probes(), 5);
    const apart = at.map((second, index) => second - (at[index - 1] ?? 0));
    deepStrictEqual(
      apart,
      [...apart].sort((a, b) => a - b),
    );
    ok((apart.at(-1) ?? 0) > (apart[0] ?? 0), String(apart));
    deepStrictEqual(
      pauses.map((ms) => ms / 1000),
      apart,
      "each hold says when its probe is sent",
    );
    strictEqual(done.at(-1), "release");
  });

  it("probes at most once a second, also with a Retry-After of 0", async () => {
    const atOnce = error("ERR_RATE_LIMITED", { httpStatus: 429, retryAfterMs: 0 });
    answers = Array.from({ length: 100 }, () => atOnce);
    breaker.observe(end("ERR_RATE_LIMITED", { httpStatus: 429, retryAfterMs: 0 }));
    for (let tenths = 0; tenths < 50; tenths += 1) {
      mock.timers.tick(100);
      await pass(0);
      await Promise.resolve();
    }
    strictEqual(probes(), 5);
  });

  for (const httpStatus of [200, 302, 403, 404, 422]) {
    it(`any other answer ends the hold: ${httpStatus}`, async () => {
      answers = [error("ERR_REJECTED", { httpStatus })];
      breaker.observe(end("ERR_RATE_LIMITED", { httpStatus: 429, retryAfterMs: 0 }));
      await pass(1);
      deepStrictEqual(done, ["hold", "probe", "release"]);
    });
  }

  for (const retryAfterMs of [3_600_000, 10 * 365 * 86_400_000]) {
    it(`probes once a minute after a Retry-After of ${retryAfterMs} ms`, async () => {
      const later = error("ERR_RATE_LIMITED", { httpStatus: 429, retryAfterMs });
      answers = [later];
      breaker.observe(end("ERR_RATE_LIMITED", { httpStatus: 429, retryAfterMs }));
      await pass(60);
      strictEqual(probes(), 1);
      await pass(60);
      deepStrictEqual(done, ["hold", "probe", "hold", "probe", "release"]);
      deepStrictEqual(pauses, [60_000, 60_000]);
    });
  }

  it("a hold that is ended releases at once, sends no probe, and begins anew with the next trouble", async () => {
    const limited = end("ERR_RATE_LIMITED", { httpStatus: 429, retryAfterMs: 20_000 });
    breaker.observe(limited);
    breaker.end();
    deepStrictEqual(done, ["hold", "release"]);
    await pass(120);
    strictEqual(probes(), 0);
    breaker.observe(limited);
    await pass(20);
    deepStrictEqual(done, ["hold", "release", "hold", "probe", "release"]);
  });

  it("the answer to a probe says nothing about a later hold", async () => {
    const limited = end("ERR_RATE_LIMITED", { httpStatus: 429, retryAfterMs: 1000 });
    const pending: ((result: JobResult) => void)[] = [];
    const lanes = { hold: () => void done.push("hold"), release: () => void done.push("release") };
    breaker = new CircuitBreaker(lanes, () => new Promise((resolve) => pending.push(resolve)));
    breaker.observe(limited);
    await pass(1);
    breaker.end();
    breaker.observe(limited);
    pending[0]?.(FINE);
    await pass(0);
    deepStrictEqual(done, ["hold", "release", "hold"]);
  });

  it("closed during a probe, it neither releases nor probes again", async () => {
    let answer: (result: JobResult) => void = () => {};
    const lanes = { hold: () => {}, release: () => void done.push("release") };
    const closing = new CircuitBreaker(lanes, () => {
      done.push("probe");
      return new Promise((resolve) => {
        answer = resolve;
      });
    });
    closing.observe(end("ERR_RATE_LIMITED", { httpStatus: 429, retryAfterMs: 0 }));
    await pass(1);
    closing.stop();
    answer(end("ERR_CONNECT"));
    await pass(200);
    deepStrictEqual(done, ["probe"]);
  });
});
