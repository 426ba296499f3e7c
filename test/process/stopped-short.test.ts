import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "../support/process/eventually";
import { ledgerFlow } from "../support/process/ledger-flow";
import { LiveTenant } from "../support/process/live-tenant";
import { NodeRed } from "../support/process/node-red";
import { lastOutcomes, unfinishedLines } from "../support/process/unfinished-lines";
import { userFolder } from "../support/process/user-folder";

/** Row 21b of docs/faults.md; docs/contract/restarts.md#when-node-red-stops. */
describe("Node-RED stops, and", () => {
  let folder: string;
  let file: string;
  let tenant: LiveTenant;
  let nodeRed: NodeRed;

  before(async () => {
    tenant = await LiveTenant.start();
    folder = await userFolder();
    file = join(folder, "telephony", "unfinished.jsonl");
  });
  beforeEach(() => {
    tenant.reset();
    rmSync(join(folder, "flows.json"), { force: true });
    rmSync(file, { force: true });
  });
  afterEach(() => nodeRed?.kill());
  after(() => {
    rmSync(file, { force: true });
    tenant?.stop();
  });

  const names = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name} ${index + 1}`);
  /** Sends so many messages, of which so many are in flight. Returns a function that releases their answers. */
  const busy = async (inFlight: number, waiting: number) => {
    const release = tenant.hold();
    await nodeRed.deploy(ledgerFlow({ url: tenant.url, concurrency: String(inFlight) }));
    const ids = [...names("in flight", inFlight), ...names("waiting", waiting)];
    assert.equal((await nodeRed.post("/go", ids)).status, 200);
    await eventually(() => tenant.received.length === inFlight || undefined);
    return release;
  };
  const written = () => eventually(() => unfinishedLines(file).length > 0 || undefined);

  it("is killed before it has waited: the file has what is in flight as unknown, before all else", async () => {
    nodeRed = await NodeRed.start(folder);
    await busy(3, 2);
    const exit = nodeRed.stop();
    await written();
    nodeRed.kill();
    assert.equal(await exit, "SIGKILL");
    const lines = unfinishedLines(file).map(({ request, outcome, mode }) => [request["callId"], outcome, mode]);
    assert.deepEqual(
      lines.slice(0, 3),
      names("in flight", 3).map((id) => [id, "unknown", "live"]),
    );
    for (const [, outcome] of lines.slice(3)) assert.equal(outcome, "not-applied");
  });

  it("is ended while it waits, because another node crashes: nothing in flight is lost", async () => {
    nodeRed = await NodeRed.start(folder);
    const place = { x: 100, y: 100, z: "tab" };
    const crash = 'node.on("close", () => { Promise.reject(new Error("of another node")); }); node.warn("armed");';
    const flow = [
      ...ledgerFlow({ url: tenant.url, concurrency: "1" }),
      { ...place, id: "arm", type: "inject", props: [], wires: [["crash"]] },
      { ...place, id: "crash", type: "function", func: crash, wires: [[]] },
    ];
    tenant.hold();
    await nodeRed.deploy(flow);
    await nodeRed.inject("arm");
    assert.equal((await nodeRed.post("/go", ["in flight", "waiting"])).status, 200);
    await eventually(() => (tenant.received.length === 1 && nodeRed.log.includes("armed")) || undefined);
    assert.notEqual(await nodeRed.stop(), 0);
    assert.match(nodeRed.log, /of another node/);
    assert.deepEqual(lastOutcomes(file), { "in flight": "unknown", waiting: "not-applied" });
    assert.match(nodeRed.log, /call-transfer, message \w+: .*Outcome: unknown/);
  });

  it("finds a truncated line in the file: its own lines start on a new line", async () => {
    mkdirSync(join(folder, "telephony"), { recursive: true });
    writeFileSync(file, '{"time":"cut');
    nodeRed = await NodeRed.start(folder);
    await busy(1, 1);
    const exit = nodeRed.stop();
    await eventually(() => readFileSync(file, "utf8").includes("not-applied") || undefined);
    nodeRed.kill();
    await exit;
    const [cut, ...lines] = readFileSync(file, "utf8").trimEnd().split("\n");
    assert.equal(cut, '{"time":"cut');
    assert.deepEqual(
      lines.map((line) => (JSON.parse(line) as { outcome: string }).outcome),
      ["unknown", "not-applied"],
    );
  });

  const ON_POSIX = process.platform === "win32" ? it.skip : it;
  ON_POSIX(
    "the disk is full: cuts no line, has all that is in flight, and logs how many lines did not fit",
    async () => {
      const size = 1024 * 1024;
      const room = 2000;
      const earlier = `${JSON.stringify({ request: {}, outcome: "x".repeat(1000) })}\n`;
      mkdirSync(join(folder, "telephony"), { recursive: true });
      const many = earlier.repeat(Math.floor((size - room) / earlier.length));
      writeFileSync(file, many);
      const lines = () => unfinishedLines(file).slice(many.length / earlier.length);
      nodeRed = await NodeRed.startOnSmallDisk(folder, size);
      const release = await busy(4, 50);
      const exit = nodeRed.stop();
      await eventually(() => lines().length > 0 || undefined);
      release();
      assert.equal(await exit, 0);
      assert.deepEqual(
        lines()
          .slice(0, 4)
          .map(({ request, outcome }) => [request["callId"], outcome]),
        names("in flight", 4).map((id) => [id, "unknown"]),
      );
      const lost = [...nodeRed.log.matchAll(/could not be written to \S+: (\d+)/g)].map(([, count]) => Number(count));
      // Each message once, and once more those whose outcome became known.
      assert.equal(lines().length + lost.reduce((sum, count) => sum + count, 0), 4 + 50 + 4);
      assert.ok(lines().length < 54 && statSync(file).size <= size);
      const logged = (outcome: string) => nodeRed.log.split(`. Outcome: ${outcome}\n`).length - 1;
      assert.deepEqual([logged("applied"), logged("not-applied")], [4, 50]);
    },
  );

  describe("values of a message are still being read: it is recorded as not applied", () => {
    const SETTINGS = `const { existsSync } = require("node:fs");
const store = () => ({
  open: async () => {},
  close: async () => {},
  clean: async () => {},
  set: (_scope, _key, _value, done) => done(),
  delete: async () => {},
  keys: (_scope, done) => done(null, []),
  get: (_scope, _key, done) => {
    console.log("the store is asked");
    const poll = setInterval(() => {
      if (!existsSync(__dirname + "/answer")) return;
      clearInterval(poll);
      done(null, "7");
      console.log("the store has answered");
    }, 20);
  },
});
module.exports = {
  ...require("./settings.js"),
  contextStorage: { default: { module: "memory" }, slow: { module: store } },
};
`;
    const start = async () => {
      const settings = join(folder, "slow-store.js");
      writeFileSync(settings, SETTINGS);
      rmSync(join(folder, "answer"), { force: true });
      nodeRed = await NodeRed.start(folder, {}, "--settings", settings);
      const release = tenant.hold();
      const reading = { toNumber: "#:(slow)::number", toNumberType: "flow" };
      const direct = { x: 100, y: 100, z: "tab", type: "call-transfer", tenant: "tenant", toKind: "internal" };
      const slow = ledgerFlow({ url: tenant.url }, { node: reading });
      const split = slow.map((node) => (node.id === "split" ? { ...node, wires: [["transfer", "other"]] } : node));
      const other = {
        ...direct,
        id: "other",
        callId: "payload",
        callIdType: "msg",
        toNumber: "7",
        toNumberType: "str",
      };
      await nodeRed.deploy([...split, { ...other, toKindType: "str", wires: [] }]);
      assert.equal((await nodeRed.post("/go", ["call"])).status, 200);
      await eventually(() => (tenant.received.length === 1 && nodeRed.log.includes("is asked")) || undefined);
      return release;
    };
    const byNode = () => unfinishedLines(file).map(({ node, outcome }) => [node, outcome]);
    const expected = [
      ["other", "unknown"],
      ["transfer", "not-applied"],
      ["other", "applied"],
    ];

    it("if they are never there", async () => {
      const release = await start();
      const exit = nodeRed.stop();
      await written();
      release();
      assert.equal(await exit, 0);
      assert.deepEqual(byNode(), expected);
      const [{ message } = { message: "" }] = unfinishedLines(file).filter(({ node }) => node === "transfer");
      assert.notEqual(message, "");
      assert.match(nodeRed.log, new RegExp(`call-transfer, message ${message}: .*Outcome: not-applied`));
    });

    it("if they come while it waits: nothing is sent", async () => {
      const release = await start();
      const exit = nodeRed.stop();
      await written();
      writeFileSync(join(folder, "answer"), "");
      await eventually(() => nodeRed.log.includes("has answered") || undefined);
      release();
      assert.equal(await exit, 0);
      assert.deepEqual(byNode(), expected);
      assert.equal(tenant.received.length, 1);
    });
  });
});
