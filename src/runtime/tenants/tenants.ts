import type { NodeAPI } from "node-red";
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
} from "../../client";
import { NumberGuard } from "../../client/guard/number-guard";
import { type Host, maskDigits, maskNumbers, oneLine } from "../../fields";
import { nodeLabel } from "../../fields/node-label";
import { flows } from "../delivery/flow-lifecycle";
import { Mailbox } from "../delivery/mailbox";
import { found, logText } from "../node-red/catalogue";
import { perNode } from "../node-red/node-state";
import { proxyFor } from "../node-red/proxy";
import { swallowErrors } from "../node-red/swallow-errors";
import { readHours } from "../schedules/calling-hours-settings";
import { warnOfSkipped } from "../schedules/notices";
import { type Tenant, type TenantTarget, type UsableTenant, unusable } from "./chosen-tenant";
import { fillIn } from "./flow-webhooks";
import { guardFingerprint, guardLists } from "./guard";
import { closeSandbox, openSandbox, ownServer } from "./sandboxes";
import { hash, serveTarget, targetKeyOf } from "./tenant-target";
import { tlsFor } from "./tls";

/** A config node's properties, unchecked. */
export interface TenantConfig extends Readonly<Record<string, unknown>> {
  readonly id: string;
  readonly tls?: string;
  readonly proxy?: string;
  readonly name?: string;
  readonly mode?: string;
  readonly timezone?: string;
  readonly _alias?: string;
  readonly _path?: string;
}

/**
 * A tenant that runs, usable or not. In a subflow, each instance has one: `template` is its id in the flow file, and `path` has
 * the ids of the tab and of the instances around it, as Node-RED joins them. It is empty for a global one.
 */
export type RunningTenant = Readonly<Record<"id" | "template" | "path" | "name" | "mode" | "timezone", string>>;

/** What is known of a config node. Waiting and in-flight requests outlive its redeploys. */
interface TenantState {
  /** `undefined` once it is deleted. */
  tenant: Tenant | undefined;
  config?: TenantConfig;
  /**
   * By mode, address and engine. They outlive the tenant: if a deleted one is restored, or the sandbox was only tried out, no
   * phone may ring a second time.
   */
  readonly targets: Map<string, TenantTarget>;
  /** The styles of requests that were found out, by target and style of the sandbox. */
  readonly styles: Map<string, RequestStyle>;
}

const states = perNode<TenantState>("tenant");

/** The copies of a tenant's schedules that are in hand. */
export function copiesOf(id: string): readonly object[] {
  return [...(states.get(id)?.targets.values() ?? [])].flatMap(({ schedules }) => schedules.copies);
}

function stateOf(id: string): TenantState {
  return states.of(id, () => ({ tenant: undefined, targets: new Map(), styles: new Map() }));
}

/** The tenant of a config node, or of its first instance in a subflow. Unusable if its settings are wrong, or it is not deployed. */
export function tenantOf(id: string): Tenant {
  const instance = () => runningTenants().find(({ template }) => template === id);
  const tenant = states.get(id)?.tenant ?? states.get(instance()?.id ?? "")?.tenant;
  return tenant ?? unusable(id, notSent("ERR_CONFIG", "config", { key: "config.notDeployed" }));
}

export function runningTenants(): readonly RunningTenant[] {
  return [...states.values()].flatMap(({ tenant, config }) => {
    if (!tenant || !config) return [];
    const { id, _alias: template = id, _path = "", name = "", mode, timezone = "" } = config;
    const path = _path.replace(/^global\/[^/]*$|\/[^/]*$/, "");
    return [{ id, template, path, name, mode: mode || "live", timezone }];
  });
}

/** The tenants that can be used. */
export function usableTenants(): readonly UsableTenant[] {
  return [...states.values()].flatMap(({ tenant }) => (tenant && !tenant.problem ? [tenant] : []));
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
  const state = stateOf(config.id);
  const before = state.tenant;
  state.config = config;
  try {
    const unfit = platformProblem();
    if (unfit) throw unfit;
    const settings = readSettings(config, token, redisUrl);
    const hours = readHours(config, settings, host);
    const tls = settings.address && tlsFor(RED, config.tls ?? "");
    const proxy = settings.address && proxyFor(RED, config.proxy ?? "", settings.address);
    const lists = guardLists(config, host);
    const guarded = guardFingerprint(lists, config);
    const fingerprint = hash([settings, hours, guarded, tls, proxy?.url.href, proxy?.authorization]);
    const targetKey = targetKeyOf(settings);
    if (before?.fingerprint === fingerprint && !before.client.lanes.refusal) {
      if (hours) before.hours?.follow(hours, before, host);
      return before;
    }
    const guard = new NumberGuard(settings, lists);
    const secure = tls && readTls(tls);
    const name = oneLine(nodeLabel(config, (key) => found(RED, `telephony-tenant.${key}`)));
    const access = openAddress(RED, config.id, name, settings);
    const options: ClientOptions = {
      ...settings,
      ...access,
      style: styleFor(state, targetKey, settings),
      ...(secure && { tls: secure }),
      ...(proxy && { proxy }),
      ...(settings.mode === "sandbox" && { namesNodes: true }),
      guard,
      ...(settings.mode === "log" && { onlyLog: (job, summary) => logRequest(RED, job.action, summary) }),
    };
    const owner = { id: config.id, name, settings };
    const target = serveTarget(RED, state.targets, targetKey, owner, options, hours);
    if (hours) target.hours?.follow(hours, target, host);
    target.schedules.onSkipped = (schedule) => warnOfSkipped(RED, name, schedule);
    state.tenant = { ...target, ...owner, mode: settings.mode, problem: undefined, fingerprint };
    if (before?.client !== target.client) failWaiting(before);
  } catch (error) {
    state.tenant = unusable(config.id, asConfigError(error));
    failWaiting(before);
    // A sandbox whose settings are wrong keeps its calls until they are right.
    if (config["mode"] !== "sandbox") void closeSandbox(config.id);
  }
  return tenantOf(config.id);
}

/** Ends a tenant whose config node is gone. */
export async function closeTenant(id: string): Promise<void> {
  const state = stateOf(id);
  const { tenant } = state;
  state.tenant = undefined;
  failWaiting(tenant);
  // A sandbox's calls are gone with it: no phone has rung.
  if (tenant?.settings?.mode === "sandbox") state.targets.delete(targetKeyOf(tenant.settings));
  await closeSandbox(id);
}

/** Node-RED gives a closing node 15 seconds. */
const STOP_WITHIN_MS = 12_000;

/** Ends a tenant because Node-RED stops: requests in flight may end. Its sandbox runs until the process ends. */
export async function stopTenant(id: string): Promise<void> {
  const state = stateOf(id);
  const own = [...state.targets];
  for (const [, { schedules, hours }] of own) {
    schedules.close();
    hours?.close();
  }
  await Promise.all(own.map(([, { client }]) => client.stop(STOP_WITHIN_MS)));
  // Not earlier: if the process ends while it waits, what is still in flight must be known.
  for (const [targetKey] of own) state.targets.delete(targetKey);
  state.tenant = undefined;
}

flows.onDeleted(states, "telephony-tenant", (id) => void closeTenant(id).catch(() => {}));
flows.on("start", () => {
  for (const { targets } of states.values())
    for (const { client } of targets.values()) void client.end({ deleted: true });
});

Mailbox.haltWith(() =>
  [...states.values()].flatMap(({ targets }) => [...targets.values()].flatMap(({ client }) => client.halt())),
);

/** Ends the waiting requests of a target that its tenant no longer has: they never move to another one. */
function failWaiting(tenant: Tenant | undefined): void {
  if (!tenant || tenant.problem) return;
  tenant.schedules.close();
  tenant.hours?.close();
  tenant.client.refuse(notSent("ERR_CONFIG", "config", { key: "config.tenantChanged" }));
}

/** What was found out holds for the target, and for the styles that a sandbox reads. */
function styleFor({ styles }: TenantState, targetKey: string, settings: Settings): RequestStyle {
  const { partyFields, sandboxParties, sandboxBooleans } = settings;
  if (partyFields !== "auto") return new RequestStyle(partyFields);
  const key = `${targetKey} ${sandboxParties} ${sandboxBooleans}`;
  const style = styles.get(key) ?? new RequestStyle("auto");
  styles.set(key, style);
  return style;
}

function openAddress(
  RED: NodeAPI,
  id: string,
  tenant: string,
  settings: Settings,
): { address: Address | Promise<Address>; token: string } {
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

/** Log mode: logs the request instead of sending it, with numbers masked as in every log line. */
function logRequest(RED: NodeAPI, action: string, summary: object): void {
  const masked = (name: string, value: unknown) =>
    /\bnumber$/.test(name) && typeof value === "string" ? maskDigits(value) : value;
  const request = oneLine(maskNumbers(JSON.stringify(summary, masked)));
  logText(RED, "info", "log.onlyLog", { action, request });
}
