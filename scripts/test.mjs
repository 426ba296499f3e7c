// npm test                   every test that needs only Node and npm
// npm run test:browser       the suite in test/browser
// npm test -- --grep hours   what follows the dashes goes to mocha
import { spawnSync } from "node:child_process";
import { build } from "./built.mjs";
import { needInstalled, needNode, refuse, root } from "./preconditions.mjs";

/** Suites with a command of their own, since they need more than Node and npm. */
const APART = ["browser", "redis", "matrix"];

/** What meets undici runs on both majors that users may have. */
const CLIENT = "dist/test/{tenant,faults}*.test.js";

/** Longest run of one suite. Mocha waits for whatever a test leaves open, so that it shows. */
const LIMIT_MINUTES = 15;

needNode("22.9.0", "The test suite, which starts Node-RED 5,");
needInstalled("typescript", "mocha", "node-red", "undici-8");
build("--tests");

const [first = "", ...rest] = process.argv.slice(2);
if (APART.includes(first)) run("undici", [`dist/test/${first}/**/*.test.js`, ...rest]);
else {
  const options = process.argv.slice(2);
  const apart = `dist/test/{${APART.join(",")}}/**`;
  run("undici", ["dist/test/**/*.test.js", "--ignore", apart, ...options]);
  run("undici-8", [CLIENT, ...options]);
}

function run(undici, options) {
  const mocha = ["node_modules/mocha/bin/mocha.js", "--require", "./scripts/undici.cjs", ...options];
  const env = { ...process.env, UNDICI: undici };
  const { status, error } = spawnSync(process.execPath, mocha, {
    cwd: root,
    env,
    stdio: "inherit",
    timeout: LIMIT_MINUTES * 60_000,
  });
  if (error) refuse(`The tests did not end within ${LIMIT_MINUTES} minutes: one of them leaves something open.`);
  if (status !== 0) process.exitCode = 1;
}
