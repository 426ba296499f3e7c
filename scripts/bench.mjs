// npm run bench               measures, prints, and writes bench/results.md; about nine minutes on a machine left alone
// npm run bench -- --quick    less of everything, and nothing is written
import { spawnSync } from "node:child_process";
import { build } from "./built.mjs";
import { needInstalled, needNode, root } from "./preconditions.mjs";

needNode("22.9.0", "The benchmark, which starts Node-RED 5,");
needInstalled("typescript", "node-red", "undici-8");
build("--tests");

const bench = ["dist/bench/main.js", ...process.argv.slice(2)];
const { status } = spawnSync(process.execPath, bench, { cwd: root, stdio: "inherit" });
process.exitCode = status ?? 1;
