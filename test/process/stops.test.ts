import assert from "node:assert/strict";
import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LiveTenant } from "../support/live-tenant";
import { loggedOnce } from "../support/process/campaign";
import { eventually } from "../support/process/eventually";
import { journalsIn } from "../support/process/journals";
import { ledgerFlow } from "../support/process/ledger-flow";
import { at, type FlowNode, NodeRed } from "../support/process/node-red";
import { lastOutcomes, unfinishedLines } from "../support/process/unfinished-lines";
import { userFolder } from "../support/process/user-folder";

const CRASH = 'Promise.reject(new Error("of another node"));';

/** The rest that the table in ends.test.ts leaves out of docs/contract/restarts.md#when-node-red-stops. */
describe("Node-RED stops", () => {
  let folder: string;
  let file: string;
  let tenant: LiveTenant;
  let nodeRed: NodeRed;

  before(async () => {
    tenant = await LiveTenant.start();
    folder = await userFolder();
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
  const stopping = async (then: () => void) => {
    const [stops, exit] = [nodeRed.prints("Stopping flows"), nodeRed.stop()];
    await stops;
    then();
    return exit;
  };
  const written = (count: number) => eventually(() => unfinishedLines(file).length >= count || undefined);

  /** The way in which it ends, the content of the file then, and the other nodes. */
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
    "after flows have waited for a missing node type: writes outcomes from that time": [
      async (release) => {
        assert.equal((await nodeRed.post("/flows", work([at("unknown", "no-such-type", {})]))).status, 204);
        await eventually(() => /no-such-type/.test(nodeRed.log) || undefined);
        release();
        await eventually(() => tenant.answered === 2 || undefined);
        // After two more requests to Node-RED, it has read both answers.
        for (const _ of [1, 2]) await nodeRed.get("/flows");
        return nodeRed.stop();
      },
      { "in flight": "applied", waiting: "applied" },
    ],
    "and another node crashes while it waits: nothing in flight is lost": [
      async () => {
        await nodeRed.inject("arm");
        await eventually(() => nodeRed.log.includes("armed") || undefined);
        const exit = await nodeRed.stop();
        assert.match(nodeRed.log, /call-transfer, message \w+: .*Outcome: unknown/);
        return exit;
      },
      { "in flight": "unknown", waiting: "not-applied" },
      [
        at("code", "function", { func: `node.on("close", () => { ${CRASH} }); node.warn("armed");` }),
        at("arm", "inject", { props: [] }, ["code"]),
      ],
    ],
  };
  for (const [when, [how, outcomes, more]] of Object.entries(CASES))
    it(when, async () => {
      nodeRed = await NodeRed.start(folder);
      const exit = await how(await busy(more));
      assert.equal(exit === 0, !when.includes("another node crashes"), String(exit));
      assert.deepEqual(lastOutcomes(file), outcomes);
      assert.doesNotMatch(nodeRed.log, /Close timed out/);
    });

  it("is killed while it waits for a call whose tenant a deploy has moved: the call is written, and the next start warns of it", async () => {
    nodeRed = await NodeRed.start(folder);
    const release = tenant.hold();
    const call = { tenant: "tenant", target: "-", answerUrl: "https://example.com", answerUrlType: "str" };
    const to = { toNumber: "0000000001", toNumberType: "str" };
    const flow = (url: string) => [
      ...ledgerFlow({ url, engine: "file", fromNumber: "0000000000" }),
      at("call", "call-out", { ...call, ...to }),
      at("place", "inject", { props: [] }, ["call"]),
    ];
    await nodeRed.deploy(flow(tenant.url));
    await nodeRed.inject("place");
    await eventually(() => tenant.received.length === 1 || undefined);
    await nodeRed.deploy(flow(`${tenant.url}/other`));
    const exit = nodeRed.stop();
    await written(1);
    nodeRed.kill();
    await exit;
    release();
    assert.deepEqual(
      unfinishedLines(file).map(({ node, outcome }) => [node, outcome]),
      [["call", "unknown"]],
    );
    nodeRed = await NodeRed.start(folder);
    await loggedOnce(nodeRed, "[warn]", "may have been placed", /: 1\. .*\.journal/);
    for (const journal of journalsIn(join(folder, "telephony"))) rmSync(journal);
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
});
