import { createHash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { NodeAPI } from "node-red";
import { Backlog, MemoryStore } from "../../backlog";
import { holdTexts, notSent, type TenantClient } from "../../client";
import { reasonOf } from "../../fields/quote";
import { flows } from "../delivery/flow-lifecycle";
import { fileNameOf, telephonyFolder } from "../delivery/unfinished-file";
import { logText, serverTexts } from "../node-red/catalogue";
import { swallowErrors } from "../node-red/swallow-errors";
import type { Engine, Owner } from "./chosen-tenant";
import { openShared } from "./shared-engine";
import { startClocks } from "./start-clocks";

/**
 * Opens the backlog that a tenant has chosen. Only live calls are worth a file: a simulated one that goes on after a restart
 * helps nobody. Rejects with ERR_CONFIG.
 */
export function openEngine(RED: NodeAPI, owner: Owner): Engine {
  const { engine, mode } = owner.settings;
  const folder = telephonyFolder(RED);
  if (mode === "live" && engine === "redis") return openShared(RED, owner);
  const isInMemory = mode !== "live" || engine === "memory" || (folder === undefined && engine === "");
  return { backlog: isInMemory ? new Backlog(new MemoryStore()) : openJournal(RED, owner, folder ?? "") };
}

async function openJournal(RED: NodeAPI, owner: Owner, folder: string): Promise<Backlog> {
  const { name: tenant, settings } = owner;
  const file = journalOf(folder, owner);
  try {
    const { FileStore } = require("../../backlog/file/file-store") as typeof import("../../backlog/file/file-store");
    const opening = mkdir(folder, { recursive: true, mode: 0o700 }).then(() =>
      FileStore.open(file, () => logText(RED, "warn", "log.writtenAnew", { file })),
    );
    const clock = opening.then(({ store }) => store.keeper.clock);
    startClocks.set(
      file,
      clock.catch(() => undefined),
    );
    const { store, restored, damaged } = await opening;
    if (damaged > 0) logText(RED, "warn", "log.damagedLines", { file, count: damaged });
    const { waiting, begun, settled, records } = restored;
    // Results of an earlier process go to nodes, whose wires are there only then.
    if (waiting.length + begun.length + settled.length + records.size > 0) await flows.untilRunning();
    const backlog = new Backlog(store);
    const { waiting: all, dated, heldBack } = backlog.counts;
    // The call of an incident may be among those that wait.
    const count = Math.max(all - dated - heldBack, heldBack > 0 ? 0 : records.size);
    if (count > 0) logText(RED, "warn", "log.restored", { tenant, count });
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
    logText(RED, "warn", warning, { tenant, ...params });
    return new Backlog(new MemoryStore());
  }
}

/** Pause before the next look whether another Node-RED still uses the file. Milliseconds. */
const LOOK_AGAIN_MS = 2000;

/** Goes on with the journal that another Node-RED uses, as soon as that one has ended. */
export async function standBy(RED: NodeAPI, owner: Owner, client: TenantClient): Promise<void> {
  const problem = await client.opened;
  const isWanted = () => client.lanes.refusal === problem && !flows.stopping;
  while (problem?.key === "config.engineInUse" && isWanted()) {
    await sleep(LOOK_AGAIN_MS, undefined, { ref: false });
    const backlog = isWanted()
      ? await Promise.resolve(openEngine(RED, owner).backlog).catch(() => undefined)
      : undefined;
    if (isWanted() && backlog) client.serve(client.options, backlog);
    else await backlog?.close();
  }
}

export function journalOf(folder: string, { id, settings: { mode, address } }: Owner): string {
  const target = createHash("sha256").update(JSON.stringify([mode, address?.origin, address?.prefix]));
  return join(folder, `${fileNameOf(id)}-${target.digest("hex").slice(0, 12)}.journal`);
}

/** Logs when the backlog of a client begins to fail, and when it works again, instead of each call-out that it refuses. */
export function logFailures(RED: NodeAPI, tenant: string, client: TenantClient): void {
  let isFailing = false;
  const changed = () => {
    const { failure: reason } = client.lanes;
    if (isFailing === (reason !== undefined)) return;
    isFailing = reason !== undefined;
    if (reason !== undefined) logText(RED, "warn", "log.engineFails", { tenant, reason });
    else logText(RED, "info", "log.engineWorks", { tenant });
  };
  client.follow({ changed });
}

/** The pause after which no further step of restoring what a gone instance left comes. Milliseconds. */
const BETWEEN_STEPS_MS = 500;

/** Logs how many calls a client begins to hold back. */
export function logHeldBack(RED: NodeAPI, tenant: string, client: TenantClient): void {
  let held = 0;
  let timer: NodeJS.Timeout | undefined;
  const changed = () => {
    const { heldBack, undecided = 0 } = client.lanes;
    const count = heldBack - undecided;
    const isNew = (held === 0 && count > 0) || (timer && count !== held);
    held = count;
    if (!isNew) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      timer = undefined;
      if (held > 0) logText(RED, "warn", "log.heldBack", { tenant, count: held });
    }, BETWEEN_STEPS_MS).unref();
  };
  client.follow({ changed });
}

/** Publishes to all editors, whatever their users may see, how many calls of a tenant need a person, and nothing else of them. */
export function publishNeeds(RED: NodeAPI, id: string, client: TenantClient): void {
  // An editor that was open before Node-RED was restarted may show another number.
  let published = -1;
  const changed = () => {
    const { heldBack, unknown, refusal } = client.lanes;
    const count = heldBack + unknown;
    if (count === published || refusal) return;
    published = count;
    swallowErrors(() => RED.comms.publish(`telephony/needs/${id}`, { id, count }, count > 0));
  };
  client.follow({ changed });
  void client.opened.then(changed);
}

/** A shorter hold is not logged. Milliseconds. */
const LASTED_MS = 10_000;

/** Logs why calls wait once trouble has held them for a while, and when that ends; in a group only where calls of this process wait. */
export function logTrouble(RED: NodeAPI, { name: tenant, settings }: Owner, client: TenantClient): void {
  let [since, waited, isLogged] = [0, 0, false];
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    const { reason, reasonSince, notHeldBack: count, own, isShared, refusal } = client.lanes;
    const isOver = reason === undefined || reasonSince === undefined;
    if (isOver && isLogged) {
      const ms = Date.now() - since;
      const length = `${Math.floor(ms / 3_600_000)}:${new Date(ms).toISOString().slice(14, 19)}`;
      logText(RED, "info", "log.troubleOver", { tenant, length, count: waited });
    }
    clearTimeout(timer);
    if (isOver) [waited, isLogged] = [0, false];
    if (isOver || refusal) return;
    since = reasonSince;
    waited = Math.max(waited, count);
    const left = since + LASTED_MS - Date.now();
    if (left > 0) timer = setTimeout(look, left).unref();
    else if (!isLogged && (own > 0 || !isShared)) {
      isLogged = true;
      const hold = { reason, since, waiting: count, zone: settings.timezone || undefined };
      const { sentence } = holdTexts(serverTexts(RED), hold);
      logText(RED, "warn", "log.trouble", { tenant, sentence });
    }
  };
  client.follow({ changed: look });
}

/** Warns once if calls that ended `unknown` are forgotten, because there are too many about which nobody has decided. */
export function warnOfManyUnknown(RED: NodeAPI, tenant: string, client: TenantClient): void {
  const unfollow = client.follow({
    unknownFull() {
      unfollow();
      logText(RED, "warn", "log.unknownFull", { tenant });
    },
  });
}

/** A later date is likely to outlive the process. Milliseconds. */
const FAR_MS = 10 * 60_000;

/** Warns once if a call with a later date would be lost with the process, where the tenant calls people or was set to that. */
export function warnOfDatesInMemory(RED: NodeAPI, { name: tenant, settings }: Owner, client: TenantClient): void {
  if (settings.mode !== "live" && settings.engine !== "memory") return;
  const unfollow = client.follow({
    dated({ notBefore = 0 }) {
      if (client.lanes.isDurable !== false || notBefore - Date.now() <= FAR_MS) return;
      unfollow();
      logText(RED, "warn", "log.datedInMemory", { tenant });
    },
  });
}
