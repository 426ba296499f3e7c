import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { mkdirSync, readFileSync, renameSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ALWAYS, envelope, hour, LIST, pageOf } from "../../support/business-hours";
import { loggedOnce, withCampaign } from "../../support/process/campaign";
import { eventually, LONG_MS } from "../../support/process/eventually";
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
import { at, clockAt, hook, type NodeRed } from "../../support/process/node-red";
import { unfinishedLines } from "../../support/process/unfinished-lines";

const ROWS = 8;

/** docs/contract/list.md#redeploys-stops-and-restarts */
describe("a list whose Node-RED stops", () => {
  const held = withCampaign();
  const unfinished = () => unfinishedLines(join(held.campaign.telephonyFolder, "unfinished.jsonl"));
  const files = () => filesOf(held.campaign);
  /** The environment of a start that comes after a long stop. */
  const later = () => clockAt(new Date(Date.now() + 16 * 60_000).toISOString());
  const distinct = () => new Set(calledNumbers(held.tenant)).size;
  /** Stops Node-RED when two rows were called, and a third is in flight. */
  const stopped = async (engine: "file" | "memory" | "", signal: NodeJS.Signals = "SIGTERM", backlog?: string) => {
    const nodeRed = await held.campaign.start();
    await nodeRed.deploy(listFlow({ url: held.tenant.url, concurrency: "1", engine, backlog }));
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
    const first = await held.campaign.start(later());
    await eventually(async () => (await listsOf(first))[0]?.heldBack || undefined);
    // Of the row that was in flight.
    await eventually(() => recorded(held.campaign).rows.length === 3 || undefined);
    await first.stop();
    const nodeRed = await held.campaign.start(later());
    await eventually(async () => (await listsOf(nodeRed))[0]?.heldBack || undefined);
    strictEqual(calledNumbers(held.tenant).length, 3);
    const headers = { origin: nodeRed.url };
    const { status } = await nodeRed.post("/telephony/tenant/tenant/control", { command: "resume" }, headers);
    ok(status < 300, String(status));
    await assertAll(1);
  });

  it("is held back after a long stop, although only the row in flight was in the backlog", async () => {
    await stopped("file", "SIGKILL", "2");
    const nodeRed = await held.campaign.start(later());
    await eventually(async () => (await listsOf(nodeRed))[0]?.heldBack || undefined);
    strictEqual(calledNumbers(held.tenant).length, 3);
  });

  it("goes on if its calls waited for hours that have not begun since, also if these are read late", async () => {
    const days = ALWAYS.map(({ day }) => ({ day, open: "10:30:00", close: "10:35:00" }));
    const schedules = { body: envelope(pageOf([hour(1, "Office", days)], 1, 20)) };
    held.tenant.answers(({ url }) => (url.startsWith(LIST) ? schedules : {}));
    const first = await held.campaign.start(clockAt("2026-12-01T09:00:00Z"));
    await first.deploy(listFlow({ url: held.tenant.url, engine: "file", callingHours: "Office", timezone: "UTC" }));
    await callList(first, numbersOf(300));
    const isFed = async (nodeRed: NodeRed) => {
      const { heldBack, waiting } = await (await nodeRed.get("/telephony/tenant/tenant/control")).json();
      return (heldBack === 0 && waiting.callOut === 200) || undefined;
    };
    await eventually(() => isFed(first));
    await first.stop();
    const release = held.tenant.hold();
    const nodeRed = await held.campaign.start(clockAt("2026-12-01T09:40:00Z"));
    await eventually(async () => {
      const { heldBack } = await (await nodeRed.get("/telephony/tenant/tenant/control")).json();
      return heldBack > 0 || undefined;
    });
    release();
    await eventually(() => isFed(nodeRed));
    deepStrictEqual(
      (await listsOf(nodeRed)).map(({ heldBack }) => heldBack),
      [false],
    );
    deepStrictEqual(calledNumbers(held.tenant), []);
  });

  it("goes on after a short stop, although a list of another node is held back", async () => {
    const other = [
      hook("/other", "other in"),
      at(
        "other in",
        "function",
        { func: "return [{ payload: msg.payload }, { ...msg, payload: {} }];", outputs: 2 },
        ["other"],
        ["answer"],
      ),
      at(
        "other",
        "call-list",
        { tenant: "tenant", answerUrl: "https://example.com/answer", answerUrlType: "str" },
        [],
        [],
      ),
    ];
    const first = await held.campaign.start();
    await first.deploy([...listFlow({ url: held.tenant.url, concurrency: "1", engine: "file" }), ...other]);
    let release = held.tenant.hold();
    await callList(first, numbersOf(ROWS));
    await eventually(() => calledNumbers(held.tenant).length === 1 || undefined);
    await first.stop("SIGKILL");
    release();
    const second = await held.campaign.start(later());
    await eventually(async () => (await listsOf(second))[0]?.heldBack || undefined);
    release = held.tenant.hold();
    await second.post("/other", numbersOf(300, 100));
    await eventually(() => calledNumbers(held.tenant).length === 2 || undefined);
    await second.stop("SIGKILL");
    release();
    const third = await held.campaign.start(later());
    await eventually(() => calledNumbers(held.tenant).length === 1 + 300 || undefined, LONG_MS);
    deepStrictEqual(
      (await listsOf(third)).map(({ heldBack }) => heldBack),
      [true],
    );
  });

  it("gives out its table after the start, if only that was missing", async () => {
    const first = await held.campaign.start();
    await first.deploy(listFlow({ url: held.tenant.url, engine: "file" }));
    await callList(first, numbersOf(ROWS));
    await tables(held.campaign);
    const [file = ""] = filesOf(held.campaign);
    await eventually(() => readFileSync(file, "utf8").includes('{"over"') || undefined);
    await first.stop("SIGKILL");
    writeFileSync(file, readFileSync(file, "utf8").replace(/^\{"over".*\n/m, ""));
    const nodeRed = await held.campaign.start();
    await tables(held.campaign, 2);
    await callList(nodeRed, numbersOf(2, 50));
    const [, , table] = await tables(held.campaign, 3);
    deepStrictEqual([table?.payload.length, calledNumbers(held.tenant).length], [2, ROWS + 2]);
  });

  it("is kept, and lets another one be called, if its tenant got another mode meanwhile", async () => {
    await stopped("file");
    held.campaign.edit((node) => (node.id === "tenant" ? { ...node, mode: "log" } : node));
    const nodeRed = await held.campaign.start();
    await callList(nodeRed, numbersOf(2, 50));
    const [table] = await tables(held.campaign);
    strictEqual(table?.payload.length, 2);
    const stop = await nodeRed.post("/telephony/list/list/stop", {}, { origin: nodeRed.url });
    deepStrictEqual(await stop.json(), { ok: true, stopped: 0 });
    strictEqual(calledNumbers(held.tenant).length, 3);
    await nodeRed.stop();
    held.campaign.edit((node) => (node.id === "tenant" ? { ...node, mode: "live" } : node));
    await held.campaign.start();
    await tables(held.campaign, 2);
    deepStrictEqual([calledNumbers(held.tenant).length, distinct()], [ROWS, ROWS]);
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
