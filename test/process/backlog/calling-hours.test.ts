import assert from "node:assert/strict";
import { campaignFlow, control, go, placed, placedAll, shown, withCampaign } from "../../support/process/campaign";
import { eventually } from "../../support/process/eventually";
import { journalsIn, untilAccepted } from "../../support/process/journals";

const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
/** Whatever the day is on which this runs. */
const IN_THREE_DAYS = DAYS[(new Date().getUTCDay() + 3) % 7] ?? "mon";

/** docs/contract/calling-hours.md, with the journal that is the default. */
describe("calls that wait for calling hours when Node-RED ends", () => {
  const held = withCampaign();

  const flow = () => campaignFlow({ url: held.tenant.url, concurrency: "1", timezone: "UTC", callingHours: "Office" });
  /** What the tenant has from now on. */
  const serve = (days: readonly string[], open: string, close: string) => {
    const list = [{ id: 1, name: "Office", enable: 1, days: days.map((day) => ({ day, open, close })) }];
    const page = { current_page: 1, last_page: 1, per_page: 20, total: 1, data: list };
    held.tenant.reads = { success: true, code: 200, locale: "en", message: "OK", data: page };
  };
  const closed = () => serve([IN_THREE_DAYS], "08:00:00", "17:00:00");
  const open = () => serve(DAYS, "00:00:00", "23:59:00");

  const waiting = async (...ids: string[]) => {
    closed();
    const nodeRed = await held.campaign.start();
    await nodeRed.deploy(flow());
    await go(nodeRed, ...ids);
    await untilAccepted(held.campaign.telephonyFolder, ...ids);
    return nodeRed;
  };

  it("say until when in words, and go on in order after a start within the hours", async () => {
    const first = await waiting("a", "b", "c");
    const day = IN_THREE_DAYS.replace(/^./, (letter) => letter.toUpperCase());
    await eventually(async () => (await shown(first)).text === `waits until ${day} 08:00` || undefined);
    const { resting, restsUntil } = await control(first, "count");
    assert.equal(resting, true);
    assert.match(String(restsUntil), /^\d{4}-\d\d-\d\dT08:00:00\+00:00$/);
    await first.stop("SIGKILL");
    open();
    await held.campaign.start();
    await placedAll(held.tenant, 3);
    await held.campaign.resultsOf(3);
    assert.deepEqual(placed(held.tenant), ["a", "b", "c"]);
  });

  it("wait on after a start outside of the hours, are counted, and are dropped by a command", async () => {
    const first = await waiting("a", "b");
    await first.stop("SIGKILL");
    const second = await held.campaign.start();
    await eventually(async () => (await shown(second)).text?.startsWith("waits until") || undefined);
    const { resting, restored, paused } = await control(second, "count");
    assert.deepEqual([resting, restored, paused], [true, 2, false]);
    assert.deepEqual(placed(held.tenant), []);
    assert.equal((await control(second, "drop")).dropped, 2);
    await held.campaign.resultsOf(2);
    assert.deepEqual(held.campaign.ends, { a: "ERR_DROPPED", b: "ERR_DROPPED" });
    assert.equal(journalsIn(held.campaign.telephonyFolder).length, 1);
  });
});
