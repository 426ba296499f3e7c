import type { NodeAPI } from "node-red";
import { type ClientOptions, outcomeOf, RequestStyle, type Settings, TenantClient } from "../../client";
import { changesSchedules } from "../../client/operations";
import { maskDigits, maskNumbers, oneLine } from "../../fields";
import { restoreHandler } from "../delivery/restore-handler";
import { observe } from "../metrics/channel";
import { logText } from "../node-red/catalogue";
import { swallowErrors } from "../node-red/swallow-errors";
import { CallingHoursMonitor } from "../schedules/calling-hours-monitor";
import { warnOfSkipped } from "../schedules/notices";
import { ScheduleCache } from "../schedules/schedule-cache";
import type { Owner, TenantTarget, UsableTenant } from "./chosen-tenant";
import {
  logFailures,
  logHeldBack,
  logTrouble,
  openEngine,
  publishNeeds,
  standBy,
  warnOfDatesInMemory,
  warnOfManyUnknown,
} from "./engine";
import { fillIn } from "./flow-webhooks";
import { closeSandbox, openSandbox, ownServer } from "./sandboxes";
import type { Target } from "./target";

/** The objects that were made for a tenant, by the keys of its targets. */
export interface Made {
  /** They outlive the tenant: if a deleted one is restored, or the sandbox was only tried out, no phone may ring a second time. */
  readonly targets: Map<string, TenantTarget>;
  /** The styles of requests that were found out, by target and style of the sandbox. */
  readonly styles: Map<string, RequestStyle>;
}

/** Serves a target, which keeps its waiting requests across redeploys, even if other settings change. */
export function serveTarget(RED: NodeAPI, { targets, styles }: Made, target: Target): UsableTenant {
  const { name, settings, key, tls, proxy, guard } = target;
  const known = targets.get(key);
  const isKnown = known !== undefined && isFit(known.client, settings);
  const hours = target.hours && ((isKnown && known.hours) || new CallingHoursMonitor(RED, name));
  const options: ClientOptions = {
    ...settings,
    ...addressOf(RED, target),
    style: styleFor(styles, target),
    guard,
    callingHours: hours,
    ...(tls && { tls }),
    ...(proxy && { proxy }),
    ...(settings.mode === "sandbox" && { namesNodes: true }),
    ...(settings.mode === "log" && { onlyLog: (job, summary) => logRequest(RED, job.action, summary) }),
  };
  const made = isKnown ? known : newTarget(RED, target, options);
  if (isKnown && !hours) known.hours?.close();
  made.hours = hours;
  made.statistics.today.zone = settings.timezone;
  target.optOuts.share(made.shared);
  made.schedules.onSkipped = (schedule) => warnOfSkipped(RED, name, schedule);
  if (isKnown) {
    made.client.serve(options);
    made.client.hoursChanged();
  } else targets.set(key, made);
  return { ...target, ...made, mode: settings.mode, problem: undefined };
}

function newTarget(RED: NodeAPI, owner: Owner, options: ClientOptions): TenantTarget {
  const { id, name, settings } = owner;
  const { backlog, shared } = openEngine(RED, owner);
  const client = new TenantClient(options, backlog, (own) => restoreHandler(RED, own));
  logFailures(RED, name, client);
  logHeldBack(RED, name, client);
  publishNeeds(RED, id, client);
  logTrouble(RED, owner, client);
  warnOfManyUnknown(RED, name, client);
  warnOfDatesInMemory(RED, owner, client);
  void standBy(RED, owner, client);
  const schedules = new ScheduleCache(client);
  const statistics = observe(client, id, settings.mode, (job, result) => {
    const isDone = !["rejected", "not-applied"].includes(outcomeOf(result));
    if (isDone && changesSchedules(job.request)) schedules.expire();
  });
  return { client, schedules, statistics, hours: undefined, shared };
}

/** Whether a client has the backlog that its tenant has chosen, or may still get it. */
function isFit({ lanes: { cannotOpen, isDurable } }: TenantClient, settings: Settings): boolean {
  return !cannotOpen && !(isDurable === false && settings.engine === "file" && settings.mode === "live");
}

/** Returns the style for a target. What was found out holds for the target, and for the styles that a sandbox reads. */
function styleFor(styles: Made["styles"], { key, settings }: Target): RequestStyle {
  const { partyFields, sandboxParties, sandboxBooleans } = settings;
  if (partyFields !== "auto") return new RequestStyle(partyFields);
  const found = `${key} ${sandboxParties} ${sandboxBooleans}`;
  const style = styles.get(found) ?? new RequestStyle("auto");
  styles.set(found, style);
  return style;
}

/** Returns where requests go, and with which token. Opens the sandbox of a tenant that has one, and closes that of any other. */
function addressOf(RED: NodeAPI, { id, name: tenant, settings }: Owner): Pick<ClientOptions, "address" | "token"> {
  if (settings.address) {
    void closeSandbox(id);
    return { address: settings.address, token: settings.token };
  }
  const { sandboxPort: port, authHeader, sandboxParties: parties, sandboxBooleans: booleans } = settings;
  return openSandbox(id, { port, authHeader, styles: { parties, booleans } }, ownServer(RED.settings ?? {}), {
    onStarted: (url) => logText(RED, "info", "log.sandbox", { tenant, url: `${url}/sandbox` }),
    fillIn: (headers, address, body) => fillIn(RED, headers, address, body),
    // Every editor hears it, whatever its user may see: who rings comes from a route with a permission.
    onRinging: (ringing) => swallowErrors(() => RED.comms.publish("telephony/ringing", { id, ringing }, ringing > 0)),
  });
}

/** Logs the request instead of sending it, with numbers masked as in every log line. */
function logRequest(RED: NodeAPI, action: string, summary: object): void {
  const masked = (name: string, value: unknown) =>
    /\bnumber$/.test(name) && typeof value === "string" ? maskDigits(value) : value;
  const request = oneLine(maskNumbers(JSON.stringify(summary, masked)));
  logText(RED, "info", "log.onlyLog", { action, request });
}
