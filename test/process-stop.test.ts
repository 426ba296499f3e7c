import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "./process/eventually";
import { ledgerFlow } from "./process/ledger-flow";
import { LiveTenant } from "./process/live-tenant";
import { NodeRed } from "./process/node-red";
import { userFolder } from "./process/user-folder";

/** A line of the file that keeps what Node-RED could not deliver any more. */
interface Line {
  readonly time: string;
  readonly node: string;
  readonly message: string;
  readonly request: Readonly<Record<string, unknown>>;
  readonly outcome: string;
}

describe("Node-RED stops", function () {
  this.timeout(120_000);
  let folder: string;
  let file: string;
  let tenant: LiveTenant;
  let nodeRed: NodeRed;

  before(async () => {
    tenant = await LiveTenant.start();
    folder = await userFolder();
    file = join(folder, "telephony", "unfinished.jsonl");
  });
  beforeEach(async () => {
    tenant.reset();
    rmSync(file, { force: true });
    nodeRed = await NodeRed.start(folder);
  });
  afterEach(() => nodeRed?.kill());
  after(() => {
    rmSync(file, { force: true });
    tenant?.stop();
  });

  const busy = async (delayMs: number) => {
    tenant.delayMs = delayMs;
    await nodeRed.deploy(ledgerFlow({ url: tenant.url, concurrency: "1" }));
    assert.equal((await nodeRed.post("/go", ["under way", "waiting"])).status, 200);
    await eventually(() => (tenant.received.length === 1 ? true : undefined));
  };
  const lines = (): Line[] =>
    readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Line);

  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    it(`at ${signal}: waits for what is under way, starts nothing, writes both down`, async () => {
      await busy(2000);
      assert.equal(await nodeRed.stop(signal), 0);
      assert.equal(tenant.received.length, 1);
      const written = lines().map(({ request, outcome, node }) => [request["callId"], outcome, node]);
      assert.deepEqual(
        written.sort(([a], [b]) => String(a).localeCompare(String(b))),
        [
          ["under way", "applied", "transfer"],
          ["waiting", "not-applied", "transfer"],
        ],
      );
      for (const { time, message } of lines()) {
        assert.match(time, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
        assert.notEqual(message, "");
      }
      assert.equal(statSync(file).mode & 0o777, 0o600);
      assert.doesNotMatch(readFileSync(file, "utf8") + nodeRed.log, /token-of-the-ledger/);
    });
  }

  it("gives up what takes too long before Node-RED itself does, as unknown", async () => {
    await busy(60_000);
    assert.equal(await nodeRed.stop(), 0);
    const outcomes = Object.fromEntries(lines().map(({ request, outcome }) => [request["callId"], outcome]));
    assert.deepEqual(outcomes, { "under way": "unknown", waiting: "not-applied" });
    assert.doesNotMatch(nodeRed.log, /Close timed out/);
  });

  it("names the file at each start until it is moved, and repeats no request", async () => {
    await busy(1000);
    await nodeRed.stop();
    tenant.reset();
    for (const _ of [1, 2]) {
      const again = await NodeRed.start(folder);
      try {
        const warnings = again.log.split("\n").filter((line) => line.includes("unfinished.jsonl"));
        assert.equal(warnings.length, 1);
        assert.match(warnings[0] ?? "", /\[warn\]/);
      } finally {
        again.kill();
      }
    }
    assert.deepEqual(tenant.received, []);
    rmSync(file);
    const moved = await NodeRed.start(folder);
    try {
      assert.doesNotMatch(moved.log, /unfinished\.jsonl/);
    } finally {
      moved.kill();
    }
  });

  it("killed between request and answer: repeats nothing at the next start", async () => {
    await busy(5000);
    await nodeRed.stop("SIGKILL");
    assert.ok(!existsSync(file));
    const again = await NodeRed.start(folder);
    try {
      await new Promise((resolve) => setTimeout(resolve, 1500));
      assert.equal(tenant.received.length, 1);
    } finally {
      again.kill();
    }
  });
});
