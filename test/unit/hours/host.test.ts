import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { formatInstant, hostZone, isSameZone, loadZone, readHostZone } from "../../../src/hours";
import { casesOf } from "../../support/until";

const run = promisify(execFile);
const mocha = join(dirname(require.resolve("mocha/package.json")), "bin", "mocha.js");

/** The tests of src/hours except this one, which would start itself again, and those that only take long. */
const files = readdirSync(__dirname, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".test.js") && !/\b(host|hostile)\./.test(name))
  .map((name) => join(__dirname, name));

/** The same instant, formatted in the zone of each host. */
const DEFAULTS = {
  UTC: "2026-04-04T15:00:00+00:00",
  "Asia/Kolkata": "2026-04-04T20:30:00+05:30",
  "America/New_York": "2026-04-04T11:00:00-04:00",
  "Australia/Lord_Howe": "2026-04-05T01:30:00+10:30",
};

describe("hours: on a host in another time zone", () => {
  it("all tests of src/hours pass", async () => {
    // East of UTC by half an hour that changes by half an hour.
    const env = { ...process.env, TZ: "Australia/Lord_Howe", HOURS_RUNS: String(casesOf(200)) };
    // What Intl lists is the same everywhere.
    const options = ["--no-config", "--timeout", "180000", "--reporter", "dot", "--invert", "--grep", "Intl lists"];
    const { stdout } = await run(process.execPath, [mocha, ...options, ...files], { env });
    assert.match(stdout, /\d{3} passing/);
  });

  const { TZ: before } = process.env;
  afterEach(() => {
    if (before === undefined) delete process.env["TZ"];
    else process.env["TZ"] = before;
  });

  for (const [TZ, written] of Object.entries(DEFAULTS)) {
    it(`${TZ}: is the default zone`, async () => {
      process.env["TZ"] = TZ;
      assert.equal(formatInstant(Date.UTC(2026, 3, 4, 15), await loadZone(hostZone())), written);
    });
  }

  const ALIASES = ["Asia/Saigon Asia/Ho_Chi_Minh", "Asia/Kathmandu Asia/Kathmandu", "Europe/Kyiv Europe/Kiev"];
  const NAMED = ["GMT UTC", "/usr/share/zoneinfo/Europe/Berlin Europe/Berlin", " UTC", ...ALIASES];
  const HOURS = ["JST-9 Etc/GMT-9", "ICT-7 Etc/GMT-7", "MST7 Etc/GMT+7", "GMT+7 Etc/GMT+7", "UTC-14 Etc/GMT-14"];
  const UNKNOWN = ["IST-5:30 UTC", "CET-1CEST UTC", "Mars/Olympus UTC", "'Asia/Tokyo' UTC", "IST UTC"];
  for (const row of [...NAMED, ...HOURS, ...UNKNOWN])
    it(`TZ and its zone: ${row}`, async () => {
      const [TZ = "", name = ""] = row.split(" ");
      process.env["TZ"] = TZ;
      assert.ok(isSameZone(hostZone(), name), hostZone());
      assert.equal(readHostZone().unnamed, NAMED.includes(row) ? undefined : TZ);
      const { offset } = (await loadZone(name)).offsetPeriodAt(Date.now());
      assert.equal(offset, 0 - new Date().getTimezoneOffset() * 60_000);
    });
});
