import { createHash } from "node:crypto";
import type { NodeAPI } from "node-red";
import { type ClientOptions, outcomeOf, type Settings, TenantClient } from "../../client";
import { changesSchedules } from "../../client/operations";
import { restoreHandler } from "../delivery/restore-handler";
import { observe } from "../metrics/channel";
import { CallingHoursMonitor } from "../schedules/calling-hours-monitor";
import type { HoursSettings } from "../schedules/calling-hours-settings";
import { ScheduleCache } from "../schedules/schedule-cache";
import type { Owner, TenantTarget } from "./chosen-tenant";
import { logFailures, logHeldBack, logTrouble, openEngine, standBy, warnOfDatesInMemory } from "./engine";

/** A target keeps its waiting requests across redeploys, even if other settings change. */
export function serveTarget(
  RED: NodeAPI,
  targets: Map<string, TenantTarget>,
  targetKey: string,
  owner: Owner,
  given: ClientOptions,
  limits: HoursSettings | undefined,
): TenantTarget {
  const { id, name, settings } = owner;
  const known = targets.get(targetKey);
  const isKnown = known !== undefined && isFit(known.client, settings);
  const hours = limits && ((isKnown && known.hours) || new CallingHoursMonitor(RED, name));
  const options = { ...given, callingHours: hours };
  if (isKnown) {
    if (!hours) known.hours?.close();
    known.hours = hours;
    known.client.serve(options);
    known.client.hoursChanged();
    return known;
  }
  const client = new TenantClient(options, openEngine(RED, owner), (own) => restoreHandler(RED, own));
  logFailures(RED, name, client);
  logHeldBack(RED, name, client);
  logTrouble(RED, owner, client);
  warnOfDatesInMemory(RED, owner, client);
  void standBy(RED, owner, client);
  const schedules = new ScheduleCache(client);
  const statistics = observe(client, id, settings.mode, (job, result) => {
    const isDone = !["rejected", "not-applied"].includes(outcomeOf(result));
    if (isDone && changesSchedules(job.request)) schedules.expire();
  });
  const target: TenantTarget = { client, schedules, statistics, hours };
  targets.set(targetKey, target);
  return target;
}

/** Whether a client has the backlog that its tenant has chosen, or may still get it. */
function isFit({ lanes: { cannotOpen, isDurable } }: TenantClient, settings: Settings): boolean {
  return !cannotOpen && !(isDurable === false && settings.engine === "file" && settings.mode === "live");
}

export function targetKeyOf({ mode, address, engine, redisUrl, group }: Settings): string {
  // By default it is a file, too.
  return hash([mode, address, ...(mode === "live" ? [engine || "file", redisUrl, group] : [])]);
}

/** Settings are compared by hash, so that secrets are not kept. */
export function hash(value: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify(value) ?? "")
    .digest("base64");
}
