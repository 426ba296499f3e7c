import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { withCampaign } from "../../support/process/campaign";
import { eventually } from "../../support/process/eventually";
import {
  callAgain,
  calledNumbers,
  callList,
  cutOffRows,
  listFlow,
  mistakesOf,
  numbersOf,
  recorded,
  tables,
} from "../../support/process/list-flow";

const ROWS = 300;
const NONE = {
  "called twice": 0,
  "told twice": 0,
  "missing in the table": 0,
  "without an end": 0,
  "called, and said not to be": 0,
  "not called, and said to be": 0,
  "tables but one": 0,
};

/** docs/contract/list.md. The soak kills more often. */
describe("a list whose Node-RED is killed", () => {
  const held = withCampaign();

  it("goes on: no row is missing, none is there twice, and what was in flight is unknown", async function () {
    // A start takes long on a busy machine, and there are several.
    this.timeout(600_000);
    let nodeRed = await held.campaign.start();
    await nodeRed.deploy(listFlow({ url: held.tenant.url, concurrency: "2" }));
    held.tenant.delayMs = 2;
    await callList(nodeRed, numbersOf(ROWS));
    const cutOff = new Set<number>();
    for (const part of [40, 120, 200]) {
      await eventually(() => calledNumbers(held.tenant).length >= part || undefined);
      await nodeRed.stop("SIGKILL");
      for (const row of cutOffRows(held.campaign)) cutOff.add(row);
      nodeRed = await held.campaign.start();
    }
    await tables(held.campaign);
    const { "told by no message": untold, ...mistakes } = mistakesOf(held.campaign, held.tenant, ROWS);
    deepStrictEqual(mistakes, NONE);
    strictEqual(untold, cutOff.size);
  });

  it("a row that was in flight may be called again, on output 1; the table stays as it is", async () => {
    const release = held.tenant.hold();
    const first = await held.campaign.start();
    await first.deploy(listFlow({ url: held.tenant.url, concurrency: "1" }));
    await callList(first, numbersOf(2));
    await eventually(() => calledNumbers(held.tenant).length === 1 || undefined);
    await first.stop("SIGKILL");
    release();
    const second = await held.campaign.start();
    const [table] = await tables(held.campaign);
    deepStrictEqual(table?.payload.map(({ outcome }) => outcome).sort(), ["applied", "unknown"]);
    deepStrictEqual(await callAgain(second), [["list", true]]);
    const rows = await eventually(() => {
      const { rows: all } = recorded(held.campaign);
      return all.length === 3 ? all : undefined;
    });
    deepStrictEqual(rows.map(({ index, outcome }) => `${index} ${outcome}`).sort(), [
      "1 applied",
      "1 unknown",
      "2 applied",
    ]);
    const [one, two, three] = calledNumbers(held.tenant);
    deepStrictEqual([three, two === one], [one, false]);
    deepStrictEqual((await tables(held.campaign)).length, 1);
  });
});
