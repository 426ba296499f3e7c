import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { JobRun } from "../../../src/client/queue/job-run";
import { ConnectAttempt, type ConnectError } from "../../../src/client/transport/connect-attempt";
import { callStop } from "./subject";

/** A socket that notes that it was destroyed. */
class Opened extends EventEmitter {
  constructor(
    readonly destroyed: string[],
    readonly name: string,
  ) {
    super();
  }
  destroy(): void {
    this.destroyed.push(this.name);
  }
}

const facts = ({ phase, sys, final }: ConnectError) => [phase, sys, final];

describe("an attempt to connect", () => {
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
    const run = new JobRun(callStop("1"), { partyFields: "dotted", booleans: "words" });
    await run.pause(-1);
    await new Promise((resolve) => setImmediate(resolve));
    process.off("warning", note);
    assert.deepEqual(warned, []);
  });

  it("destroys all that it opened when it fails, the last first", async () => {
    attempt.open("connect", () => new Opened(destroyed, "raw"));
    const secure = attempt.open("tls", () => new Opened(destroyed, "secure"));
    setImmediate(() => secure.emit("error", Object.assign(new Error("reset"), { code: "ECONNRESET" })));
    const error = await attempt.event(secure, "secureConnect").catch((reason: unknown) => attempt.fail(reason));
    assert.deepEqual(
      [facts(error as ConnectError), destroyed],
      [
        ["tls", "ECONNRESET", false],
        ["secure", "raw"],
      ],
    );
  });

  it("cannot be mended by trying again if a phase throws at once", () => {
    const throwing = () => {
      throw Object.assign(new Error("no"), { code: "ERR_OSSL_BAD_DECRYPT" });
    };
    assert.throws(() => attempt.open("tls", throwing), { phase: "tls", sys: "ERR_OSSL_BAD_DECRYPT", final: true });
  });

  it("ends at the deadline, in whatever phase it is then", async () => {
    attempt.end();
    attempt = new ConnectAttempt(1);
    const request = attempt.open("proxy", () => new Opened(destroyed, "request"));
    const error = await attempt.event(request, "connect").catch((reason: unknown) => attempt.fail(reason));
    assert.deepEqual([facts(error as ConnectError), destroyed], [["proxy", "TIMEOUT", false], ["request"]]);
  });
});
