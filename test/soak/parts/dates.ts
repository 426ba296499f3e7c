import { copyFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { FileStore } from "../../../src/backlog/file/file-store";
import { listWaiting, type TenantClient } from "../../../src/client";
import { tenantOf } from "../../../src/runtime/tenants/tenants";
import { Stage } from "../../support/backlog/stage";
import { LiveTenant } from "../../support/live-tenant";
import { temporaryFolder } from "../../support/process/user-folder";
import { atMost, part, share } from "../part";
import { atRest } from "../support/at-rest";
import { Embedded } from "../support/embedded";
import { soakFlow } from "../support/soak-flow";

const DAY = 86_400_000;
const BATCH = 50;
const CANCELLED = 1000;
const STARTED = 200;

const CALL: Record<string, unknown> = {
  id: "call",
  type: "call-out",
  toNumber: "0000000000",
  toNumberType: "str",
  fromNumber: "0000000001",
  fromNumberType: "str",
  answerUrl: "https://example.com/answer",
  answerUrlType: "str",
  notBefore: "at",
  notBeforeType: "msg",
  onceKey: "key",
  onceKeyType: "msg",
};

/** Accepts calls with a date, a batch after the other. */
async function accept(nodeRed: Embedded, client: TenantClient, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const at = Date.now() + DAY + ((n * 7919) % DAY);
    nodeRed.send("call", { _msgid: `m${n}`, payload: { name: `Customer ${n}` }, key: `key ${n}`, at });
    if (n % BATCH === BATCH - 1) while (client.lanes.dated <= n - BATCH) await sleep(1);
  }
  while (client.lanes.dated < count) await sleep(10);
}

/** The longest time for which the process did nothing else, milliseconds. */
async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  await sleep(50);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await work();
  await sleep(5);
  delay.disable();
  return delay.max / 1e6;
}

/** The 99th percentile of what takes so many milliseconds. */
async function p99(times: number, work: (n: number) => Promise<unknown>): Promise<number> {
  const took: number[] = [];
  for (let n = 0; n < times; n += 1) {
    const began = performance.now();
    await work(n);
    took.push(performance.now() - began);
  }
  return took.sort((a, b) => a - b)[Math.floor(times * 0.99)] ?? 0;
}

/** Measures the milliseconds from the date of a call to its request, the longest of many on an idle lane. */
async function lateness(nodeRed: Embedded, tenant: LiveTenant, times: number): Promise<number> {
  let longest = 0;
  for (let n = 0; n < times; n += 1) {
    const [at, before] = [Date.now() + 20 + (n % 50), tenant.received.length];
    nodeRed.send("call", { _msgid: `s${n}`, payload: {}, key: `start ${n}`, at });
    while (tenant.received.length === before) await sleep(1);
    longest = Math.max(longest, Date.now() - at);
  }
  return longest;
}

part(async () => {
  const count = share(100_000);
  const tenant = await LiveTenant.start();
  const nodeRed = await Embedded.start();
  const flow = soakFlow(tenant.url, [CALL as never]);
  await nodeRed.deploy(flow.map((node) => (node.id === "tenant" ? { ...node, backlog: "200000" } : node)));
  const client = tenantOf("tenant").client as TenantClient;
  await client.opened;
  const late = await lateness(nodeRed, tenant, STARTED);
  const before = await atRest([]);
  const accepting = await longestBlock(() => accept(nodeRed, client, count));
  const after = await atRest([]);
  const each = (after.heap - before.heap) / count;
  const listing = await longestBlock(() =>
    p99(20, (n) => listWaiting(client, { limit: 100, offset: (n * count) / 20 })),
  );
  let cancelling = 0;
  const block = await longestBlock(async () => {
    cancelling = await p99(CANCELLED, (n) => client.end({ key: `key ${n * 7}` }));
  });
  const folder = join(nodeRed.userDir, "telephony");
  const journal = readdirSync(folder).find((name) => name.endsWith(".journal")) ?? "";
  const copy = join(temporaryFolder(), journal);
  copyFileSync(join(folder, journal), copy);
  const began = performance.now();
  const stage = new Stage((await FileStore.open(copy)).store);
  const restart = performance.now() - began;
  const { dated } = stage.backlog.counts;
  const restarted = atMost(`restart with ${count} dated calls`, 3, "s", restart / 1000, 2);
  return [
    atMost(`start after its date, the latest of ${STARTED}`, 250, "ms", late),
    atMost(`heap of ${count} dated calls, each`, 1.7, "KB", each / 1000, 2),
    { ...restarted, holds: restarted.holds && dated === count - CANCELLED },
    atMost(`cancel, p99 of ${CANCELLED}`, 5, "ms", cancelling, 2),
    atMost("longest block while accepting", 50, "ms", accepting),
    atMost("longest block while listing 100", 50, "ms", listing),
    atMost("longest block while cancelling", 50, "ms", block),
  ];
});
