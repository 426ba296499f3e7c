import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { envelope, pageOf } from "../support/business-hours";
import { LiveTenant } from "../support/live-tenant";
import { eventually } from "../support/process/eventually";
import { ledgerFlow } from "../support/process/ledger-flow";
import { at, type FlowNode, NodeRed } from "../support/process/node-red";
import { installSlowNode, SLOW_NODE, SLOW_STORE } from "../support/process/slow-node";
import { lastOutcomes, unfinishedLines } from "../support/process/unfinished-lines";
import { userFolder } from "../support/process/user-folder";

const code = (initialize: string, func = "") => at("code", "function", { initialize, func });
const UNKNOWN = at("unknown", "no-such-type", {});
const OPEN = { "in flight": "unknown", waiting: "not-applied" };
const CRASH = 'Promise.reject(new Error("of another node"));';

/** Rows 21 to 22 of docs/faults.md; docs/contract/restarts.md#when-node-red-stops. */
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
    mkdirSync(join(folder, "telephony"), { recursive: true });
  });
  beforeEach(() => {
    tenant.reset();
    // Flows that cannot start would keep the next Node-RED from starting.
    for (const left of [join(folder, "flows.json"), file]) rmSync(left, { force: true });
  });
  afterEach(() => nodeRed?.kill());
  after(() => {
    rmSync(file, { force: true });
    tenant?.stop();
  });

  const start = async () => {
    nodeRed = await NodeRed.start(folder);
  };
  const names = (name: string, count: number) =>
    count === 1 ? [name] : Array.from({ length: count }, (_, index) => `${name} ${index + 1}`);
  const work = (more: readonly FlowNode[] = [], concurrency = 1, url = tenant.url) => [
    ...ledgerFlow({ url, concurrency: String(concurrency) }),
    ...more,
  ];
  /** Sends so many messages, of which so many are in flight. Returns a function that releases their answers. */
  const busy = async (more: readonly FlowNode[] = [], inFlight = 1, waiting = 1) => {
    const release = tenant.hold();
    await nodeRed.deploy(work(more, inFlight));
    const ids = [...names("in flight", inFlight), ...names("waiting", waiting)];
    assert.equal((await nodeRed.post("/go", ids)).status, 200);
    await eventually(() => tenant.received.length === inFlight || undefined);
    return release;
  };
  /** Ends Node-RED, and calls `then` when its flows stop. */
  const stopping = async (then: () => void, signal?: NodeJS.Signals) => {
    const [stops, exit] = [nodeRed.prints("Stopping flows"), nodeRed.stop(signal)];
    await stops;
    then();
    return exit;
  };
  const written = (count = 1) => eventually(() => unfinishedLines(file).length >= count || undefined);
  /** Flows that wait for a missing node type. */
  const stall = async () => {
    assert.equal((await nodeRed.post("/flows", work([UNKNOWN]))).status, 204);
    await eventually(() => /no-such-type/.test(nodeRed.log) || undefined);
  };

  for (const signal of ["SIGTERM", "SIGINT"] as const)
    it(`at ${signal}: waits for requests in flight, starts none, and writes both to the file`, async () => {
      await start();
      const release = await busy();
      assert.equal(await stopping(release, signal), 0);
      assert.equal(tenant.received.length, 1);
      const lines = unfinishedLines(file);
      assert.deepEqual(
        lines.map(({ request, outcome, node, mode }) => [request["callId"], outcome, node, mode]),
        [
          ["in flight", "unknown", "transfer", "live"],
          ["waiting", "not-applied", "transfer", "live"],
          ["in flight", "applied", "transfer", "live"],
        ],
      );
      const [first, waiting, last] = lines;
      assert.equal(first?.entry, last?.entry);
      assert.notEqual(first?.entry, waiting?.entry);
      for (const { time, message } of lines) {
        assert.match(time, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
        assert.notEqual(message, "");
      }
      assert.equal(statSync(file).mode & 0o777, 0o600);
      assert.doesNotMatch(readFileSync(file, "utf8") + nodeRed.log, /token-of-the-ledger/);
    });

  /** How it ends, what the file has then, and which other nodes there are. */
  const CASES: Readonly<
    Record<string, readonly [how: (release: () => void) => Promise<unknown>, outcomes: object, more?: FlowNode[]]>
  > = {
    "after a deploy has replaced the tenant of requests in flight: waits for them": [
      async (release) => {
        await nodeRed.deploy(work([], 1, `${tenant.url}/other`));
        return stopping(release);
      },
      { "in flight": "applied" },
    ],
    "with a slow request: it is unknown, before Node-RED's own timeout": [() => nodeRed.stop(), OPEN],
    "during a deploy that another node delays: writes open requests at once": [
      async () => {
        const stops = nodeRed.prints("Stopping flows");
        nodeRed.post("/flows", work()).catch(() => {});
        await stops;
        return nodeRed.stop();
      },
      OPEN,
      [SLOW_NODE],
    ],
    "while flows wait for a missing node type: writes open requests at once": [
      async () => {
        await stall();
        return nodeRed.stop();
      },
      OPEN,
    ],
    "after such a wait: writes outcomes from that time": [
      async (release) => {
        await stall();
        release();
        await eventually(() => tenant.answered === 2 || undefined);
        // After two more requests to Node-RED, it has read both answers.
        for (const _ of [1, 2]) await nodeRed.get("/flows");
        return nodeRed.stop();
      },
      { "in flight": "applied", waiting: "applied" },
    ],
    "because another node crashes: writes open requests": [
      async () => {
        const exit = nodeRed.exit();
        const crash = code(`setTimeout(() => { ${CRASH} }, 500);`);
        await nodeRed.post("/flows", work([crash]), { "node-red-deployment-type": "nodes" }).catch(() => {});
        return exit;
      },
      OPEN,
      [code("")],
    ],
    "and another node crashes while it waits: nothing in flight is lost": [
      async () => {
        await nodeRed.inject("arm");
        await eventually(() => nodeRed.log.includes("armed") || undefined);
        const exit = await nodeRed.stop();
        assert.match(nodeRed.log, /call-transfer, message \w+: .*Outcome: unknown/);
        return exit;
      },
      OPEN,
      [
        code("", `node.on("close", () => { ${CRASH} }); node.warn("armed");`),
        at("arm", "inject", { props: [] }, ["code"]),
      ],
    ],
  };
  for (const [when, [how, outcomes, more]] of Object.entries(CASES))
    it(when, async () => {
      await start();
      const exit = await how(await busy(more));
      assert.equal(exit === 0, !when.includes("another node crashes"), String(exit));
      assert.deepEqual(lastOutcomes(file), outcomes);
      assert.doesNotMatch(nodeRed.log, /Close timed out/);
    });

  it("between two requests of one message: reports that the first may have changed something", async () => {
    await start();
    // Serves a search that finds nothing, and the creation.
    tenant.answers(() => ({ body: envelope({ ...pageOf([], 1, 1), id: 9 }) }));
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
    assert.equal(await stopping(release), 0);
    assert.deepEqual(new Set(unfinishedLines(file).map(({ outcome }) => outcome)), new Set(["unknown"]));
    assert.equal(tenant.received.map(({ method }) => method).join(), "GET,POST,GET");
  });

  for (const signal of ["SIGTERM", "SIGKILL"] as const)
    it(`by ${signal}: the next start repeats no request, and names the file if there is one`, async () => {
      await start();
      assert.doesNotMatch(nodeRed.log, /unfinished\.jsonl/);
      const release = await busy();
      await (signal === "SIGTERM" ? stopping(release) : nodeRed.stop(signal));
      assert.equal(existsSync(file), signal === "SIGTERM");
      await start();
      const warnings = nodeRed.log.split("\n").filter((line) => line.includes("unfinished.jsonl"));
      assert.deepEqual(
        warnings.map((line) => /\[warn\]/.test(line)),
        signal === "SIGTERM" ? [true] : [],
      );
      // One request at a time: a repeated one would be before this one.
      assert.equal((await nodeRed.post("/go", ["afterwards"])).status, 200);
      await eventually(() => tenant.received.length > 1 || undefined);
      const asked = tenant.received.map(({ text }) => /in flight|waiting|afterwards/.exec(text)?.[0]);
      assert.deepEqual(asked, ["in flight", "afterwards"]);
    });

  it("and is killed before it has waited: the file has what is in flight first, behind a line that was cut off", async () => {
    writeFileSync(file, '{"time":"cut');
    await start();
    await busy([], 3, 2);
    const exit = nodeRed.stop();
    await eventually(() => readFileSync(file, "utf8").split("\n").length > 4 || undefined);
    nodeRed.kill();
    assert.equal(await exit, "SIGKILL");
    const [cut, ...lines] = readFileSync(file, "utf8").trimEnd().split("\n");
    assert.equal(cut, '{"time":"cut');
    const said = lines.map((line) => JSON.parse(line) as { request: { callId: string }; outcome: string });
    assert.deepEqual(
      said.slice(0, 3).map(({ request, outcome }) => [request.callId, outcome]),
      names("in flight", 3).map((id) => [id, "unknown"]),
    );
    for (const { outcome } of said.slice(3)) assert.equal(outcome, "not-applied");
  });

  const ON_POSIX = process.platform === "win32" ? it.skip : it;
  ON_POSIX("on a full disk: cuts no line, has all that is in flight, and logs how many lines did not fit", async () => {
    const [size, room] = [1024 * 1024, 2000];
    const earlier = `${JSON.stringify({ request: {}, outcome: "x".repeat(1000) })}\n`;
    const many = Math.floor((size - room) / earlier.length);
    writeFileSync(file, earlier.repeat(many));
    const lines = () => unfinishedLines(file).slice(many);
    nodeRed = await NodeRed.startOnSmallDisk(folder, size);
    const release = await busy([], 4, 50);
    const exit = nodeRed.stop();
    await written(many + 1);
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
  });

  it("while values of a message are still being read: it is recorded as not applied, and nothing is sent", async () => {
    const settings = join(folder, "slow-store.js");
    rmSync(join(folder, "answer"), { force: true });
    writeFileSync(settings, SLOW_STORE);
    nodeRed = await NodeRed.start(folder, {}, "--settings", settings);
    const release = tenant.hold();
    const reading = { toNumber: "#:(slow)::number", toNumberType: "flow" };
    const flow = ledgerFlow({ url: tenant.url }, { node: reading });
    const { toNumber: _, ...direct } = flow.find(({ id }) => id === "transfer") as FlowNode;
    await nodeRed.deploy([
      ...flow.map((node) => (node.id === "split" ? { ...node, wires: [["transfer", "other"]] } : node)),
      { ...direct, id: "other", toNumber: "7", toNumberType: "str", wires: [] },
    ]);
    assert.equal((await nodeRed.post("/go", ["call"])).status, 200);
    await eventually(() => (tenant.received.length === 1 && nodeRed.log.includes("is asked")) || undefined);
    const exit = nodeRed.stop();
    await written();
    writeFileSync(join(folder, "answer"), "");
    await eventually(() => nodeRed.log.includes("has answered") || undefined);
    release();
    assert.equal(await exit, 0);
    assert.deepEqual(
      unfinishedLines(file).map(({ node, outcome }) => [node, outcome]),
      [
        ["other", "unknown"],
        ["transfer", "not-applied"],
        ["other", "applied"],
      ],
    );
    const [{ message } = { message: "" }] = unfinishedLines(file).filter(({ node }) => node === "transfer");
    assert.match(nodeRed.log, new RegExp(`call-transfer, message ${message || "none"}: .*Outcome: not-applied`));
    assert.equal(tenant.received.length, 1);
  });
});
