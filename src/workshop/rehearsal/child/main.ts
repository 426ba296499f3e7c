import { readFileSync } from "node:fs";
import type { Plan } from "../prepare";
import { seedChance } from "./chance";
import { installClock } from "./clock";
import { confine } from "./confine";
import { leave, report, tallyWithin } from "./output";

/** Node-RED starts this long before the rehearsal begins, so that timers of its own have the same phase in each run. */
const LEAD_MS = 60_000;
/** Addresses that are named. */
const MOST_KEPT_IN = 20;

const plan = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as Plan;
// Before any other code is loaded: it must not see the real time, nor find a way out.
const clock = installClock(plan.from - LEAD_MS);
tallyWithin(plan.until - plan.from);
const keptIn: string[] = [];
const sockets = confine((given) => {
  const what = given.slice(0, 200);
  if (keptIn.length === MOST_KEPT_IN || keptIn.includes(what)) return;
  keptIn.push(what);
  report({ kind: "kept in", what });
});
// Only now: Node.js, or the loader of the system, would do what some variables say.
Object.assign(process.env, plan.env);
seedChance(plan.seed);

const broken = (error: unknown) => {
  report({ kind: "broken", at: Date.now(), message: String(error).slice(0, 2000) });
  leave(1);
};
process.on("uncaughtException", broken);
process.on("unhandledRejection", broken);
process.on("exit", leave);

const { run } = require("./run") as typeof import("./run");
void run(plan, clock, sockets).then(() => {
  report({ kind: "end" });
  leave(0);
}, broken);
