// Runs the simulated tenant alone: npm run sandbox -- --port 4010 --token secret
import { createRequire } from "node:module";
import { buildWhenNeeded } from "./built.mjs";
import { needInstalled, needNode } from "./preconditions.mjs";

needNode("20.18.1", "The sandbox");
needInstalled("typescript");
buildWhenNeeded();
createRequire(import.meta.url)("../dist/src/sandbox/cli.js");
