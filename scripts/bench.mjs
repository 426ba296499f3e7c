// npm run bench                  prints the figures and writes bench/results.md; about five minutes on an idle machine
// npm run bench -- --quick       fewer and shorter rounds; writes nothing
// npm run bench -- --only gate   one case of bench/cases; writes nothing
import { spawnSync } from "node:child_process";
import { build } from "./built.mjs";
import { needInstalled, needNode, root } from "./preconditions.mjs";

needNode("22.9.0", "The benchmark, which starts Node-RED 5,");
needInstalled("typescript", "node-red", "undici-8");
build("--tests");

const bench = ["dist/bench/main.js", ...process.argv.slice(2)];
process.exitCode = spawnSync(process.execPath, bench, { cwd: root, stdio: "inherit" }).status ?? 1;
