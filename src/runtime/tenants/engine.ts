import { createHash } from "node:crypto";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import type { NodeAPI } from "node-red";
import { Backlog, MemoryStore } from "../../backlog";
import { reasonOf } from "../../fields/quote";
import { notSent, parseAddress, type Settings, TenantClient } from "../../tenant";
import { flows } from "../delivery/flow-lifecycle";
import { restoreHandler } from "../delivery/restore-handler";
import { telephonyFolder } from "../delivery/unfinished-file";
import { shared } from "../node-red/catalogue";
import { swallowErrors } from "../node-red/swallow-errors";
import { openEarlier, openShared } from "./shared-engine";

/** Whose call-outs an engine keeps. */
export interface Owner {
  readonly id: string;
  /** For people. */
  readonly name: string;
  readonly settings: Settings;
  /** The address of a Redis that may have been its engine until Node-RED was stopped. */
  readonly earlierRedis?: string | undefined;
}

/**
 * Opens the backlog that a tenant has chosen. Only live calls are worth a file: a simulated one that goes on after a restart
 * helps nobody. Rejects with ERR_CONFIG.
 */
export function openEngine(RED: NodeAPI, owner: Owner): Backlog | Promise<Backlog> {
  const { engine, mode } = owner.settings;
  const folder = telephonyFolder(RED);
  const usesFile = mode === "live" && (engine === "file" || engine === "");
  const file = folder === undefined ? undefined : journalOf(folder, owner);
  if (folder !== undefined)
    void flows.untilRunning().then(() => failOtherJournals(RED, owner, folder, usesFile ? file : undefined));
  if (owner.earlierRedis !== undefined) void flows.untilRunning().then(() => failEarlierRedis(RED, owner));
  if (mode !== "live" || engine === "memory") return new Backlog(new MemoryStore());
  if (engine === "redis") return openShared(RED, owner.id, owner.name, owner.settings);
  if (file === undefined && engine === "") return new Backlog(new MemoryStore());
  return openJournal(RED, owner, folder ?? "", file ?? "");
}

async function openJournal(RED: NodeAPI, { name: tenant, settings }: Owner, folder: string, file: string) {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const { backlog, incidents } = await openFile(RED, file);
    const { waiting, dated, heldBack } = backlog.counts;
    // The call of an incident may be among those that wait.
    const count = Math.max(waiting - dated - heldBack, heldBack > 0 ? 0 : incidents);
    if (count > 0) swallowErrors(() => RED.log.warn(shared(RED, "log.restored", { tenant, count })));
    return backlog;
  } catch (error) {
    const { LockedError } = require("../../backlog/file/lock") as typeof import("../../backlog/file/lock");
    const isInUse = error instanceof LockedError;
    const params = { file, reason: reasonOf(error) };
    if (settings.engine === "file")
      throw notSent("ERR_CONFIG", "config", {
        key: isInUse ? "config.engineInUse" : "config.engineFile",
        field: "engine",
        params,
      });
    const warning = isInUse ? "log.engineInUse" : "log.engineMemory";
    swallowErrors(() => RED.log.warn(shared(RED, warning, { tenant, ...params })));
    return new Backlog(new MemoryStore());
  }
}

async function openFile(RED: NodeAPI, file: string): Promise<{ backlog: Backlog; incidents: number }> {
  const { FileStore } = require("../../backlog/file/file-store") as typeof import("../../backlog/file/file-store");
  const { store, restored, damaged } = await FileStore.open(file);
  if (damaged > 0) swallowErrors(() => RED.log.warn(shared(RED, "log.damagedLines", { file, count: damaged })));
  // Results of an earlier process go to nodes, whose wires are there only then.
  const { waiting, begun, settled, records } = restored;
  if (waiting.length + begun.length + settled.length + records.size > 0) await flows.untilRunning();
  return { backlog: new Backlog(store), incidents: records.size };
}

/** A tenant's journal for its mode and address. */
export function journalOf(folder: string, { id, settings: { mode, address } }: Pick<Owner, "id" | "settings">): string {
  const target = createHash("sha256").update(JSON.stringify([mode, address?.origin, address?.prefix]));
  return join(folder, `${fileNameOf(id)}-${target.digest("hex").slice(0, 12)}.journal`);
}

/** How the names of a tenant's journals begin. */
function fileNameOf(id: string): string {
  return id.replace(/[^\w.-]/g, "_");
}

/**
 * Ends what waited for a mode, an address or an engine that the tenant had before Node-RED was stopped.
 * @param own the journal that it has now
 */
async function failOtherJournals(RED: NodeAPI, { id, settings }: Owner, folder: string, own?: string): Promise<void> {
  const isJournal = new RegExp(`^${fileNameOf(id).replaceAll(".", "\\.")}-[0-9a-f]{12}\\.journal$`);
  const files = await readdir(folder).catch(() => []);
  for (const file of files.filter((any) => isJournal.test(any)).map((any) => join(folder, any))) {
    if (file === own) continue;
    try {
      const { backlog } = await openFile(RED, file);
      await failAll(RED, settings, backlog, () => false);
    } catch {
      // Another process has it, or this one: it was this tenant's until a moment ago, and has been given up.
    }
  }
}

/** A lease has run out by then, also if Redis had to be reached first. Milliseconds. */
const EARLIER_MS = 60_000;
/** Pause until entries that were restored meanwhile are ended, too. Milliseconds. */
const LOOK_MS = 500;

/** Ends what this Node-RED has left in Redis, if another engine was chosen while it was stopped. */
async function failEarlierRedis(RED: NodeAPI, { id, settings, earlierRedis: redisUrl = "" }: Owner): Promise<void> {
  const end = performance.now() + EARLIER_MS;
  try {
    const store = await openEarlier(RED, id, { ...settings, redisUrl });
    await failAll(RED, settings, new Backlog(store), () => store.isLeft && performance.now() < end);
  } catch {
    // Without the package or a fitting Redis, nothing can be known of it.
  }
}

/** Ends what is in a backlog of an earlier process, and what it restores for as long as something is left. */
async function failAll(RED: NodeAPI, settings: Settings, backlog: Backlog, isLeft: () => boolean): Promise<void> {
  const options = { ...settings, address: parseAddress("https://localhost"), partyFields: "dotted" } as const;
  // A promise, because a backlog that is open at once would begin.
  const client = new TenantClient({ ...options, onTrouble: "fail" }, Promise.resolve(backlog));
  client.restoreHandler = restoreHandler(RED, client);
  const changed = notSent("ERR_CONFIG", "config", { key: "config.tenantChanged" });
  while (isLeft()) {
    await client.refuse(changed);
    await sleep(LOOK_MS, undefined, { ref: false });
  }
  await client.refuse(changed);
  await client.stop(0);
}

/** Logs when the backlog of a client begins to fail, and when it works again, instead of each call-out that it refuses. */
export function logFailures(RED: NodeAPI, tenant: string, client: TenantClient): void {
  let isFailing = false;
  client.follow(() => {
    const { failure: reason } = client.lanes;
    if (isFailing === (reason !== undefined)) return;
    isFailing = reason !== undefined;
    swallowErrors(() => {
      if (reason !== undefined) RED.log.warn(shared(RED, "log.engineFails", { tenant, reason }));
      else RED.log.info(shared(RED, "log.engineWorks", { tenant }));
    });
  });
}

/** What a gone instance left is restored in steps: no further one comes after this pause. Milliseconds. */
const BETWEEN_STEPS_MS = 500;

/** Logs how many calls a client begins to hold back. */
export function logHeldBack(RED: NodeAPI, tenant: string, client: TenantClient): void {
  let held = 0;
  let timer: NodeJS.Timeout | undefined;
  client.follow(() => {
    const { heldBack: count } = client.lanes;
    if (count === held) return;
    const isNew = held === 0 || timer !== undefined;
    held = count;
    clearTimeout(timer);
    timer = undefined;
    if (!isNew || count === 0) return;
    const log = () => {
      timer = undefined;
      swallowErrors(() => RED.log.warn(shared(RED, "log.heldBack", { tenant, count })));
    };
    if (client.isShared) timer = setTimeout(log, BETWEEN_STEPS_MS).unref();
    else log();
  });
}

/** A later date is likely to outlive the process. Milliseconds. */
const FAR_MS = 10 * 60_000;

/** Warns once if a call with a later date would be lost with the process, where the tenant calls people or was set to that. */
export function warnOfDatesInMemory(RED: NodeAPI, { name: tenant, settings }: Owner, client: TenantClient): void {
  if (settings.mode !== "live" && settings.engine !== "memory") return;
  client.onDated = ({ notBefore = 0 }) => {
    if (client.isDurable !== false || notBefore - Date.now() <= FAR_MS) return;
    client.onDated = undefined;
    swallowErrors(() => RED.log.warn(shared(RED, "log.datedInMemory", { tenant })));
  };
}

/** Warns of calls that wait in the journals of tenants that were deleted while Node-RED was stopped. Never rejects. */
export async function warnOfJournalsLeftBehind(RED: NodeAPI, folder: string): Promise<void> {
  const { countWaiting } =
    require("../../backlog/file/count-waiting") as typeof import("../../backlog/file/count-waiting");
  const tenants = new Set<string>();
  RED.nodes.eachNode(({ id, type }) => type === "telephony-tenant" && tenants.add(fileNameOf(id)));
  const left: string[] = [];
  let count = 0;
  for (const name of await readdir(folder).catch(() => [])) {
    const [, tenant] = /^(.+)-[0-9a-f]{12}\.journal$/.exec(name) ?? [];
    if (tenant === undefined || tenants.has(tenant)) continue;
    const file = join(folder, name);
    // Another Node-RED may use it: then its tenant is there.
    const waiting = await countWaiting(file).catch(() => 0);
    if (waiting > 0) left.push(file);
    count += waiting;
  }
  if (count > 0) swallowErrors(() => RED.log.warn(shared(RED, "log.leftJournals", { count, files: left.join(", ") })));
}
