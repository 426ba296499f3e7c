import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { ALWAYS, envelope, hour, LIST, pageOf } from "../../support/business-hours";
import {
  campaignFlow,
  control,
  go,
  logged,
  loggedOnce,
  placed,
  placedAll,
  withCampaign,
} from "../../support/process/campaign";
import { eventually } from "../../support/process/eventually";
import { age, journalIn, recordsOf, untilAccepted } from "../../support/process/journals";
import { clockAt, type NodeRed } from "../../support/process/node-red";
import { installSlowNode, SLOW_NODE } from "../../support/process/slow-node";

const MINUTE = 60_000;

/** docs/contract/restarts.md#restarts, with the journal that is the default. */
describe("calls that wait when Node-RED ends", () => {
  const held = withCampaign();

  const flow = (settings: object = {}, more: Parameters<typeof campaignFlow>[1] = {}) =>
    campaignFlow({ url: held.tenant.url, concurrency: "1", ...settings }, more);

  /** Places one call that is in flight, and others that wait. Returns what releases the tenant's answers. */
  const busy = async (nodeRed: NodeRed, ...waiting: string[]): Promise<() => void> => {
    const release = held.tenant.hold();
    await nodeRed.deploy(flow());
    await go(nodeRed, "in flight");
    await placedAll(held.tenant, 1);
    await go(nodeRed, ...waiting);
    await untilAccepted(held.campaign.telephonyFolder, "in flight", ...waiting);
    return release;
  };
  /** The same, and Node-RED is killed. */
  const killed = async (...waiting: string[]): Promise<void> => {
    const nodeRed = await held.campaign.start();
    const release = await busy(nodeRed, ...waiting);
    await nodeRed.stop("SIGKILL");
    release();
  };

  it("go on in order after a short stop, with the JSON of their messages; the one in flight is unknown", async () => {
    const first = await held.campaign.start();
    const release = held.tenant.hold();
    const before = Date.now();
    await first.deploy(flow({}, { node: { onceKey: "payload.key", onceKeyType: "msg" } }));
    await go(first, { id: "in flight", key: "1" });
    await placedAll(held.tenant, 1);
    await go(first, { id: "plain", key: "2", name: "Ổi" }, { id: "odd", key: "3", odd: true });
    await untilAccepted(held.campaign.telephonyFolder, "plain", "odd");
    // It gets no answer from a process that is killed.
    first.post("/hook", { id: "hook", key: "4" }).catch(() => {});
    await untilAccepted(held.campaign.telephonyFolder, "hook");
    await first.stop("SIGKILL");
    release();

    const second = await held.campaign.start();
    const results = await held.campaign.resultsOf(4);
    assert.deepEqual(placed(held.tenant), ["in flight", "plain", "odd", "hook"]);
    assert.deepEqual(held.campaign.ends, { "in flight": "ERR_CONNECTION_LOST", plain: "ok", odd: "ok", hook: "ok" });
    const byId = Object.fromEntries(results.map((one) => [one.id, one]));
    assert.equal(byId["in flight"]?.outcome, "unknown");
    assert.equal(byId["in flight"]?.sent, "maybe");
    assert.deepEqual(Object.fromEntries(results.map(({ id, restored }) => [id, restored?.left])), {
      "in flight": [],
      plain: [],
      odd: ["payload.pdf", "payload.list", "round.m", "speak"],
      hook: ["req", "res"],
    });
    for (const { restored } of results) {
      assert.equal(restored?.at, new Date(restored?.at ?? "").toISOString());
      assert.ok(Date.parse(restored?.at ?? "") >= before && Date.parse(restored?.at ?? "") <= Date.now());
    }
    assert.deepEqual(byId["plain"]?.message["payload"], { id: "plain", key: "2", name: "Ổi" });
    assert.deepEqual(byId["odd"]?.message["payload"], { id: "odd", key: "3" });
    const rows = ["in flight", "plain"].map((id) => {
      const { at: _, ...row } = (byId[id]?.message["telephony"] as { row: { at: string } } | undefined)?.row ?? {
        at: "",
      };
      return row;
    });
    assert.deepEqual(rows, [
      { id: "in flight", key: "1", outcome: "unknown", code: "ERR_CONNECTION_LOST", reason: "connection lost" },
      { id: "plain", key: "2", name: "Ổi", outcome: "applied", code: "", reason: "" },
    ]);
    await loggedOnce(second, "[warn]", "Acme", /\b3\b/);

    // Deduplication keys outlive a restart: of the call that may have been placed, and of those placed since.
    await go(second, { id: "again 1", key: "1" }, { id: "again 2", key: "2" }, { id: "other", key: "5" });
    await held.campaign.resultsOf(7);
    assert.deepEqual(
      held.campaign.results.slice(4).map(({ id, as, first: outcome }) => [id, as, outcome]),
      [
        ["again 1", "ERR_DUPLICATE", "unknown"],
        ["again 2", "ERR_DUPLICATE", "applied"],
        ["other", "ok", undefined],
      ],
    );
    assert.equal(placed(held.tenant).length, 5);
  });

  it("are held back after a long stop, with one warning, until they are resumed; new ones go on", async () => {
    await killed("a", "b", "c");
    age(journalIn(held.campaign.telephonyFolder), 16 * MINUTE);
    const nodeRed = await held.campaign.start();
    await held.campaign.resultsOf(1);
    await loggedOnce(nodeRed, "[warn]", "Acme", /\b3\b/, "held back");
    const { paused, waiting, restored } = await control(nodeRed, "count");
    assert.deepEqual([paused, waiting.callOut, restored], [false, 3, 3]);
    await go(nodeRed, "new");
    await held.campaign.resultsOf(2);
    assert.deepEqual(placed(held.tenant), ["in flight", "new"]);
    await control(nodeRed, "resume");
    await held.campaign.resultsOf(5);
    assert.deepEqual(placed(held.tenant), ["in flight", "new", "a", "b", "c"]);
    assert.deepEqual(held.campaign.ends, { "in flight": "ERR_CONNECTION_LOST", a: "ok", b: "ok", c: "ok", new: "ok" });
    assert.equal(held.campaign.results.find(({ id }) => id === "new")?.restored, undefined);
  });

  for (const [what, open, close, waitsFor] of [
    ["were open meanwhile", "09:20:00", "09:25:00", "held-back"],
    ["have not begun since", "10:30:00", "10:35:00", "hours"],
  ] as const)
    it(`wait for calling hours that ${what}: after a long stop they wait for ${waitsFor}`, async () => {
      const days = ALWAYS.map(({ day }) => ({ day, open, close }));
      const schedules = { body: envelope(pageOf([hour(1, "Office", days)], 1, 20)) };
      held.tenant.answers(({ url }) => (url.startsWith(LIST) ? schedules : {}));
      const first = await held.campaign.start(clockAt("2026-12-01T09:00:00Z"));
      await first.deploy(flow({ callingHours: "Office", timezone: "UTC" }));
      await go(first, "a", "b");
      await untilAccepted(held.campaign.telephonyFolder, "a", "b");
      await first.stop("SIGKILL");
      const nodeRed = await held.campaign.start(clockAt("2026-12-01T09:40:00Z"));
      if (waitsFor === "held-back") await loggedOnce(nodeRed, "[warn]", "Acme", "held back: 2.");
      const waits = async () => {
        const { calls } = Object(await (await nodeRed.post("/control", { command: "list" })).json());
        return (calls as { readonly waitsFor: string }[]).map((call) => call.waitsFor).sort();
      };
      const untilTheyWait = (...expected: string[]) =>
        eventually(async () => isDeepStrictEqual(await waits(), expected.sort()) || undefined);
      await untilTheyWait(waitsFor, waitsFor);
      await go(nodeRed, "new");
      await untilTheyWait(waitsFor, waitsFor, "hours");
      assert.equal(logged(nodeRed, "held back").length, waitsFor === "held-back" ? 1 : 0, nodeRed.log);
      assert.deepEqual(placed(held.tenant), []);
    });

  it("are named in the log if a deploy was holding their result when Node-RED was killed", async () => {
    installSlowNode(held.campaign.folder);
    const first = await held.campaign.start();
    const release = held.tenant.hold();
    const flows = [...flow(), SLOW_NODE];
    await first.deploy(flows);
    await go(first, "held");
    await placedAll(held.tenant, 1);
    const stops = first.prints("Stopping flows");
    first.deploy(flows).catch(() => {});
    await stops;
    release();
    const file = journalIn(held.campaign.telephonyFolder);
    await eventually(() => recordsOf(file).some((record) => "end" in record) || undefined);
    // After two more requests to Node-RED, the mailbox has the result.
    for (const _ of [1, 2]) await first.get("/settings");
    await first.stop("SIGKILL");
    const second = await held.campaign.start();
    await loggedOnce(second, "[warn]", "held", /Outcome: applied/);
    await go(second, "next");
    await held.campaign.resultsOf(1);
    assert.deepEqual(held.campaign.ends, { next: "ok" });
    assert.deepEqual(placed(held.tenant), ["held", "next"]);
  });

  it("are dropped if their node was deleted meanwhile, with one warning", async () => {
    await killed("a", "b");
    held.campaign.edit((node) => (node.id === "call" ? undefined : node));
    const nodeRed = await held.campaign.start();
    await loggedOnce(nodeRed, "[warn]", "call-out", /\b2\b.*not-applied/);
    await loggedOnce(nodeRed, "[warn]", "call-out", "unknown");
    assert.deepEqual(placed(held.tenant), ["in flight"]);
    assert.deepEqual(held.campaign.results, []);
  });

  for (const [what, change, stoppedForMs] of [
    ["was deleted", undefined, MINUTE],
    ["got another address", { url: "http://127.0.0.1:9" }, 16 * MINUTE],
  ] as const)
    it(`are kept as they are, with one warning, if their tenant ${what} meanwhile`, async () => {
      await killed("a", "b");
      const file = journalIn(held.campaign.telephonyFolder);
      age(file, stoppedForMs);
      const before = readFileSync(file);
      const flows = join(held.campaign.folder, "flows.json");
      const deployed = readFileSync(flows);
      held.campaign.edit((node) => {
        if (node.id === "tenant") return change && { ...node, ...change };
        return !change && node.tenant === "tenant" ? undefined : node;
      });
      const meanwhile = await held.campaign.start();
      await loggedOnce(meanwhile, "[warn]", file, /\b3\b/, "you can delete these files");
      await meanwhile.stop();
      assert.deepEqual([placed(held.tenant), held.campaign.results], [["in flight"], []]);
      assert.deepEqual(readFileSync(file), before);
      // Back at the earlier setting, it is a stop like any other.
      writeFileSync(flows, deployed);
      const nodeRed = await held.campaign.start();
      if (stoppedForMs > 15 * MINUTE) await loggedOnce(nodeRed, "[warn]", "Acme", /\b2\b/, "held back");
      else await held.campaign.resultsOf(3);
      assert.deepEqual(placed(held.tenant), ["in flight", ...(stoppedForMs > 15 * MINUTE ? [] : ["a", "b"])]);
      assert.equal(logged(nodeRed, "[warn]", file).length, 0, nodeRed.log);
    });
});
