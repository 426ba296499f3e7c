import { createHash } from "node:crypto";
import type { NodeAPI } from "node-red";
import { maskNumbers, oneLine } from "../../fields";
import {
  type Address,
  type ClientOptions,
  DeduplicationKeys,
  notSent,
  readSettings,
  readTls,
  type Settings,
  TenantClient,
  type TenantError,
} from "../../tenant";
import { stopForGood } from "../delivery/mailbox";
import { shared } from "../node-red/catalogue";
import { asTenantError } from "../node-red/texts";
import { ScheduleCache } from "../schedules/schedule-cache";
import { type Tenant, type UsableTenant, unusable } from "./chosen-tenant";
import { proxyFor } from "./proxy";
import { closeSandbox, openSandbox } from "./sandboxes";
import { tlsFor } from "./tls";

/** What a config node's properties and credentials say, unchecked. */
export interface TenantConfig extends Readonly<Record<string, unknown>> {
  readonly id: string;
  readonly tls?: string;
  readonly proxy?: string;
}

export interface ActiveTenant extends UsableTenant {
  /** Settings that look the same keep their client, with its connections, backlog and pause. */
  readonly fingerprint: string;
}

/** By config node id; must outlive a redeploy, as what waits and what is under way must. */
const kept = new Map<string, ActiveTenant>();

/**
 * A key belongs to a tenant, its mode and its address, whatever else a deploy changes or breaks. They outlive the tenant:
 * what is deleted or tried out in the sandbox comes back, and then no phone may ring a second time.
 */
const onceKeys = new Map<string, DeduplicationKeys>();

const ownerOf = (id: string, settings: Settings) => `${id} ${hash(target(settings))}`;

function onceKeysOf(id: string, settings: Settings): DeduplicationKeys {
  const owner = ownerOf(id, settings);
  const keys = onceKeys.get(owner) ?? new DeduplicationKeys();
  onceKeys.set(owner, keys);
  return keys;
}

/** Clients that a deploy has replaced or taken away, for as long as something is under way with them. */
const retired = new Set<TenantClient>();

/** Why the tenants that were deployed, but cannot be used, cannot. */
const problems = new Map<string, TenantError>();

/** The tenant of a deployed config node, where its settings can be used. */
export function tenantOf(id: string): ActiveTenant | undefined {
  return kept.get(id);
}

/** Why there is no tenant to use: its settings, or that it is not deployed. */
export function problemOf(id: string): TenantError {
  return problems.get(id) ?? notSent("ERR_CONFIG", "config", { key: "config.notDeployed" });
}

/** Opens the tenant of a config node, taking over what its predecessor left. Never throws. */
export function openTenant(RED: NodeAPI, config: TenantConfig, token: unknown): Tenant {
  const before = kept.get(config.id);
  problems.delete(config.id);
  try {
    const settings = readSettings(config, token);
    const tls = settings.address && tlsFor(RED, config.tls ?? "");
    const proxy = settings.address && proxyFor(RED, config.proxy ?? "", settings.address);
    const fingerprint = hash([settings, tls, proxy?.url.href, proxy?.authorization]);
    if (before?.fingerprint === fingerprint && !before.client.unusable) return before;
    const secure = tls && readTls(tls);
    const access = whereabouts(RED, config, settings);
    const options: ClientOptions = {
      ...settings,
      ...access,
      ...(secure && { tls: secure }),
      ...(proxy && { proxy }),
      ...(settings.mode === "log" && { onlyLog: (job, asked) => logRequest(RED, job.action, asked) }),
    };
    const sameTarget = before !== undefined && hash(target(before.settings)) === hash(target(settings));
    const client = new TenantClient(options, onceKeysOf(config.id, settings));
    const schedules = sameTarget ? before.schedules : new ScheduleCache(client);
    schedules.client = client;
    const { mode } = settings;
    const tenant: ActiveTenant = { id: config.id, mode, problem: undefined, settings, client, schedules, fingerprint };
    kept.set(config.id, tenant);
    if (before) retire(before, sameTarget ? client : undefined);
    return tenant;
  } catch (error) {
    if (before) retire(before, undefined);
    kept.delete(config.id);
    const problem = asTenantError(error);
    problems.set(config.id, problem);
    return unusable(config.id, problem);
  }
}

/** Ends a tenant whose config node is gone. */
export async function closeTenant(id: string): Promise<void> {
  const tenant = kept.get(id);
  kept.delete(id);
  problems.delete(id);
  if (tenant) retire(tenant, undefined);
  // A sandbox takes its calls with it: nobody's phone has rung.
  if (tenant?.settings.mode === "sandbox") onceKeys.delete(ownerOf(id, tenant.settings));
  await closeSandbox(id);
}

/** Node-RED gives a closing node 15 seconds. */
const STOP_WITHIN_MS = 12_000;

/** Ends a tenant because Node-RED stops: what is under way is waited for. Its sandbox goes on until the process ends. */
export async function stopTenant(id: string): Promise<void> {
  const tenant = kept.get(id);
  kept.delete(id);
  tenant?.schedules.close();
  const clients = [...retired, ...(tenant ? [tenant.client] : [])];
  await Promise.all(clients.map((client) => client.stop(STOP_WITHIN_MS)));
}

/**
 * However the process ends, but for a kill: in the middle of a deploy, or because another node has crashed. Nothing can be
 * waited for any more, only told.
 */
process.once("exit", () => {
  stopForGood();
  for (const client of [...retired, ...[...kept.values()].map((tenant) => tenant.client)]) client.abort();
});

/** The old client finishes what is under way; what waits goes on with the new one, but never to another target. */
function retire({ client, schedules }: ActiveTenant, successor: TenantClient | undefined): void {
  retired.add(client);
  void client.idle().then(() => retired.delete(client));
  if (successor) {
    client.handOver(successor);
    return;
  }
  schedules.close();
  client.refuse(notSent("ERR_CONFIG", "config", { key: "config.tenantChanged" }));
}

function target({ mode, address }: Settings): unknown {
  return [mode, address];
}

function whereabouts(
  RED: NodeAPI,
  { id, name }: TenantConfig,
  settings: Settings,
): { address: Address | Promise<Address>; token: string } {
  if (settings.address) {
    void closeSandbox(id);
    return { address: settings.address, token: settings.token };
  }
  return openSandbox(id, settings.sandboxPort, settings.authHeader, (url) =>
    RED.log.info(shared(RED, "log.sandbox", { tenant: oneLine(String(name || id)), url: `${url}/sandbox` })),
  );
}

/** Log mode: what would have been sent, with numbers masked as in every log line. */
function logRequest(RED: NodeAPI, action: string, asked: object): void {
  RED.log.info(shared(RED, "log.onlyLog", { action, request: oneLine(maskNumbers(JSON.stringify(asked))) }));
}

/** Secrets take part in the comparison, but are not kept for it. */
function hash(value: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify(value) ?? "")
    .digest("base64");
}
