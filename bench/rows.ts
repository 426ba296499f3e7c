import { spawnSync } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { copyFileSync, globSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { FileStore } from "../src/backlog/file/file-store";
import type { TenantClient } from "../src/client";
import { tenantOf } from "../src/runtime/tenants/tenants";
import { atRest } from "../test/soak/support/at-rest";
import { type Embedded, linkedFolder } from "../test/soak/support/embedded";
import { Stage } from "../test/support/backlog/stage";
import { temporaryFolder } from "../test/support/process/user-folder";
import { root } from "../test/support/root";
import { byUndici, callOut, deploy, type Operation, out, stop, through } from "./operations";

/** A target is such as "≤ 1 ms". The limit says what a row that misses it is bound by. */
export type Row = readonly [what: string, target: string, found: number, limit?: string];

/** Of undici's processor time, Node-RED's delivery of a message from one node to the next costs 0.09. */
const ONE_MESSAGE = "each message is read, checked, tracked, timed and shown by itself, and Node-RED delivers it";
const ONE_WAY = "one way for all engines: a call passes the stages of the backlog, and its request waits as JSON text";
const IN_ORDER = "a call is sent once its beginning is on the disk, in lines of JSON with checksums";

const TWICE = "each row is read and judged twice, written down with its end, and sent as a message";

const IN_FLIGHT = 32;
const LISTED = 10_000;
const says = {
  ...{ fromNumber: "0000000000", fromNumberType: "str" },
  ...{ actions: [{ action: "talk", text: "Hello", textType: "str" }], actionsType: "list" },
};
const FOR_MS = 300;
const ROUNDS = 7;
const ONE_BY_ONE = 301;

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

/** Operations a millisecond, and processor time of one in microseconds, all threads of this process. */
type Sample = Readonly<Record<"rate" | "processor", number>>;

async function sample(operation: Operation): Promise<Sample> {
  const [before, startedAt] = [process.cpuUsage(), performance.now()];
  let count = 0;
  const lane = async () => {
    for (; performance.now() - startedAt < FOR_MS; count += 1) await operation();
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane));
  const { user, system } = process.cpuUsage(before);
  return { rate: count / (performance.now() - startedAt), processor: (user + system) / count };
}

/** The medians of the ratios of rounds in which both are measured in turn. The first round is a warm-up. */
async function compare(ours: Operation, bare: Operation): Promise<Sample> {
  const rounds: (readonly [Sample, Sample])[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) rounds.push([await sample(ours), await sample(bare)] as const);
  const ratio = (figure: keyof Sample) => median(rounds.slice(1).map(([a, b]) => a[figure] / b[figure]));
  return { rate: ratio("rate"), processor: ratio("processor") };
}

export async function requests(nodeRed: Embedded, url: string): Promise<Row[]> {
  const callStop = { id: "stop", type: "call-stop", tenant: "of memory" };
  const list = { id: "list", type: "call-list", tenant: "of file", listType: "msg", list: "payload", ...says };
  await deploy(nodeRed, [
    callStop,
    ...callOut(url, "memory"),
    ...callOut(url, "file"),
    { ...list, wires: [[], ["out"]] },
  ]);
  const calling = { memory: through("memory", out.payload), file: through("file", out.payload) };
  const stopping = through("stop", stop.payload);
  const alone = await compare(stopping, byUndici(url, stop));
  const called = await compare(calling.memory, byUndici(url, out));
  const listed = await listRate(calling.file);
  const toStop = async (operation: Operation) => (await compare(operation, stopping)).rate;
  return [
    ["call-stop ÷ undici alone", "≥ 0.9", alone.rate, ONE_MESSAGE],
    ["call-stop ÷ undici alone, processor time", "≤ 1.15", alone.processor, ONE_MESSAGE],
    ["call-out in memory ÷ undici alone, processor time", "≤ 1.9", called.processor, ONE_WAY],
    ["call-out in memory ÷ call-stop", "≥ 0.75", await toStop(calling.memory), ONE_WAY],
    ["call-out with file: message to first byte", "≤ 1 ms", await firstByte(calling.file)],
    ["call-out with file ÷ call-stop", "≥ 0.5", await toStop(calling.file), IN_ORDER],
    ["call-list, 10,000 rows in a file ÷ call-out in a file", "≥ 0.6", listed, TWICE],
  ];
}

/** The rate of the rows of lists, as a part of the rate of call-outs one by one. */
async function listRate(one: Operation): Promise<number> {
  const rates: number[] = [];
  for (let round = 0; round <= 3; round += 1) {
    const { rate } = await sample(one);
    const rows = Array.from({ length: LISTED }, (_, n) => `090${round}${String(n).padStart(6, "0")}`);
    const startedAt = performance.now();
    await through("list", () => rows)();
    rates.push(LISTED / (performance.now() - startedAt) / rate);
  }
  // The first round is a warm-up.
  return median(rates.slice(1));
}

/** The median milliseconds from an operation's start to the first byte of its request, one operation after the other. */
async function firstByte(operation: Operation): Promise<number> {
  const took: number[] = [];
  let startedAt = 0;
  const sent = () => took.push(performance.now() - startedAt);
  subscribe("undici:client:sendHeaders", sent);
  for (let n = 0; n < ONE_BY_ONE; n += 1) {
    startedAt = performance.now();
    await operation();
  }
  unsubscribe("undici:client:sendHeaders", sent);
  return median(took);
}

const schedule = ["mon", "tue", "wed", "thu", "fri"].map((day) => ({ day, open: "08:00", close: "17:30" }));
const hours = { startTime: "08:00", startTimeType: "entered", endTime: "17:30", endTimeType: "entered" };
const rules = [{ t: "btwn", v: "8", vt: "num", v2: "17", v2t: "num" }, { t: "else" }];

/** The gate, and core's and another package's nodes that choose between two outputs. */
export async function gates(nodeRed: Embedded): Promise<Row[]> {
  await deploy(nodeRed, [
    { id: "gate", type: "business-hour-gate", source: "value", schedule, scheduleType: "list" },
    { id: "switch", type: "switch", property: "payload", propertyType: "msg", rules, checkall: "false", outputs: 2 },
    { id: "position", type: "position-config", isValide: "true", latitude: "21", longitude: "105", angleType: "deg" },
    { id: "time switch", type: "within-time-switch", positionConfig: "position", ...hours, timeDays: "1,2,3,4,5" },
  ]);
  const noon = () => 12;
  const to = async (id: string) => (await compare(through("gate", noon), through(id, noon))).rate;
  return [
    ["gate ÷ core switch", "≥ 0.8", await to("switch")],
    ["gate ÷ time switch of node-red-contrib-sun-position", "≥ 2", await to("time switch")],
  ];
}

/** Calls that wait while their tenant is paused. */
export async function waiting(nodeRed: Embedded, url: string): Promise<Row[]> {
  const calls = 100_000;
  await deploy(nodeRed, [...callOut(url, "memory"), ...callOut(url, "file")]);
  const rows: Row[] = [];
  for (const engine of ["memory", "file"]) {
    const client = tenantOf(`of ${engine}`).client as TenantClient;
    await client.opened;
    client.hold(true);
    const before = await atRest([]);
    for (let count = 1; count <= calls; count += 1) {
      nodeRed.send(engine, { payload: out.payload() });
      while (count % 100 === 0 && client.lanes.waiting.callOut < count) await sleep(1);
    }
    const heap = (await atRest([])).heap - before.heap;
    rows.push([`heap of a call that waits, ${engine}`, "≤ 2 KB", heap / calls / 1024]);
  }
  const copy = join(temporaryFolder(), "copy.journal");
  const [journal = ""] = globSync(join(nodeRed.userDir, "telephony", "*.journal"));
  copyFileSync(journal, copy);
  const startedAt = performance.now();
  const { backlog } = new Stage((await FileStore.open(copy)).store);
  const restored = (performance.now() - startedAt) / 1000;
  if (backlog.counts.waiting !== calls) throw new Error(`${backlog.counts.waiting} calls were restored`);
  return [...rows, [`restoring ${calls} calls`, "≤ 3 s", restored]];
}

/** Starts Node-RED without flows, with the package and without. It ends when it has started. */
export async function starts(): Promise<Row[]> {
  const settings = `module.exports = { uiHost: "127.0.0.1", flowFile: "flows.json", credentialSecret: "of the benchmark", uiPort: 0,
    logging: { end: { level: "info", handler: () => ({ msg }) => msg === "Started flows" && process.exit() } } };`;
  const folders = [linkedFolder(), temporaryFolder()];
  for (const folder of folders) writeFileSync(join(folder, "settings.js"), settings);
  const command = join(root, "node_modules/node-red/red.js");
  const longer: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const [withIt = 0, without = 0] = folders.map((folder) => {
      const startedAt = performance.now();
      spawnSync(process.execPath, [command, "--userDir", folder], { env: { ...process.env, LANG: "C" } });
      return performance.now() - startedAt;
    });
    longer.push(withIt - without);
  }
  // The first round warms the file cache.
  return [["a start of Node-RED with the package, longer than without by", "≤ 50 ms", median(longer.slice(1))]];
}
