import { createHash } from "node:crypto";
import type { NodeAPI } from "node-red";
import { type Host, maskNumbers, oneLine } from "../../fields";
import {
  type Address,
  asConfigError,
  type ClientOptions,
  notSent,
  platformProblem,
  RequestStyle,
  readSettings,
  readTls,
  type Settings,
  TenantClient,
} from "../../tenant";
import { Mailbox } from "../delivery/mailbox";
import { restoreHandler } from "../delivery/restore-handler";
import { observe } from "../metrics/observe";
import type { Statistics } from "../metrics/statistics";
import { shared } from "../node-red/catalogue";
import { swallowErrors } from "../node-red/swallow-errors";
import { sentence } from "../node-red/texts";
import { CallingHoursMonitor } from "../schedules/calling-hours-monitor";
import { type HoursSettings, readHours } from "../schedules/calling-hours-settings";
import { type Clock, realClock } from "../schedules/clock";
import { ScheduleCache } from "../schedules/schedule-cache";
import { skippedEntries } from "../schedules/skipped-entries";
import { type Tenant, type UsableTenant, unusable } from "./chosen-tenant";
import { logTrouble } from "./engine-trouble";
import { openEngine } from "./engines";
import { guardFingerprint, guardFor, guardLists } from "./guard";
import { forbiddenModule } from "./modules";
import { proxyFor } from "./proxy";
import { closeSandbox, openSandbox, ownHosts, sandboxClock } from "./sandboxes";
import { tlsFor } from "./tls";

/** A config node's properties, unchecked. */
export interface TenantConfig extends Readonly<Record<string, unknown>> {
  readonly id: string;
  readonly tls?: string;
  readonly proxy?: string;
}

/** By config node id. At module level, because waiting and in-flight requests must outlive a redeploy. */
const deployed = new Map<string, Tenant>();

/** The client of a target, with its backlog and its deduplication keys. */
interface Target {
  readonly id: string;
  readonly client: TenantClient;
  readonly schedules: ScheduleCache;
  readonly clock: Clock;
  readonly statistics: Statistics;
  hours: CallingHoursMonitor | undefined;
}

/**
 * By tenant, mode, address and engine. They outlive the tenant: if a deleted one is restored, or the sandbox was only tried
 * out, no phone may ring a second time.
 */
const targets = new Map<string, Target>();

/** The styles of requests that were found out. They outlive a redeploy, in memory. */
const styles = new Map<string, RequestStyle>();

/** The tenant of a config node. It is unusable if its settings are wrong, or if it is not deployed. */
export function tenantOf(id: string): Tenant {
  return deployed.get(id) ?? unusable(id, notSent("ERR_CONFIG", "config", { key: "config.notDeployed" }));
}

/** The tenants that can be used. */
export function usableTenants(): readonly UsableTenant[] {
  return [...deployed.values()].filter((tenant) => tenant.problem === undefined);
}

/**
 * Opens the tenant of a config node; one with the same target goes on with the new settings. Never throws.
 * @param host reads values that the flow file only names
 */
export function openTenant(
  RED: NodeAPI,
  config: TenantConfig,
  host: Host,
  token?: unknown,
  redisUrl?: unknown,
): Tenant {
  const before = deployed.get(config.id);
  try {
    const unfit = platformProblem();
    if (unfit) throw unfit;
    const settings = readSettings(config, token, redisUrl);
    const module = forbiddenModule(config);
    if (module !== undefined)
      throw notSent("ERR_CONFIG", "config", { key: "config.modules", field: "modules", params: { module } });
    const hours = readHours(config, settings);
    const tls = settings.address && tlsFor(RED, config.tls ?? "");
    const proxy = settings.address && proxyFor(RED, config.proxy ?? "", settings.address);
    const lists = guardLists(config, host);
    const guarded = guardFingerprint(lists, config);
    const fingerprint = hash([settings, hours, guarded, tls, proxy?.url.href, proxy?.authorization]);
    const owner = ownerOf(config.id, settings);
    if (before?.fingerprint === fingerprint && !before.client.unusable) {
      const target = targets.get(owner);
      if (hours && target) target.hours?.follow(hours, target, host);
      return before;
    }
    const guard = guardFor(settings, lists);
    const secure = tls && readTls(tls);
    const access = openAddress(RED, config, settings);
    const options: ClientOptions = {
      ...settings,
      ...access,
      style: styleFor(owner, settings),
      ...(secure && { tls: secure }),
      ...(proxy && { proxy }),
      ...(settings.mode === "sandbox" && { namesNodes: true }),
      ...(guard && { guard }),
      ...(settings.mode === "log" && { onlyLog: (job, summary) => logRequest(RED, job.action, summary) }),
    };
    const target = serve(RED, owner, config, settings, options, hours);
    if (hours) target.hours?.follow(hours, target, host);
    target.schedules.onSkipped = (schedule) =>
      swallowErrors(() => RED.log.warn(skippedEntries(RED, nameOf(config), schedule)));
    const { client, schedules, clock, statistics } = target;
    const { mode } = settings;
    const about = { id: config.id, name: nameOf(config), mode, problem: undefined } as const;
    deployed.set(config.id, { ...about, settings, client, schedules, clock, statistics, fingerprint });
    if (before?.client !== client) giveUp(before);
  } catch (error) {
    deployed.set(config.id, unusable(config.id, asConfigError(error)));
    giveUp(before);
    // A sandbox whose settings are wrong keeps its calls until they are right.
    if (config["mode"] !== "sandbox") void closeSandbox(config.id);
  }
  return tenantOf(config.id);
}

/** A target keeps what waits across redeploys, whatever else changes. */
function serve(
  RED: NodeAPI,
  owner: string,
  config: TenantConfig,
  settings: Settings,
  given: ClientOptions,
  limits: HoursSettings | undefined,
): Target {
  const known = targets.get(owner);
  const isKnown = known !== undefined && isFit(known.client, settings);
  const hours = limits && ((isKnown && known.hours) || newHours(RED, config));
  const options = { ...given, callingHours: hours };
  if (isKnown) {
    if (!hours) known.hours?.close();
    known.hours = hours;
    known.client.serve(options);
    known.schedules.reopen();
    known.client.hoursChanged();
    return known;
  }
  const client = new TenantClient(options, openEngine(RED, { id: config.id, name: nameOf(config), settings }));
  client.restoreHandler = restoreHandler(RED, client);
  logTrouble(RED, nameOf(config), client);
  const statistics = observe(client, config.id, settings.mode);
  const clock = settings.mode === "sandbox" ? sandboxClock(config.id) : realClock;
  const target: Target = { id: config.id, client, schedules: new ScheduleCache(client), clock, statistics, hours };
  targets.set(owner, target);
  return target;
}

function newHours(RED: NodeAPI, config: TenantConfig): CallingHoursMonitor {
  const tenant = nameOf(config);
  return new CallingHoursMonitor((problem) =>
    swallowErrors(() => {
      if (!problem) RED.log.info(shared(RED, "log.callingHoursWork", { tenant }));
      else
        RED.log.warn(
          shared(RED, "log.callingHours", { tenant, reason: sentence(RED, problem, { type: "telephony-tenant" }) }),
        );
    }),
  );
}

/** Whether a client has the backlog that its tenant has chosen, or may still get it. */
function isFit({ engine }: TenantClient, settings: Settings): boolean {
  return engine !== "failed" && !(engine === "memory" && settings.engine === "file" && settings.mode === "live");
}

/** Ends a tenant whose config node is gone. */
export async function closeTenant(id: string): Promise<void> {
  const tenant = deployed.get(id);
  deployed.delete(id);
  giveUp(tenant);
  // A sandbox's calls are gone with it: no phone has rung.
  if (tenant?.settings?.mode === "sandbox") targets.delete(ownerOf(id, tenant.settings));
  await closeSandbox(id);
}

/** Node-RED gives a closing node 15 seconds. */
const STOP_WITHIN_MS = 12_000;

/** Ends a tenant because Node-RED stops: requests in flight may end. Its sandbox runs until the process ends. */
export async function stopTenant(id: string): Promise<void> {
  const own = [...targets].filter(([, target]) => target.id === id);
  for (const [, { schedules, hours }] of own) {
    schedules.close();
    hours?.close();
  }
  await Promise.all(own.map(([, { client }]) => client.stop(STOP_WITHIN_MS)));
  // Not earlier: if the process ends while it waits, what is still in flight must be known.
  for (const [owner] of own) targets.delete(owner);
  deployed.delete(id);
}

Mailbox.haltWith(() => [...targets.values()].flatMap(({ client }) => client.halt()));

/** Ends what waits at a target that its tenant no longer has: nothing waiting ever moves to another one. */
function giveUp(tenant: Tenant | undefined): void {
  if (!tenant || tenant.problem) return;
  const { client, schedules } = tenant;
  schedules.close();
  for (const target of targets.values()) if (target.client === client) target.hours?.close();
  void client.refuse(notSent("ERR_CONFIG", "config", { key: "config.tenantChanged" }));
}

function ownerOf(id: string, { mode, address, engine, redisUrl, group }: Settings): string {
  // By default it is a file, too.
  return `${id} ${hash([mode, address, ...(mode === "live" ? [engine || "file", redisUrl, group] : [])])}`;
}

/** What was found out holds for the target, and for the styles that a sandbox reads. */
function styleFor(owner: string, { partyFields, sandboxParties, sandboxBooleans }: Settings): RequestStyle {
  const key = `${owner} ${sandboxParties} ${sandboxBooleans}`;
  const style = styles.get(key) ?? new RequestStyle("auto");
  if (partyFields === "auto") styles.set(key, style);
  return style;
}

function nameOf({ id, name }: TenantConfig): string {
  return oneLine(String(name || id));
}

function openAddress(
  RED: NodeAPI,
  config: TenantConfig,
  settings: Settings,
): { address: Address | Promise<Address>; token: string } {
  if (settings.address) {
    void closeSandbox(config.id);
    return { address: settings.address, token: settings.token };
  }
  const { sandboxPort: port, authHeader, sandboxParties: parties, sandboxBooleans: booleans } = settings;
  return openSandbox(
    config.id,
    { port, authHeader, styles: { parties, booleans } },
    ownHosts(RED.settings ?? {}),
    (url) =>
      swallowErrors(() => RED.log.info(shared(RED, "log.sandbox", { tenant: nameOf(config), url: `${url}/sandbox` }))),
  );
}

/** Log mode: logs the request instead of sending it, with numbers masked as in every log line. */
function logRequest(RED: NodeAPI, action: string, summary: object): void {
  const request = oneLine(maskNumbers(JSON.stringify(summary)));
  swallowErrors(() => RED.log.info(shared(RED, "log.onlyLog", { action, request })));
}

/** Settings are compared by hash, so that secrets are not kept. */
function hash(value: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify(value) ?? "")
    .digest("base64");
}
