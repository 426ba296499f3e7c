import assert from "node:assert/strict";
import type { Job, JobResult } from "../../../../src/client";
import { sentence } from "../../../../src/runtime/node-red/texts";
import { holdClock, letGo } from "../../../support/clocks";
import { type FaultName, faultNames, faults } from "../../../support/faults/catalogue";
import { authority } from "../../../support/faults/certificates";
import { FaultServer } from "../../../support/faults/fault-server";
import type { Ledger } from "../../../support/faults/ledger";
import { AMBIGUOUS, endings, isPlausible, type Kind, kinds, rowOf } from "../../../support/faults/meanings";
import { LANGUAGES, speaking } from "../../../support/speaking";
import { until } from "../../../support/until";
import { callOut, callStop, clientFor, close, done, read, remove, summarize } from "../subject";

interface Met {
  end: JobResult;
  ledger: Ledger;
}

/** Faults that last until the deadline. No other fault may reach it. */
const STALLS = faultNames({ holds: true, tls: false });
const SHORT_MS = 700;
const LONG_MS = 600_000;
const jobs: Record<Kind, (key: string) => Job> = { N: callOut, GET: read, DELETE: remove, S: callStop };
/** Each job has its own, so that it is found in the ledger even where its request was cut. */
const keys: Record<Kind, string> = { N: "700001", GET: "700002", DELETE: "700003", S: "700004" };

/** A server with one fault, and a client for it. */
async function meeting(name: FaultName, kind: Kind) {
  const fault = faults[name];
  const server = await FaultServer.start({ tls: fault.tls ?? false });
  server.behave(name);
  const client = clientFor(server.url, {
    timeoutMs: STALLS.includes(name) ? SHORT_MS : LONG_MS,
    limitMs: fault.tls && fault.holds ? 300 : LONG_MS,
    tls: { ca: authority() },
  });
  return {
    server,
    meet: async (): Promise<Met> => {
      const end = await done(client, jobs[kind](keys[kind]));
      await close(client);
      await server.stop();
      return { end, ledger: server.ledger };
    },
  };
}

/** Rows 4 to 19 of docs/faults.md; test/support/faults/meanings.ts has the expected results. */
describe("every fault of the catalogue, met by every kind of action @undici", () => {
  const met = new Map<string, Met>();
  const cases = faultNames().flatMap((name) => kinds.map((kind) => ({ name, kind })));

  before(async () => {
    const clock = holdClock();
    const stalls = await Promise.all(
      cases
        .filter(({ name }) => STALLS.includes(name))
        .map(async ({ name, kind }) => ({ key: `${name} ${kind}`, ...(await meeting(name, kind)) })),
    );
    const ending = stalls.map(async ({ key, meet }) => met.set(key, await meet()));
    // The deadline expires once each of them has reached the point where it stalls.
    await until(() => stalls.every(({ server }) => server.ledger.requests[0]?.struck === true));
    clock.advance(SHORT_MS);
    await Promise.all(ending);
    letGo();
  });

  before(async () => {
    const left = cases.filter(({ name }) => !STALLS.includes(name));
    const worker = async () => {
      for (let next = left.shift(); next; next = left.shift()) {
        met.set(`${next.name} ${next.kind}`, await (await meeting(next.name, next.kind)).meet());
      }
    };
    await Promise.all(Array.from({ length: 24 }, worker));
  });

  for (const name of faultNames()) {
    it(name, () => {
      const { ending, ...said } = rowOf(name);
      for (const kind of kinds) {
        const { end, ledger } = met.get(`${name} ${kind}`) as Met;
        const got = summarize(end);
        const { status, ...rest } = said;
        const wanted = { ...rest, ...endings[ending](kind), status };
        if (AMBIGUOUS.includes(name)) assert.ok(isPlausible(got, kind), `${name} ${kind}: ${JSON.stringify(got)}`);
        else assert.deepEqual(got, { ...got, ...wanted }, `${name} ${kind}`);

        const arrived = ledger.containing(keys[kind]);
        const whole = arrived.filter((request) => request.complete);
        if (got.sent === "no") assert.equal(ledger.bytes, 0, `${name} ${kind}: "no", and bytes in the ledger`);
        if (kind === "N") assert.ok(whole.length <= 1, `${name}: ${whole.length} call-outs`);
        assert.ok(
          arrived.length <= got.attempts,
          `${name} ${kind}: ${arrived.length} requests of ${got.attempts} attempts`,
        );
        if (faults[name].at === "request") assert.equal(whole.length, got.attempts, `${name} ${kind}`);
        if (faults[name].row === 19)
          assert.ok(
            ledger.connections.every(({ requests }) => requests.length <= 1),
            `${name} ${kind}: a connection used again`,
          );
        if (got.code === "ERR_TIMEOUT") assert.equal(end.timings.elapsedMs, SHORT_MS, `${name} ${kind}`);
      }
    });
  }

  it("the catalogue has faults for every row that a server can cause", () => {
    const rows = new Set(Object.values(faults).map(({ row }) => row));
    assert.deepEqual(
      [...rows].sort((a, b) => a - b),
      Array.from({ length: 16 }, (_, i) => i + 4),
    );
  });

  it("every failure has a whole sentence in every language", () => {
    for (const [name, { end }] of met) {
      if (end.ok) continue;
      for (const language of LANGUAGES) {
        const text = sentence(speaking(language), end.error);
        assert.doesNotMatch(text, /__|undefined|\[object/, `${name}, ${language}`);
        if (language === "en-US")
          assert.doesNotMatch(text, /switch|disable|turn off|ignore/i, "advice against checking");
      }
    }
  });

  it("an answer that broke off is not called nonsense, nor nonsense an answer that begins somehow", () => {
    const key = (name: FaultName) => {
      const { end } = met.get(`${name} N`) as Met;
      return end.ok ? undefined : end.error.key;
    };
    for (const name of [
      "cut-inside-headers",
      "cut-length",
      "cut-length-by-reset",
      "cut-chunked",
      "cut-chunked-by-reset",
    ] as const)
      assert.equal(key(name), "answerCut", name);
    for (const name of ["not-http", "http-0.9", "two-lengths", "length-and-chunked"] as const)
      assert.equal(key(name), "notHttp", name);
  });
});
