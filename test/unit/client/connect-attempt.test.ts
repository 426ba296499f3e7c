import assert from "node:assert/strict";
import type { Job } from "../../../src/client";
import { JobRun } from "../../../src/client/job-run";
import { ConnectAttempt, ConnectError, type ConnectPhase } from "../../../src/client/transport/connect-attempt";

const probe: Job = {
  id: "",
  nodeId: "",
  action: "",
  lane: "other",
  repeat: "never",
  request: { method: "GET", path: "/", query: {} },
};

/** What a phase opens, and whether it was destroyed. */
function thing(destroyed: string[], name: string) {
  return { destroy: () => destroyed.push(name) };
}

const refusal = (phase: ConnectPhase, sys: string, final: boolean) => (error: unknown) => {
  assert.ok(error instanceof ConnectError);
  assert.deepEqual([error.phase, error.sys, error.final], [phase, sys, final]);
  return true;
};

describe("a phase of an attempt to connect", () => {
  let attempt: ConnectAttempt;
  let destroyed: string[];
  beforeEach(() => {
    attempt = new ConnectAttempt(60_000);
    destroyed = [];
  });
  afterEach(() => attempt.end());

  it("begins without a warning although its time is up", async () => {
    const warned: string[] = [];
    const note = ({ name }: Error) => warned.push(name);
    process.on("warning", note);
    new ConnectAttempt(-1).end();
    const run = new JobRun(probe, {}, { partyFields: "dotted", booleans: "number" } as never);
    await run.pause(-1);
    await new Promise((resolve) => setImmediate(resolve));
    process.off("warning", note);
    assert.deepEqual(warned, []);
  });

  it("returns its result, and destroys nothing", async () => {
    const socket = await attempt.phaseOf("connect", (opened, done) => done(opened(thing(destroyed, "socket"))));
    assert.deepEqual([typeof socket, destroyed], ["object", []]);
  });

  it("destroys all that it opened when it fails, the last first, and may be tried again", async () => {
    const failing = attempt.phaseOf("tls", (opened, _done, fail) => {
      for (const name of ["raw", "secure"]) opened(thing(destroyed, name));
      setImmediate(() => fail(Object.assign(new Error("reset"), { code: "ECONNRESET" })));
    });
    await assert.rejects(failing, refusal("tls", "ECONNRESET", false));
    assert.deepEqual(destroyed, ["secure", "raw"]);
  });

  for (const phase of ["dns", "connect", "proxy", "tls"] as const) {
    it(`${phase}: what throws at once destroys what was opened till then, and trying again cannot mend it`, async () => {
      const failing = attempt.phaseOf(phase, (opened) => {
        opened(thing(destroyed, "raw"));
        throw Object.assign(new Error("no"), { code: "ERR_OSSL_BAD_DECRYPT" });
      });
      await assert.rejects(failing, refusal(phase, "ERR_OSSL_BAD_DECRYPT", true));
      assert.deepEqual(destroyed, ["raw"]);
    });
  }

  it("that never ends is closed at the deadline", async () => {
    attempt.end();
    attempt = new ConnectAttempt(1);
    const stalled = attempt.phaseOf("proxy", (opened) => void opened(thing(destroyed, "request")));
    await assert.rejects(stalled, refusal("proxy", "TIMEOUT", false));
    assert.deepEqual(destroyed, ["request"]);
  });
});
