import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "../support/process/eventually";
import { ledgerFlow } from "../support/process/ledger-flow";
import { LiveTenant } from "../support/process/live-tenant";
import { type FlowNode, NodeRed } from "../support/process/node-red";
import { installSlowNode, SLOW_NODE } from "../support/process/slow-node";
import { lastOutcomes, unfinishedLines } from "../support/process/unfinished-lines";
import { userFolder } from "../support/process/user-folder";

/** Rows 21 and 22 of docs/faults.md; docs/contract/restarts.md#when-node-red-stops. */
describe("Node-RED stops", () => {
  let folder: string;
  let file: string;
  let tenant: LiveTenant;
  let nodeRed: NodeRed;

  before(async () => {
    tenant = await LiveTenant.start();
    folder = await userFolder();
    installSlowNode(folder);
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

  /** Resolves to a function that releases the tenant's answer. */
  const busy = async (more: FlowNode[] = []): Promise<() => void> => {
    const release = tenant.hold();
    await nodeRed.deploy([...ledgerFlow({ url: tenant.url, concurrency: "1" }), ...more]);
    assert.equal((await nodeRed.post("/go", ["in flight", "waiting"])).status, 200);
    await eventually(() => (tenant.received.length === 1 ? true : undefined));
    return release;
  };
  const stopsFlows = () => nodeRed.prints("Stopping flows");
  /** Ends Node-RED, and calls `then` when its flows stop. */
  const stopping = async (then: () => void, signal?: NodeJS.Signals) => {
    const [stops, exit] = [stopsFlows(), nodeRed.stop(signal)];
    await stops;
    then();
    return exit;
  };
  const lines = () => unfinishedLines(file);
  const outcomes = () => lastOutcomes(file);

  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    it(`at ${signal}: waits for requests in flight, starts none, and writes both to the file`, async () => {
      const release = await busy();
      assert.equal(await stopping(release, signal), 0);
      assert.equal(tenant.received.length, 1);
      assert.deepEqual(
        lines().map(({ request, outcome, node }) => [request["callId"], outcome, node]),
        [
          ["in flight", "unknown", "transfer"],
          ["waiting", "not-applied", "transfer"],
          ["in flight", "applied", "transfer"],
        ],
      );
      const [first, waiting, last] = lines();
      assert.equal(first?.entry, last?.entry);
      assert.notEqual(first?.entry, waiting?.entry);
      for (const { time, message } of lines()) {
        assert.match(time, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
        assert.notEqual(message, "");
      }
      assert.equal(statSync(file).mode & 0o777, 0o600);
      assert.doesNotMatch(readFileSync(file, "utf8") + nodeRed.log, /token-of-the-ledger/);
    });
  }

  it("waits for requests in flight of a tenant that a deploy has replaced", async () => {
    const release = await busy();
    await nodeRed.deploy(ledgerFlow({ url: `${tenant.url}/other`, concurrency: "1" }));
    assert.equal(await stopping(release), 0);
    assert.deepEqual(outcomes(), { "in flight": "applied" });
    assert.equal(tenant.received.length, 1);
  });

  it("between two requests of one message: reports that the first may have changed something", async () => {
    // Serves a search that finds nothing, and the creation.
    const data = { current_page: 1, last_page: 1, total: 0, data: [], id: 9 };
    tenant.answer = { status: 200, envelope: { success: true, code: 200, locale: "en", message: "OK", data } };
    const week = { days: [{ day: "mon", open: "08:00", close: "12:00" }], daysType: "list" };
    const node = { type: "business-hour-ensure", scheduleName: "Office", scheduleNameType: "str", ...week };
    let release = tenant.hold();
    await nodeRed.deploy(ledgerFlow({ url: tenant.url }, { node }));
    assert.equal((await nodeRed.post("/go", ["once"])).status, 200);
    for (const count of [1, 2]) {
      await eventually(() => tenant.received.length === count || undefined);
      const before = release;
      release = tenant.hold();
      before();
    }
    await eventually(() => tenant.received.length === 3 || undefined);
    assert.deepEqual(
      tenant.received.map(({ method }) => method),
      ["GET", "POST", "GET"],
    );
    assert.equal(await stopping(release), 0);
    assert.deepEqual(new Set(lines().map(({ outcome }) => outcome)), new Set(["unknown"]));
    assert.equal(tenant.received.length, 3);
  });

  /** Cases in which there is no time, or no node, to wait for anything. */
  describe("at once", () => {
    // Flows that cannot start would keep the next Node-RED from starting.
    afterEach(() => rmSync(join(folder, "flows.json"), { force: true }));

    const both = { "in flight": "unknown", waiting: "not-applied" };
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

    it("during a deploy that another node delays: writes open requests to the file", async () => {
      await busy([SLOW_NODE]);
      const stops = stopsFlows();
      const deploying = nodeRed.post("/flows", work()).catch(() => {});
      await stops;
      assert.equal(await nodeRed.stop(), 0);
      await deploying;
      assert.deepEqual(outcomes(), both);
    });

    it("while flows wait for a missing node type: writes open requests to the file", async () => {
      await busy();
      await stall();
      assert.equal(await nodeRed.stop(), 0);
      assert.deepEqual(outcomes(), both);
    });

    it("after such a wait: writes outcomes from that time to the file", async () => {
      const release = await busy();
      await stall();
      release();
      await eventually(() => (tenant.answered === 2 ? true : undefined));
      // After two more requests to Node-RED, it has read both answers.
      for (const _ of [1, 2]) await nodeRed.get("/flows");
      assert.equal(await nodeRed.stop(), 0);
      assert.deepEqual(outcomes(), { "in flight": "applied", waiting: "applied" });
    });

    it("because another node crashes: writes open requests to the file", async () => {
      await busy([code("crash", "")]);
      const exit = nodeRed.exit();
      const crash = code("crash", 'setTimeout(() => { Promise.reject(new Error("of another node")); }, 500);');
      await nodeRed.post("/flows", work(crash), { "node-red-deployment-type": "nodes" }).catch(() => {});
      assert.notEqual(await exit, 0);
      assert.deepEqual(outcomes(), both);
    });
  });

  it("ends a slow request as unknown before Node-RED's own timeout", async () => {
    await busy();
    assert.equal(await nodeRed.stop(), 0);
    assert.deepEqual(outcomes(), { "in flight": "unknown", waiting: "not-applied" });
    assert.doesNotMatch(nodeRed.log, /Close timed out/);
  });

  it("names the file at each start while it is there, and repeats no request", async () => {
    assert.doesNotMatch(nodeRed.log, /unfinished\.jsonl/);
    await stopping(await busy());
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
  });

  it("killed between request and answer: repeats nothing at the next start", async () => {
    await busy();
    await nodeRed.stop("SIGKILL");
    assert.ok(!existsSync(file));
    const again = await NodeRed.start(folder);
    try {
      // One request at a time: a repeated one would be before this one.
      assert.equal((await again.post("/go", ["afterwards"])).status, 200);
      await eventually(() => (tenant.received.length > 1 ? true : undefined));
      assert.deepEqual(
        tenant.received.map(({ url, text }) => `${url} ${text}`.match(/in flight|waiting|afterwards/)?.[0]),
        ["in flight", "afterwards"],
      );
    } finally {
      again.kill();
    }
  });
});
