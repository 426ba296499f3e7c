import { createServer } from "node:http";
import { Session } from "node:inspector/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Clock, install } from "@sinonjs/fake-timers";
import { REQUESTS } from "../interface/requests";
import { Embedded } from "../soak/support/embedded";
import { LiveTenant } from "./live-tenant";
import { listen } from "./loopback";
import { tell } from "./memory/alone";
import { at, type FlowNode } from "./process/node-red";
import { root } from "./root";

/** The number of calls of each function of ours on a path, by file and name. */
export type Calls = Readonly<Record<string, number>>;

/** The last one is measured. */
const MESSAGES = 20;
/** Virtual time between two messages: statuses, which are spread, are shown, and an idle connection may be used again. */
const [STEPS, STEP_MS] = [12, 50] as const;
/** Virtual seconds between two paths: a journal that is idle is written anew. */
const PAUSE_S = 120;
/** Rounds of the event loop without work: one thing leads to the next. */
const IDLE_ROUNDS = 5;
const WORK = /^(FSReq|GetAddrInfo|TCPConnect|Write|Shutdown|Immediate)/;

const { setImmediate: nextRound } = globalThis;
const DIST = pathToFileURL(join(root, "dist/")).href;

async function idle(): Promise<void> {
  for (let rounds = 0; rounds < IDLE_ROUNDS; rounds += 1) {
    await new Promise((resolve) => nextRound(resolve));
    if (process.getActiveResourcesInfo().some((type) => WORK.test(type))) rounds = 0;
  }
}

/** Stops time while work is under way, and lets it pass after it: no timer comes sooner on a busy machine. */
async function finish(clock: Clock, work: Promise<unknown>): Promise<void> {
  let isDone = false;
  void work.then(() => {
    isDone = true;
  });
  for (; !isDone; clock.tick(0)) await idle();
  for (let step = 0; step < STEPS; step += 1) {
    clock.tick(STEP_MS);
    await idle();
  }
}

const payloadOf = (type: string) => REQUESTS.find(({ node }) => node["type"] === type)?.payload;
const SECRET = "a secret of the webhook";

function flow(url: string): FlowNode[] {
  const credentials = { token: "token-of-own-calls" };
  const schedule = ["mon", "tue", "wed", "thu", "fri"].map((day) => ({ day, open: "08:00", close: "17:30" }));
  const hours = { source: "value", schedule, scheduleType: "list" };
  return [
    { id: "tab", type: "tab" },
    ...["memory", "file"].map((engine) => ({ id: `of ${engine}`, type: "telephony-tenant", url, engine, credentials })),
    at("call-stop", "call-stop", { tenant: "of memory" }, ["out"]),
    at("memory", "call-out", { tenant: "of memory" }, ["out"]),
    at("file", "call-out", { tenant: "of file" }, ["out"]),
    at("gate", "business-hour-gate", hours, ["out"], ["out"]),
    at("hook", "telephony-webhook", { path: "calls", credentials: { secret: SECRET } }, ["called"]),
    at("called", "call-out", { tenant: "of memory" }, []),
    at("out", "junction", {}, []),
  ];
}

/** The calls of the last of several messages on each path, until nothing that it began is scheduled. */
async function measure(): Promise<Record<string, Calls>> {
  const [tenant, nodeRed] = [await LiveTenant.start(), await Embedded.start()];
  const port = await listen(createServer(nodeRed.listener));
  const clock = install({
    now: Date.parse("2026-11-23T09:00:00+07:00"),
    toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date", "performance", "hrtime"],
  });
  await finish(clock, nodeRed.deploy(flow(tenant.url)));
  let arrived = () => {};
  require("@node-red/runtime/lib/nodes/index.js").getNode("out").receive = () => arrived();
  const through = (id: string, payload: unknown) => () =>
    new Promise<void>((resolve) => {
      arrived = resolve;
      nodeRed.send(id, { _msgid: "message", payload });
    });
  const call = payloadOf("call-out");
  const headers = { "content-type": "application/json", "x-call-secret": SECRET };
  const paths = {
    "call-stop": through("call-stop", payloadOf("call-stop")),
    "call-out in memory": through("memory", call),
    "call-out in a file": through("file", call),
    "business-hour-gate": through("gate", undefined),
    "webhook, call-out, answer": async () => {
      const init = { method: "POST", headers, body: JSON.stringify(call) };
      const answer = await fetch(`http://127.0.0.1:${port}/calls`, init);
      const text = await answer.text();
      if (answer.status !== 200) throw new Error(text);
    },
  };
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  const found: Record<string, Calls> = {};
  for (const [path, message] of Object.entries(paths)) {
    for (let second = 0; second < PAUSE_S; second += 1) {
      clock.tick(1000);
      await idle();
    }
    for (let count = 1; count < MESSAGES; count += 1) await finish(clock, message());
    await session.post("Profiler.takePreciseCoverage");
    await finish(clock, message());
    const { result } = await session.post("Profiler.takePreciseCoverage");
    const calls: Record<string, number> = {};
    for (const { url, functions } of result) {
      const [, file] = url.startsWith(DIST) ? (/^((?:nodes|src)\/.+)\.js$/.exec(url.slice(DIST.length)) ?? []) : [];
      for (const { functionName, ranges } of file ? functions : []) {
        const [name, count] = [`${file} ${functionName || "(anonymous)"}`, ranges[0]?.count ?? 0];
        if (count > 0) calls[name] = (calls[name] ?? 0) + count;
      }
    }
    found[path] = calls;
  }
  return found;
}

process.once("disconnect", () => process.exit());
if (process.send) tell(measure);
