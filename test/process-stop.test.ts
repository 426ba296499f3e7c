import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "./process/eventually";
import { ledgerFlow } from "./process/ledger-flow";
import { LiveTenant } from "./process/live-tenant";
import { type FlowNode, NodeRed } from "./process/node-red";
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

  const busy = async (delayMs: number, more: FlowNode[] = []) => {
    tenant.delayMs = delayMs;
    await nodeRed.deploy([...ledgerFlow({ url: tenant.url, concurrency: "1" }), ...more]);
    assert.equal((await nodeRed.post("/go", ["under way", "waiting"])).status, 200);
    await eventually(() => (tenant.received.length === 1 ? true : undefined));
  };
  const lines = (): Line[] =>
    readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Line);
  /** By call id. */
  const outcomes = () => Object.fromEntries(lines().map(({ request, outcome }) => [request["callId"], outcome]));

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

  it("waits for what is under way with settings that a deploy has replaced", async () => {
    await busy(3000);
    await nodeRed.deploy(ledgerFlow({ url: `${tenant.url}/other`, concurrency: "1" }));
    assert.equal(await nodeRed.stop(), 0);
    assert.deepEqual(outcomes(), { "under way": "applied" });
    assert.equal(tenant.received.length, 1);
  });

  /** Ends that leave no time to wait for anything, or nobody to wait. */
  describe("at once", () => {
    // Flows that cannot start would keep the next Node-RED from starting.
    afterEach(() => rmSync(join(folder, "flows.json"), { force: true }));

    const both = { "under way": "unknown", waiting: "not-applied" };
    const place = { z: "tab", x: 100, y: 100 };
    const work = (...more: FlowNode[]) => [...ledgerFlow({ url: tenant.url, concurrency: "1" }), ...more];
    const code = (id: string, func: string) => ({
      ...place,
      id,
      type: "function",
      initialize: func,
      func: "",
      wires: [],
    });
    const stall = async () => {
      const unknown = { ...place, id: "unknown", type: "no-such-type", wires: [] };
      assert.equal((await nodeRed.post("/flows", work(unknown))).status, 204);
      await eventually(() => /no-such-type/.test(nodeRed.log) || undefined);
    };

    it("in the middle of a deploy that another node holds up: writes down what it leaves", async () => {
      await busy(60_000, [code("slow", 'node.on("close", (done) => setTimeout(done, 3000));')]);
      const deploying = nodeRed.post("/flows", work()).catch(() => {});
      await eventually(() => /Stopping flows/.test(nodeRed.log) || undefined);
      assert.equal(await nodeRed.stop(), 0);
      await deploying;
      assert.deepEqual(outcomes(), both);
    });

    it("while flows wait for a node type that is not there: writes down what they leave", async () => {
      await busy(60_000);
      await stall();
      assert.equal(await nodeRed.stop(), 0);
      assert.deepEqual(outcomes(), both);
    });

    it("after such a wait: writes down what has ended meanwhile", async () => {
      await busy(500);
      await stall();
      await eventually(() => (tenant.received.length === 2 ? true : undefined));
      await new Promise((resolve) => setTimeout(resolve, 1500));
      assert.equal(await nodeRed.stop(), 0);
      assert.deepEqual(outcomes(), { "under way": "applied", waiting: "applied" });
    });

    it("because another node crashes: writes down what is left", async () => {
      await busy(60_000, [code("crash", "")]);
      const exit = nodeRed.exit();
      const crash = code("crash", 'setTimeout(() => { Promise.reject(new Error("of another node")); }, 500);');
      await nodeRed.post("/flows", work(crash), { "node-red-deployment-type": "nodes" });
      assert.notEqual(await exit, 0);
      assert.deepEqual(outcomes(), both);
    });
  });

  it("gives up what takes too long before Node-RED itself does, as unknown", async () => {
    await busy(60_000);
    assert.equal(await nodeRed.stop(), 0);
    assert.deepEqual(outcomes(), { "under way": "unknown", waiting: "not-applied" });
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
