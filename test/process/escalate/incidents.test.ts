import assert from "node:assert/strict";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { control, go, logged, loggedOnce, withCampaign } from "../../support/process/campaign";
import { eventually } from "../../support/process/eventually";
import {
  acknowledge,
  dialled,
  incident,
  incidentFlow,
  PEOPLE,
  reportOf,
  untilDialled,
} from "../../support/process/incident-flow";
import { incidentsIn, journalIn, recordsOf } from "../../support/process/journals";
import { clockAt, type NodeRed } from "../../support/process/node-red";
import { installSlowNode, SLOW_NODE } from "../../support/process/slow-node";
import { unfinishedLines } from "../../support/process/unfinished-lines";

/** docs/contract/escalate.md, through redeploys, stops and restarts. */
describe("an incident", () => {
  const held = withCampaign();

  const flow = (settings: object = {}, node: Record<string, unknown> = {}) =>
    incidentFlow({ url: held.tenant.url, ...settings }, node);
  const begin = async (
    settings: object = {},
    node: Record<string, unknown> = {},
    environment = {},
  ): Promise<NodeRed> => {
    const nodeRed = await held.campaign.start(environment);
    await nodeRed.deploy(flow(settings, node));
    return nodeRed;
  };
  const unfinished = () => unfinishedLines(join(held.campaign.telephonyFolder, "unfinished.jsonl"));
  const kept = () => incidentsIn(journalIn(held.campaign.telephonyFolder));
  const untilKept = () => eventually(() => kept().length === 1 || undefined);

  it("goes on through deploys every 300 ms", async () => {
    // Otherwise Node-RED itself loses messages that are between two nodes when a deploy stops them.
    const nodeRed = await begin({}, { rounds: "2" }, { SYNC_DELIVERY: "1" });
    // So many that they are not all called before the acknowledgement, however long a deploy takes.
    const many = Array.from({ length: 30 }, (_, index) => ({ name: `P${index}`, number: `0000000${100 + index}0` }));
    await go(nodeRed, incident("nobody"), incident("somebody", { people: many }));
    for (let deploys = 1; deploys < 5 || !("nobody" in held.campaign.ends); deploys += 1) {
      const deployed = nodeRed.deploy(flow({ timeout: String(20 + (deploys % 9)) }, { rounds: "2" }), "full");
      if (deploys === 3) await acknowledge(nodeRed, "somebody").catch(() => {});
      await deployed;
      if (deploys > 3 && !("somebody" in held.campaign.ends)) await acknowledge(nodeRed, "somebody");
      await sleep(300);
    }
    const calls = ["1 A applied", "1 B applied", "1 C applied", "2 A applied", "2 B applied", "2 C applied"];
    assert.deepEqual((await reportOf(held.campaign, "nobody")).calls, calls);
    const somebody = await reportOf(held.campaign, "somebody");
    assert.deepEqual([somebody.as, somebody.acknowledgedBy], ["ok", "Jane"]);
    assert.deepEqual(
      somebody.calls,
      many.slice(0, somebody.calls?.length).map(({ name }) => `1 ${name} applied`),
    );
    assert.equal(dialled(held.tenant).length, 6 + (somebody.calls?.length ?? 0));
    assert.equal(logged(nodeRed, "[warn]", "call-escalate").length, 0, nodeRed.log);
  });

  for (const signal of ["SIGKILL", "SIGTERM"] as const)
    it(`goes on after ${signal} between two calls, with the JSON of its message, and is not called unfinished`, async () => {
      const first = await begin({}, { ringFor: "2" });
      await go(first, incident("i", { odd: true }));
      await untilDialled(held.tenant, 1);
      await eventually(
        () => JSON.stringify(recordsOf(journalIn(held.campaign.telephonyFolder))).includes('"applied"') || undefined,
      );
      await first.stop(signal);
      assert.deepEqual(unfinished(), []);
      await held.campaign.start();
      const { as, calls, restored } = await reportOf(held.campaign, "i");
      assert.deepEqual([as, calls], ["ok", ["1 A applied", "1 B applied", "1 C applied"]]);
      assert.deepEqual(restored?.left, ["payload.pdf", "payload.list", "round.m", "speak"]);
      assert.equal(dialled(held.tenant), "ABC");
      await eventually(() => kept().length === 0 || undefined);
    });

  it("keeps its end through a kill during a deploy", async () => {
    installSlowNode(held.campaign.folder);
    const first = await held.campaign.start();
    const flows = [...flow({}, { ringFor: "2" }), SLOW_NODE];
    await first.deploy(flows);
    await go(first, incident("i", { people: PEOPLE.slice(0, 1) }));
    await untilDialled(held.tenant, 1);
    const stops = first.prints("Stopping flows");
    first.deploy(flows).catch(() => {});
    await stops;
    // The last pause ends while the deploy waits for another node.
    await sleep(2500);
    await first.stop("SIGKILL");
    await held.campaign.start();
    assert.equal((await reportOf(held.campaign, "i")).as, "ok");
    assert.equal(dialled(held.tenant), "A");
  });

  it("calls nobody twice in a round, through kills one after the other", async function () {
    // A start takes long on a busy machine, and there are several.
    this.timeout(600_000);
    held.tenant.delayMs = 100;
    let nodeRed = await begin({}, { rounds: "3" });
    await go(nodeRed, incident("i"));
    for (let kills = 0; kills < 4 && !("i" in held.campaign.ends); kills += 1) {
      const before = dialled(held.tenant).length;
      await eventually(() => dialled(held.tenant).length > before || "i" in held.campaign.ends || undefined);
      // At another place of the call's way each time.
      await sleep(kills * 50);
      await nodeRed.stop("SIGKILL");
      nodeRed = await held.campaign.start();
    }
    const { as, calls = [] } = await reportOf(held.campaign, "i");
    assert.equal(as, "ok");
    const placed = calls.map((call) => call.slice(0, 3));
    assert.deepEqual(placed, ["1 A", "1 B", "1 C", "2 A", "2 B", "2 C", "3 A", "3 B", "3 C"]);
    // A call that was cut off may not have left.
    assert.ok(dialled(held.tenant).length <= 9, dialled(held.tenant));
    for (const name of "ABC") assert.ok(dialled(held.tenant).split(name).length - 1 <= 3, dialled(held.tenant));
  });

  it("calls nobody by itself before the clock is right, if the machine was started meanwhile, nor then, but takes an acknowledgement", async () => {
    const first = await begin({}, { ringFor: "1" });
    await go(first, incident("left"));
    await untilDialled(held.tenant, 1);
    await untilKept();
    await first.stop("SIGKILL");
    const [stoppedAt, morning] = [0, 11 * 3_600_000].map((ms) => new Date(Date.now() + ms).toISOString());
    const second = await held.campaign.start(clockAt(stoppedAt as string, morning, "another"));
    const before = dialled(held.tenant);
    await go(second, incident("new"));
    assert.equal((await reportOf(held.campaign, "new")).calls?.length, 3);
    assert.equal(dialled(held.tenant), `${before}ABC`);
    second.setClock();
    await loggedOnce(second, "[warn]", "Acme", /\b1\b/, "held back");
    await acknowledge(second, "left");
    assert.equal((await reportOf(held.campaign, "left")).acknowledgedBy, "Jane");
    assert.equal(dialled(held.tenant), `${before}ABC`);
  });

  it("is one line of the unfinished file when Node-RED stops with a backlog in memory", async () => {
    const nodeRed = await begin({ engine: "memory", rate: "0.01" }, { ringFor: "3600" });
    await go(nodeRed, incident("called"));
    await untilDialled(held.tenant, 1);
    await go(nodeRed, incident("waiting"));
    await eventually(async () => (await control(nodeRed, "count")).waiting.callOut === 1 || undefined);
    await nodeRed.stop();
    assert.deepEqual(
      unfinished().map(({ message, outcome, request }) => [message, outcome, request["key"]]),
      [
        ["called", "unknown", "called"],
        ["waiting", "not-applied", "waiting"],
      ],
    );
    assert.deepEqual(held.campaign.results, []);
  });

  it("is kept when the tenant's address changes while nothing runs", async () => {
    const other = { url: `${held.tenant.url}/other` };
    const nodeRed = await begin({}, { ringFor: "3600" });
    await go(nodeRed, incident("restart"));
    await untilDialled(held.tenant, 1);
    await nodeRed.stop("SIGKILL");
    held.campaign.edit((node) => (node.id === "tenant" ? { ...node, ...other } : node));
    await loggedOnce(await held.campaign.start(), "[warn]", ".journal", /\b1\b/);
    assert.equal(dialled(held.tenant), "A");
  });
});
