import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mock } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { DownloadError } from "../../../src/client/transport/download";
import { calendarCopyName } from "../../../src/fields/kinds/calendar-copy";
import { Calendar } from "../../../src/runtime/schedules/calendar";
import { readCopy, writeCopy } from "../../../src/runtime/schedules/calendars";
import { ics } from "../../support/calendars/server";
import { until } from "../../support/until";

const HOLIDAY = ics(["DTSTART;VALUE=DATE:20261123", "SUMMARY:Founding day"]);
const ADDRESS = new URL("https://calendar.example/token/basic.ics");
const DAY_MS = 86_400_000;

describe("the calendar at an address", () => {
  let folder: string;
  let answers: () => Promise<string> | string;
  let fetched: number;
  let copied: number;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "telephony-calendar-"));
    fetched = 0;
    copied = 0;
    answers = () => HOLIDAY;
    mock.timers.enable({ apis: ["setTimeout", "Date"] });
  });
  afterEach(async () => {
    mock.timers.reset();
    await rm(folder, { recursive: true });
  });

  const open = () =>
    new Calendar({
      async fetch() {
        fetched += 1;
        return Buffer.from(await answers());
      },
      readCopy: () => readCopy(folder, ADDRESS),
      async writeCopy(copy) {
        await writeCopy(folder, ADDRESS, copy);
        copied += 1;
      },
      ready: () => Promise.resolve(),
      label: () => "",
    });
  const pass = async (milliseconds: number) => {
    mock.timers.tick(milliseconds);
    await nextTurn();
  };
  /** Resolves when the copy is on disk, so that the next request is planned. */
  const written = async () => {
    await until(() => copied > 0);
    for (let turns = 0; turns < 10; turns += 1) await nextTurn();
  };
  const away = () => Promise.reject(new DownloadError("ERR_DNS"));

  it("is fetched once for all who follow it in a deploy, and once a day", async () => {
    const calendar = open();
    const ends = [() => {}, () => {}].map((changed) => calendar.follow(changed, DAY_MS));
    strictEqual(await calendar.read(), HOLIDAY);
    strictEqual(fetched, 1);
    await written();
    await pass(DAY_MS - 1);
    strictEqual(fetched, 1);
    await pass(1);
    await until(() => fetched !== 1);
    await calendar.renewal;
    for (const end of ends) end();
    await pass(3 * DAY_MS);
    strictEqual(fetched, 2);
  });

  it("is fetched again soon after a failure, and those who follow it are told when it is there", async () => {
    answers = away;
    const calendar = open();
    let told = 0;
    calendar.follow(() => (told += 1), DAY_MS);
    strictEqual(await calendar.read(), undefined);
    await calendar.renew();
    strictEqual(calendar.problem?.key, "ERR_DNS");
    for (const [index, pause] of [10_000, 20_000, 40_000].entries()) {
      await pass(pause - 1);
      strictEqual(fetched, 2 + index);
      await pass(1);
      await calendar.renewal;
    }
    answers = () => HOLIDAY;
    const before = told;
    await pass(3_600_000);
    await calendar.renewal;
    deepStrictEqual([await calendar.read(), calendar.problem, told], [HOLIDAY, undefined, before + 1]);
  });

  it("without a copy, is waited for once, not at each attempt, until the next deploy", async () => {
    answers = away;
    const calendar = open();
    calendar.follow(() => {}, DAY_MS);
    await calendar.read();
    await calendar.renew();
    let answer: (text: string) => void = () => {};
    answers = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    const attempt = calendar.renew();
    strictEqual(await calendar.read(), undefined);
    await pass(5000);
    calendar.follow(() => {}, DAY_MS);
    const afterDeploy = calendar.read();
    answer(HOLIDAY);
    await attempt;
    strictEqual(await afterDeploy, HOLIDAY);
  });

  it("serves its last good copy after a restart, whatever the server says", async () => {
    const first = open();
    await first.renew();
    const brokenOff = () => HOLIDAY.replace("END:VCALENDAR", "BEGIN:VEVENT");
    for (const bad of [away, () => "<html></html>", () => "BEGIN:VCALENDAR", () => "", brokenOff]) {
      answers = bad;
      const restarted = open();
      strictEqual(await restarted.read(), HOLIDAY);
      await restarted.renew();
      strictEqual(await restarted.read(), HOLIDAY);
      strictEqual(restarted.problem === undefined, false);
    }
  });

  it("is unreadable without a copy", async () => {
    answers = () => "<html></html>";
    const calendar = open();
    await calendar.renew();
    await rejects(calendar.read(), { key: "input.hours.webPage" });
  });

  it("keeps its copy for its owner only, under a name that does not tell the address", async () => {
    await open().renew();
    const [name = "", ...others] = await readdir(folder);
    deepStrictEqual([name, others], [calendarCopyName(ADDRESS), []]);
    const path = join(folder, name);
    const { text, fetchedAt, ...more } = JSON.parse(await readFile(path, "utf8"));
    deepStrictEqual([text, Number.isNaN(Date.parse(fetchedAt)), more], [HOLIDAY, false, {}]);
    if (process.platform !== "win32") strictEqual((await stat(path)).mode & 0o777, 0o600);
    await writeFile(path, '{"text":');
    strictEqual(await readCopy(folder, ADDRESS), undefined);
  });

  it("is fetched for a deploy that begins while the nodes of the one before go", async () => {
    let release = () => {};
    answers = () =>
      new Promise((resolve) => {
        release = () => resolve(HOLIDAY);
      });
    const calendar = open();
    const unfollow = calendar.follow(() => {}, DAY_MS);
    const reading = calendar.read();
    await until(() => fetched > 0);
    unfollow();
    calendar.follow(() => {}, DAY_MS);
    answers = () => HOLIDAY;
    release();
    strictEqual(await reading, HOLIDAY);
  });
});
