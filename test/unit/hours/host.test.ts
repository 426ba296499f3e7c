import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { formatInstant, hostZone, loadZone } from "../../../src/hours";

const run = promisify(execFile);
const mocha = join(dirname(require.resolve("mocha/package.json")), "bin", "mocha.js");

/** The tests of src/hours except this one, which would start itself again. */
const files = readdirSync(__dirname)
  .filter((name) => name.endsWith(".test.js"))
  .map((name) => join(__dirname, name))
  .filter((file) => file !== __filename);

/** The same instant, formatted in the zone of each host. */
const HOSTS = {
  UTC: "2026-04-04T15:00:00+00:00",
  "Asia/Kolkata": "2026-04-04T20:30:00+05:30",
  "America/New_York": "2026-04-04T11:00:00-04:00",
  "Australia/Lord_Howe": "2026-04-05T01:30:00+10:30",
};

describe("hours: on a host in another time zone", () => {
  for (const [TZ, written] of Object.entries(HOSTS)) {
    it(`${TZ}: all tests of src/hours pass`, async () => {
      const env = { ...process.env, TZ, HOURS_RUNS: "500" };
      const { stdout } = await run(
        process.execPath,
        [mocha, "--no-config", "--timeout", "60000", "--reporter", "dot", ...files],
        { env },
      );
      assert.match(stdout, /\d{3} passing/);
    });

    it(`${TZ}: is the default zone`, async () => {
      const before = process.env["TZ"];
      process.env["TZ"] = TZ;
      try {
        assert.equal(formatInstant(Date.UTC(2026, 3, 4, 15), await loadZone(hostZone())), written);
      } finally {
        if (before === undefined) delete process.env["TZ"];
        else process.env["TZ"] = before;
      }
    });
  }
});
