// npm test                   every test that needs only Node and npm
// npm run test:browser       the suite in test/browser
// npm test -- --grep hours   what follows the dashes goes to mocha
import { spawn } from "node:child_process";
import { build } from "./built.mjs";
import { needInstalled, needNode, root } from "./preconditions.mjs";

/** Suites with a command of their own, since they need more than Node and npm. */
const APART = ["browser", "redis", "matrix"];

/** Tests that start processes and mostly wait for them: they run beside the others. */
const PROCESSES = "dist/test/process*.test.js";

/** What meets undici runs on both majors that users may have. */
const CLIENT = "dist/test/{tenant,faults}*.test.js";

/** Longest run of one suite. Mocha waits for whatever a test leaves open, so that it shows. */
const LIMIT_MINUTES = 15;

needNode("22.9.0", "The test suite, which starts Node-RED 5,");
needInstalled("typescript", "mocha", "node-red", "undici-8");
build("--tests");

const [first = "", ...rest] = process.argv.slice(2);
if (APART.includes(first)) await mocha("undici", [`dist/test/${first}/**/*.test.js`, ...rest]).print();
else {
  const options = process.argv.slice(2);
  const ignored = [`dist/test/{${APART.join(",")}}/**`, PROCESSES].flatMap((files) => ["--ignore", files]);
  const processes = mocha("undici", [PROCESSES, ...options]);
  const client = processes.ended.then(() => mocha("undici-8", [CLIENT, ...options]));
  await mocha("undici", ["dist/test/**/*.test.js", ...ignored, ...options]).print();
  await processes.print();
  await (await client).print();
}

/** Starts a run; what it prints is held back until somebody wants it, so that two runs do not talk at once. */
function mocha(undici, options) {
  const args = ["node_modules/mocha/bin/mocha.js", "--require", "./scripts/undici.cjs", ...options];
  const env = { ...process.env, UNDICI: undici };
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
  const held = [];
  let write = (chunk) => held.push(chunk);
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => write(chunk));
  const limit = setTimeout(() => {
    write(`The tests did not end within ${LIMIT_MINUTES} minutes: one of them leaves something open.\n`);
    child.kill();
  }, LIMIT_MINUTES * 60_000);
  const ended = new Promise((resolve) => {
    child.on("close", (status) => {
      clearTimeout(limit);
      if (status !== 0) process.exitCode = 1;
      resolve();
    });
  });
  const print = () => {
    write = (chunk) => process.stdout.write(chunk);
    for (const chunk of held.splice(0)) write(chunk);
    return ended;
  };
  return { ended, print };
}
