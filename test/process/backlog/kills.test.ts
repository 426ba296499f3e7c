import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { Campaign, campaignFlow, go, logged, placed } from "../../support/process/campaign";
import { eventually } from "../../support/process/eventually";
import { acceptedIn, journalIn } from "../../support/process/journals";
import { LiveTenant } from "../../support/process/live-tenant";
import type { NodeRed } from "../../support/process/node-red";

/** `npm run soak` kills more often. */
const KILLS = Number(process.env["BACKLOG_KILLS"] ?? 6);
const EACH = 60;

describe(`Node-RED is killed ${KILLS} times while it places calls`, function () {
  this.timeout(60_000 + KILLS * 15_000);
  let tenant: LiveTenant;
  let campaign: Campaign;

  before(async () => {
    tenant = await LiveTenant.start();
    campaign = await Campaign.create();
  });
  afterEach(() => campaign?.killAll());
  after(() => {
    campaign?.clear();
    tenant?.stop();
  });

  /** The ids of calls whose end the log names, because it was being told at a kill. */
  const untoldIn = (nodeRed: NodeRed) =>
    logged(nodeRed, "[warn]", "call-out").flatMap((line) => /\bcall-\d+-\d+\b/.exec(line)?.[0] ?? []);

  it("each call is placed at most once, and its outcome is told", async () => {
    tenant.delayMs = 25;
    const accepted = new Set<string>();
    const untold: string[] = [];
    // What is told to the flow is in its file before the backlog forgets it.
    const start = () => campaign.start({ SYNC_DELIVERY: "1" });
    let nodeRed = await start();
    await nodeRed.deploy(campaignFlow({ url: tenant.url, rate: "100" }));
    for (let kill = 0; kill < KILLS; kill += 1) {
      const killed = nodeRed;
      const ids = Array.from({ length: EACH }, (_, index) => `call-${kill}-${index}`);
      // Some are still being accepted.
      const sending = ids.map((id, index) =>
        sleep(5 * index)
          .then(() => go(killed, id))
          .catch(() => {}),
      );
      await sleep(100 + 70 * (kill % 4));
      await killed.stop("SIGKILL");
      await Promise.all(sending);
      untold.push(...untoldIn(killed));
      for (const id of acceptedIn(journalIn(campaign.telephonyFolder)).values()) accepted.add(id);
      nodeRed = await start();
    }
    const isEnded = (id: string) => id in campaign.ends || untold.includes(id) || untoldIn(nodeRed).includes(id);
    await eventually(() => [...accepted].every(isEnded) || undefined);
    untold.push(...untoldIn(nodeRed));

    const calls = placed(tenant);
    assert.equal(new Set(calls).size, calls.length, "placed twice");
    for (const id of calls) assert.ok(isEnded(id), `${id} was placed, and nobody was told`);
    for (const id of untold) assert.ok(accepted.has(id));
    const { ends } = campaign;
    for (const [id, as] of Object.entries(ends)) {
      assert.match(as, /^(ok|ERR_CONNECTION_LOST)$/, id);
      if (as === "ok") assert.ok(calls.includes(id), `${id} was told, and not placed`);
    }
    const lost = Object.values(ends).filter((as) => as !== "ok").length;
    // No more than were in flight.
    assert.ok(lost <= 8 * KILLS, `${lost} unknown`);
    assert.ok(accepted.size >= KILLS * 10, `${accepted.size} accepted`);
    console.log(
      `      ${accepted.size} accepted, ${calls.length} placed, ${lost} unknown, ${untold.length} named in the log`,
    );
  });
});
