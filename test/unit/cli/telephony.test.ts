import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { telephony, telephonyCommand } from "../../support/process/telephony";

describe("telephony, the command", () => {
  it("lists its commands, each with a help of its own", async () => {
    const { code, out } = await telephony("--help");
    assert.equal(code, 0);
    const names = [...out.matchAll(/^ {2}(\w+) {2}/gm)].map(([, name = ""]) => name);
    assert.ok(names.includes("sandbox"));
    for (const name of names) {
      const help = await telephony(name, "--help");
      assert.equal(help.code, 0, help.err);
      assert.ok(help.out.startsWith(`Usage: telephony ${name} `), help.out);
    }
  });

  const mistakes = [
    [[], /^telephony: Name a command: sandbox\b/],
    [["sandbx"], /^telephony: Unknown command 'sandbx'\. /],
    [["constructor"], /^telephony: Unknown command 'constructor'\. /],
    [["--verbose"], /^telephony: Unknown option '--verbose'\. /],
    [["sandbox", "--prot"], /^telephony sandbox: Unknown option '--prot'\. See telephony sandbox --help\.\n$/],
    [
      ["rehearse", "examples/1 Hello.json", "--user-dir", "gone"],
      /^telephony rehearse: The option --user-dir must be a folder\b/,
    ],
    [["lint", "gone\u001b[2J"], /^telephony lint: \P{Cc}*gone \[2J\P{Cc}*\n$/u],
    [
      ["rehearse", "flows.json", "--days", "0"],
      /^telephony rehearse: The option --days must be a whole number from 1 to 3660, not "0"\.\n$/,
    ],
    [
      ["rehearse", "flows.json", "--report", "r.json", "--report", "x.csv"],
      /^telephony rehearse: The report must be a file that ends in \.html or \.json, not "x\.csv"\.\n$/,
    ],
  ] as const;
  for (const [args, sentence] of mistakes) {
    it(`reports in a sentence what is wrong with ${JSON.stringify(args)}`, async () => {
      const { code, out, err } = await telephony(...args);
      assert.deepEqual([code, out], [2, ""]);
      assert.match(err, sentence);
    });
  }

  it("can be run by name once it is installed", () => {
    assert.equal(readFileSync(telephonyCommand, "utf8").split("\n", 1)[0], "#!/usr/bin/env node");
  });
});
