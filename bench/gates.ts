import { calendar, loadZone, readExceptions, readSchedule } from "../src/hours";
import { coreSwitch, gate, loop, pass, row, tab, tenant } from "./flows";
import type { Effort } from "./main";
import { NodeRed } from "./node-red";
import { interleaved, type Rounds } from "./rounds";
import type { Tenant } from "./tenant-process";
import { userFolder } from "./user-folder";

export interface Gates {
  readonly rounds: Rounds<"gate" | "tenantGate" | "switch" | "pass">;
  readonly many: {
    readonly gates: number;
    readonly deployMs: number;
    /** Requests that the tenant got for all of them. */
    readonly requests: number;
    readonly heapEach: number;
    /** Messages judged in a second, each by one gate. */
    readonly perSecond: number;
  };
  /** Nanoseconds for one judgement. */
  readonly arithmetic: {
    readonly near: number;
    readonly far: number;
    readonly reading: number;
    readonly always: number;
  };
}

const MANY = 1000;
const NAMED = { source: "tenant", tenant: "tenant", scheduleName: "Schedule 1", scheduleNameType: "str" };

export async function measureGates(server: Tenant, effort: Effort): Promise<Gates> {
  const { nodeRed } = await NodeRed.start(userFolder("gates", "shipped"));
  const tenantGate = gate({ id: "tenant gate", ...NAMED });
  await nodeRed.deploy(
    tab(tenant(server.origin), loop(gate(), 2), loop(tenantGate, 2), loop(coreSwitch, 2), loop(pass)),
  );
  const load = { underWay: 32, warmUpMs: 100, forMs: effort.sampleMs };
  const through = (node: string) => () => nodeRed.ask("flow", { loop: `loop ${node}`, payload: 12, ...load });
  const rounds = await interleaved(
    { gate: through("gate"), tenantGate: through("tenant gate"), switch: through("switch"), pass: through("pass") },
    effort.rounds,
  );
  const many = await measureMany(nodeRed, server, effort);
  await nodeRed.stop();
  return { rounds, many, arithmetic: await arithmetic() };
}

/** A thousand gates in a row, so that each message is judged by all of them. */
async function measureMany(nodeRed: NodeRed, server: Tenant, { sampleMs }: Effort): Promise<Gates["many"]> {
  await nodeRed.deploy(tab());
  const before = await nodeRed.memory();
  const asked = await server.requests();
  const gates = Array.from({ length: MANY }, (_, index) => gate({ id: `gate ${index}`, ...NAMED }));
  // Another address than before, so that nothing of what was read is still known.
  const origin = server.origin.replace("127.0.0.1", "localhost");
  const deployMs = await nodeRed.deploy(tab(tenant(origin), row(gates)));
  const after = await nodeRed.memory();
  const load = { underWay: 8, warmUpMs: 500, forMs: 2 * sampleMs };
  const { perSecond } = await nodeRed.ask("flow", { loop: "loop gate 0", payload: 12, ...load });
  return {
    gates: MANY,
    deployMs,
    requests: (await server.requests()) - asked,
    heapEach: (after.heap - before.heap) / MANY,
    perSecond: perSecond * MANY,
  };
}

/**
 * The schedule alone: instants as messages bring them, instants all over the year, a schedule read anew, and a search for
 * a closing through a year that has none.
 */
async function arithmetic(): Promise<Gates["arithmetic"]> {
  const days = ["mon", "tue", "wed", "thu", "fri"].map((day) => ({ day, open: "08:00", close: "17:30" }));
  const holidays = [
    { date: "2026-12-24", hours: [{ open: "08:00", close: "12:00" }] },
    { from: "12-25", to: "01-01" },
  ];
  const zone = await loadZone("Europe/Berlin");
  const exceptions = readExceptions(holidays);
  const judge = calendar(readSchedule({ days }), exceptions, zone);
  const everyDay = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
  const always = readSchedule({ days: everyDay.map((day) => ({ day, open: "00:00", close: "23:59" })) });
  const none = readExceptions([]);
  const start = Date.UTC(2026, 0, 1);
  return {
    near: nanoseconds(1_000_000, (index) => judge(start + index)),
    far: nanoseconds(20_000, (index) => judge(start + ((index * 7_919_317) % 31_536_000) * 1000)),
    reading: nanoseconds(20_000, () => calendar(readSchedule({ days }), exceptions, zone)),
    always: nanoseconds(200, (index) => calendar(always, none, zone)(start + index)),
  };
}

function nanoseconds(times: number, work: (index: number) => unknown): number {
  let seen = 0;
  const run = () => {
    for (let index = 0; index < times; index += 1) if (work(index)) seen += 1;
  };
  run();
  const begun = performance.now();
  run();
  const ms = performance.now() - begun;
  return seen > 0 ? (ms * 1e6) / times : Number.NaN;
}
