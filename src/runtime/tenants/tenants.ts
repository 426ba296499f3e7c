import type { NodeAPI } from "node-red";
import {
  asConfigError,
  type Mode,
  notSent,
  platformProblem,
  readSettings,
  type TenantClient,
  TenantError,
} from "../../client";
import { OptOuts } from "../../client/guard/opt-outs";
import { type Host, oneLine } from "../../fields";
import { nodeLabel } from "../../fields/node-label";
import { flows } from "../delivery/flow-lifecycle";
import { Mailbox } from "../delivery/mailbox";
import { found } from "../node-red/catalogue";
import { perNode } from "../node-red/node-state";
import { proxyFor } from "../node-red/proxy";
import { readHours } from "../schedules/calling-hours-settings";
import { type Tenant, type UsableTenant, unusable } from "./chosen-tenant";
import { guardLists } from "./guard";
import { storedOptOuts } from "./opt-outs";
import { closeSandbox } from "./sandboxes";
import { targetOf } from "./target";
import { type Made, serveTarget } from "./tenant-target";
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

/** The settings that Node-RED keeps encrypted. */
type Secrets = Partial<Record<"token" | "redisUrl", unknown>>;

/**
 * A tenant that runs, usable or not. In a subflow, each instance has one: `template` is its id in the flow file, and `path` has
 * the ids of the tab and of the instances around it, as Node-RED joins them. It is empty for a global one.
 */
export type RunningTenant = Readonly<Record<"id" | "template" | "path" | "name" | "mode" | "timezone", string>>;

/** The state of a config node. Waiting and in-flight requests outlive its redeploys. */
interface TenantState extends Made {
  /** `undefined` once it is deleted. */
  tenant: Tenant | undefined;
  config?: TenantConfig;
  /** They are the tenant's, whatever its target; those of tests are none of live calls. */
  readonly optOuts: Map<Mode, OptOuts>;
}

const states = perNode<TenantState>("tenant");

/** The copies of a tenant's schedules that are in hand. */
export function copiesOf(id: string): readonly object[] {
  return [...(states.get(id)?.targets.values() ?? [])].flatMap(({ schedules }) => schedules.copies);
}

function stateOf(id: string): TenantState {
  return states.of(id, () => ({ tenant: undefined, targets: new Map(), styles: new Map(), optOuts: new Map() }));
}

/** A file that could not be read is read again with each deploy. */
function optOutsOf(RED: NodeAPI, id: string, mode: Mode): OptOuts {
  const { optOuts } = stateOf(id);
  const known = optOuts.get(mode);
  const own = known && !known.problem ? known : mode === "live" ? storedOptOuts(RED, id) : new OptOuts();
  optOuts.set(mode, own);
  return own;
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

/** The clients of other targets that a tenant had in this process. */
export function formerClients({ id, client }: Pick<UsableTenant, "id" | "client">): readonly TenantClient[] {
  return [...(states.get(id)?.targets.values() ?? [])].flatMap((made) => (made.client === client ? [] : made.client));
}

export function usableTenants(): readonly UsableTenant[] {
  return [...states.values()].flatMap(({ tenant }) => (tenant && !tenant.problem ? [tenant] : []));
}

/**
 * Opens the tenant of a config node; one with the same target goes on with the new settings. Never throws.
 * @param host reads values that the flow file only names
 */
export function openTenant(RED: NodeAPI, config: TenantConfig, host: Host, secrets: Secrets = {}): Tenant {
  const state = stateOf(config.id);
  const before = state.tenant;
  state.config = config;
  try {
    const unfit = platformProblem();
    if (unfit) throw unfit;
    const settings = readSettings(config, secrets.token, secrets.redisUrl);
    const { address } = settings;
    const parts = {
      id: config.id,
      name: oneLine(nodeLabel(config, (key) => found(RED, `telephony-tenant.${key}`))),
      hours: readHours(config, settings, host),
      lists: guardLists(config, host),
      optOuts: optOutsOf(RED, config.id, settings.mode),
      tls: address && tlsFor(RED, config.tls ?? ""),
      proxy: address && proxyFor(RED, config.proxy ?? "", address),
    };
    const target = targetOf(settings, parts, before);
    // Before anything is opened or closed.
    if (target instanceof TenantError) throw target;
    const isSame =
      before?.fingerprint === target.fingerprint && before.guard === target.guard && !before.client.lanes.refusal;
    const tenant = isSame ? before : serveTarget(RED, state, target);
    if (target.hours) tenant.hours?.follow(target.hours, tenant, host);
    state.tenant = tenant;
    if (before?.client !== tenant.client) failWaiting(before);
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
  if (tenant?.mode === "sandbox") state.targets.delete(tenant.key);
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
