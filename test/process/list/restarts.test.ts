import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { mkdirSync, renameSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { loggedOnce, withCampaign } from "../../support/process/campaign";
import { eventually } from "../../support/process/eventually";
import { journalIn } from "../../support/process/journals";
import {
  calledNumbers,
  callList,
  filesOf,
  listFlow,
  listsOf,
  numbersOf,
  recorded,
  tables,
} from "../../support/process/list-flow";
import { clockAt } from "../../support/process/node-red";
import { unfinishedLines } from "../../support/process/unfinished-lines";

const ROWS = 8;

/** docs/contract/list.md#redeploys-stops-and-restarts */
describe("a list whose Node-RED stops", () => {
  const held = withCampaign();
  const unfinished = () => unfinishedLines(join(held.campaign.telephonyFolder, "unfinished.jsonl"));
  const files = () => filesOf(held.campaign);
  const distinct = () => new Set(calledNumbers(held.tenant)).size;
  /** Stops Node-RED when two rows were called, and a third is in flight. */
  const stopped = async (engine: "file" | "memory" | "", signal: NodeJS.Signals = "SIGTERM") => {
    const nodeRed = await held.campaign.start();
    await nodeRed.deploy(listFlow({ url: held.tenant.url, concurrency: "1", engine }));
    let release = () => {};
    held.tenant.answers((_, index) => {
      if (index === 1) release = held.tenant.hold();
      return {};
    });
    await callList(nodeRed, numbersOf(ROWS));
    await eventually(
      () => (calledNumbers(held.tenant).length === 3 && recorded(held.campaign).rows.length === 2) || undefined,
    );
    if (signal === "SIGKILL") {
      await nodeRed.stop(signal);
      release();
    } else {
      const exit = nodeRed.stop(signal);
      await nodeRed.prints("Stopping flows");
      release();
      strictEqual(await exit, 0, nodeRed.log);
    }
    strictEqual(calledNumbers(held.tenant).length, 3);
  };
  /** Asserts that each row was called and told once, and that the table shows this. */
  const assertAll = async (unknown = 0) => {
    const [table] = await tables(held.campaign);
    deepStrictEqual([calledNumbers(held.tenant).length, distinct()], [ROWS, ROWS]);
    const told = recorded(held.campaign).rows.map(({ index }) => index);
    deepStrictEqual(
      told.toSorted((a, b) => a - b),
      Array.from({ length: ROWS }, (_, index) => index + 1),
    );
    const outcomes = { applied: ROWS - unknown, rejected: 0, "not-applied": 0, unknown };
    deepStrictEqual(table?.list["outcomes"], outcomes);
  };

  it("ends with it where it is in memory, with one line that says how many were not called", async () => {
    await stopped("memory");
    const [line, ...more] = unfinished().filter(({ node }) => node === "list");
    const { list, ...request } = line?.request ?? {};
    deepStrictEqual([more, typeof list, request], [[], "string", { total: ROWS, notCalled: ROWS - 3 }]);
  });

  it("goes on after the start where it is in a file", async () => {
    await stopped("file");
    await held.campaign.start();
    await assertAll();
  });

  it("is held back after a long stop, over a further start, until somebody resumes", async () => {
    await stopped("file", "SIGKILL");
    const later = clockAt(new Date(Date.now() + 16 * 60_000).toISOString());
    const first = await held.campaign.start(later);
    await eventually(async () => (await listsOf(first))[0]?.heldBack || undefined);
    // Of the row that was in flight.
    await eventually(() => recorded(held.campaign).rows.length === 3 || undefined);
    await first.stop();
    const nodeRed = await held.campaign.start(later);
    await eventually(async () => (await listsOf(nodeRed))[0]?.heldBack || undefined);
    strictEqual(calledNumbers(held.tenant).length, 3);
    const headers = { origin: nodeRed.url };
    const { status } = await nodeRed.post("/telephony/tenant/tenant/control", { command: "resume" }, headers);
    ok(status < 300, String(status));
    await assertAll(1);
  });

  it("ends, and says so once, if its node was deleted meanwhile", async () => {
    await stopped("file");
    held.campaign.edit((node) => (node.id === "list" ? undefined : node));
    const nodeRed = await held.campaign.start();
    await loggedOnce(nodeRed, "[warn]", "Call list (list)", `${ROWS - 3} of ${ROWS}`);
    await eventually(() => files().length === 0 || undefined);
    const lines = unfinished().filter(({ request }) => "notCalled" in request);
    deepStrictEqual(
      lines.map(({ request: { total, notCalled } }) => [total, notCalled]),
      [[ROWS, ROWS - 3]],
    );
    strictEqual(calledNumbers(held.tenant).length, 3);
  });

  it("is kept, and calls nobody, if its tenant got another mode meanwhile", async () => {
    await stopped("file");
    const edit = (mode: string) => held.campaign.edit((node) => (node.id === "tenant" ? { ...node, mode } : node));
    edit("log");
    const nodeRed = await held.campaign.start();
    await loggedOnce(nodeRed, "[warn]", "(list)", "The list is kept");
    // What ended during the stop is told now. A stop would close the node behind before the message reaches it.
    await eventually(() => recorded(held.campaign).rows.length === 3 || undefined);
    await nodeRed.stop();
    deepStrictEqual([files().length, calledNumbers(held.tenant).length], [1, 3]);
    edit("live");
    await held.campaign.start();
    await assertAll();
  });

  it("is kept, and calls nobody, while its calls are in a journal that cannot be opened", async () => {
    await stopped("");
    const journal = journalIn(held.campaign.telephonyFolder);
    renameSync(journal, `${journal}.kept`);
    mkdirSync(journal);
    const nodeRed = await held.campaign.start();
    await loggedOnce(nodeRed, "[warn]", "(list)", "The list is kept");
    await eventually(() => recorded(held.campaign).rows.length === 3 || undefined);
    await nodeRed.stop();
    deepStrictEqual([files().length, calledNumbers(held.tenant).length], [1, 3]);
    rmdirSync(journal);
    renameSync(`${journal}.kept`, journal);
    await held.campaign.start();
    await assertAll();
  });

  it("has no file of a list that was refused", async () => {
    const nodeRed = await held.campaign.start();
    await nodeRed.deploy(listFlow({ url: held.tenant.url }));
    const release = held.tenant.hold();
    await Promise.all(Array.from({ length: 13 }, (_, n) => callList(nodeRed, numbersOf(2, 100 * n))));
    // One is called, ten wait.
    await eventually(() => recorded(held.campaign).failed.length === 2 || undefined);
    await eventually(() => files().length === 11 || undefined);
    release();
    await tables(held.campaign, 11);
  });
});
