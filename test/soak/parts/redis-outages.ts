import { spawn } from "node:child_process";
import { once } from "node:events";
import { part, share } from "../part";

/** An outage lasts until Redis has failed so often: some 20 seconds. */
const FAILURES = 80;

/** The tests of a Redis that fails for a while, with long outages: each result is delivered once, and nothing stays open. */
part(async () => {
  const env = { ...process.env, FAILURES: String(share(FAILURES)) };
  const args = [
    "node_modules/mocha/bin/mocha.js",
    "--require",
    "./scripts/undici.cjs",
    "dist/test/redis/processes/outages.test.js",
  ];
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  const output: Buffer[] = [];
  child.stdout.on("data", (data: Buffer) => output.push(data));
  const [code] = await once(child, "close");
  const text = Buffer.concat(output).toString();
  if (code !== 0) console.log(text);
  const [passing = "none"] = /\d+ passing/.exec(text) ?? [];
  const [failing = "0 failing"] = /\d+ failing/.exec(text) ?? [];
  return [
    {
      figure: `outages of Redis of ${share(FAILURES)} failures`,
      wanted: "0 failing",
      found: `${passing}, ${failing}`,
      holds: code === 0,
    },
  ];
});
