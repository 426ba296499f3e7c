import { deepStrictEqual, ok } from "node:assert/strict";
import { appendFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Counts, withCampaign } from "../../support/process/campaign";
import { eventually } from "../../support/process/eventually";
import {
  calledNumbers,
  callList,
  listFlow,
  mistakesOf,
  numbersOf,
  recorded,
  tables,
} from "../../support/process/list-flow";

const ROWS = 300;
const SMALL = 256 * 1024;
const ON_LINUX = process.platform === "linux" ? it : it.skip;

/** docs/contract/list.md#order-and-waiting */
describe("a list on a disk that is full", () => {
  const held = withCampaign();

  ON_LINUX("waits, and goes on when there is room: no row is lost, and none is called twice", async () => {
    const nodeRed = await held.campaign.startOnSmallDisk(SMALL);
    await nodeRed.deploy(listFlow({ url: held.tenant.url, concurrency: "2" }));
    const release = held.tenant.hold();
    await callList(nodeRed, numbersOf(ROWS));
    await eventually(() => calledNumbers(held.tenant).length === 2 || undefined);
    const folder = join(held.campaign.telephonyFolder, "lists");
    const file = join(folder, readdirSync(folder)[0] ?? "");
    // No room for more than a few lines.
    appendFileSync(file, `${JSON.stringify({ pad: "x".repeat(SMALL - statSync(file).size - 600) })}\n`);
    release();
    await eventually(() => nodeRed.log.includes("EFBIG") || undefined);
    const [list] = await eventually(async () => {
      const control = await nodeRed.get("/telephony/tenant/tenant/control");
      const { lists, underWay, waiting } = (await control.json()) as Counts;
      return underWay === 0 && waiting.callOut === 0 ? (lists as readonly { readonly ended: number }[]) : undefined;
    });
    ok(list && list.ended < ROWS);
    await eventually(() => recorded(held.campaign).statuses.at(-1) === "no backlog" || undefined);
    await nodeRed.enlargeDisk();
    await tables(held.campaign);
    deepStrictEqual(new Set(Object.values(mistakesOf(held.campaign, held.tenant, ROWS))), new Set([0]));
  });
});
