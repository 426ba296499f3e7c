import { createHash } from "node:crypto";
import type { NodeAPI } from "node-red";
import { maskNumbers, oneLine } from "../../fields";
import {
  type Address,
  type ClientOptions,
  type DeduplicationKeys,
  notSent,
  platformProblem,
  type RequestStyle,
  readSettings,
  readTls,
  type Settings,
  TenantClient,
} from "../../tenant";
import { Mailbox } from "../delivery/mailbox";
import { shared } from "../node-red/catalogue";
import { quietly } from "../node-red/quietly";
import { asTenantError } from "../node-red/texts";
import { ScheduleCache } from "../schedules/schedule-cache";
import { skippedEntries } from "../schedules/skipped-entries";
import { type Tenant, unusable } from "./chosen-tenant";
import { proxyFor } from "./proxy";
import { closeSandbox, openSandbox } from "./sandboxes";
import { tlsFor } from "./tls";

/** A config node's properties, unchecked. */
export interface TenantConfig extends Readonly<Record<string, unknown>> {
  readonly id: string;
  readonly tls?: string;
  readonly proxy?: string;
}

/** By config node id. At module level, because waiting and in-flight requests must outlive a redeploy. */
const deployed = new Map<string, Tenant>();

/**
 * Deduplication keys, by tenant, mode and address. They outlive the tenant: if a deleted one is restored, or the sandbox was
 * only tried out, no phone may ring a second time.
 */
const deduplicationKeys = new Map<string, DeduplicationKeys>();

/** The styles of requests that were found out. They outlive a redeploy, in memory. */
const styles = new Map<string, RequestStyle>();

const ownerOf = (id: string, { mode, address }: Settings) => `${id} ${hash([mode, address])}`;

/** Clients that a deploy has replaced or removed, while they have requests in flight. */
const retired = new Set<TenantClient>();

/** The tenant of a config node. It is unusable if its settings are wrong, or if it is not deployed. */
export function tenantOf(id: string): Tenant {
  return deployed.get(id) ?? unusable(id, notSent("ERR_CONFIG", "config", { key: "config.notDeployed" }));
}

/** Opens the tenant of a config node, and takes over its predecessor's requests. Never throws. */
export function openTenant(RED: NodeAPI, config: TenantConfig, token: unknown, redisUrl?: unknown): Tenant {
  const before = deployed.get(config.id);
  try {
    const unfit = platformProblem();
    if (unfit) throw unfit;
    const settings = readSettings(config, token, redisUrl);
    const tls = settings.address && tlsFor(RED, config.tls ?? "");
    const proxy = settings.address && proxyFor(RED, config.proxy ?? "", settings.address);
    const fingerprint = hash([settings, tls, proxy?.url.href, proxy?.authorization]);
    if (before?.fingerprint === fingerprint && !before.client.unusable) return before;
    const secure = tls && readTls(tls);
    const access = openAddress(RED, config, settings);
    const options: ClientOptions = {
      ...settings,
      ...access,
      ...(secure && { tls: secure }),
      ...(proxy && { proxy }),
      ...(settings.mode === "log" && { onlyLog: (job, summary) => logRequest(RED, job.action, summary) }),
    };
    const owner = ownerOf(config.id, settings);
    const sameTarget = before?.settings && ownerOf(before.id, before.settings) === owner;
    const styleOwner = `${owner} ${settings.sandboxParties} ${settings.sandboxBooleans}`;
    const client = new TenantClient(options, deduplicationKeys.get(owner), styles.get(styleOwner));
    deduplicationKeys.set(owner, client.deduplicationKeys);
    if (!client.style.isFixed) styles.set(styleOwner, client.style);
    const schedules = sameTarget ? before.schedules : new ScheduleCache(client);
    schedules.client = client;
    schedules.onSkipped = (schedule) =>
      quietly(() => RED.log.warn(skippedEntries(RED, String(config["name"] || config.id), schedule)));
    const { mode } = settings;
    deployed.set(config.id, { id: config.id, mode, problem: undefined, settings, client, schedules, fingerprint });
    retire(before, sameTarget ? client : undefined);
  } catch (error) {
    deployed.set(config.id, unusable(config.id, asTenantError(error)));
    retire(before, undefined);
    // A sandbox whose settings are wrong keeps its calls until they are right.
    if (config["mode"] !== "sandbox") void closeSandbox(config.id);
  }
  return tenantOf(config.id);
}

/** Ends a tenant whose config node is gone. */
export async function closeTenant(id: string): Promise<void> {
  const tenant = deployed.get(id);
  deployed.delete(id);
  retire(tenant, undefined);
  // A sandbox's calls are gone with it: no phone has rung.
  if (tenant?.settings?.mode === "sandbox") deduplicationKeys.delete(ownerOf(id, tenant.settings));
  await closeSandbox(id);
}

/** Node-RED gives a closing node 15 seconds. */
const STOP_WITHIN_MS = 12_000;

/** Ends a tenant because Node-RED stops: requests in flight may end. Its sandbox runs until the process ends. */
export async function stopTenant(id: string): Promise<void> {
  const tenant = deployed.get(id);
  tenant?.schedules?.close();
  const clients = [...retired, ...(tenant?.client ? [tenant.client] : [])];
  await Promise.all(clients.map((client) => client.stop(STOP_WITHIN_MS)));
  // Not earlier: if the process ends while it waits, what is still in flight must be known.
  deployed.delete(id);
}

Mailbox.haltWith(() =>
  [...retired, ...[...deployed.values()].map(({ client }) => client)].flatMap((client) => client?.halt() ?? []),
);

/** The old client ends what is in flight. Waiting requests move to the new client, but never to another target. */
function retire(tenant: Tenant | undefined, successor: TenantClient | undefined): void {
  if (!tenant || tenant.problem) return;
  const { client, schedules } = tenant;
  retired.add(client);
  void client.idle().then(() => retired.delete(client));
  if (successor) {
    client.handOver(successor);
    return;
  }
  schedules.close();
  client.refuse(notSent("ERR_CONFIG", "config", { key: "config.tenantChanged" }));
}

function openAddress(
  RED: NodeAPI,
  { id, name }: TenantConfig,
  settings: Settings,
): { address: Address | Promise<Address>; token: string } {
  if (settings.address) {
    void closeSandbox(id);
    return { address: settings.address, token: settings.token };
  }
  const { sandboxPort: port, authHeader, sandboxParties: parties, sandboxBooleans: booleans } = settings;
  return openSandbox(id, { port, authHeader, styles: { parties, booleans } }, (url) =>
    quietly(() =>
      RED.log.info(shared(RED, "log.sandbox", { tenant: oneLine(String(name || id)), url: `${url}/sandbox` })),
    ),
  );
}

/** Log mode: logs the request instead of sending it, with numbers masked as in every log line. */
function logRequest(RED: NodeAPI, action: string, summary: object): void {
  const request = oneLine(maskNumbers(JSON.stringify(summary)));
  quietly(() => RED.log.info(shared(RED, "log.onlyLog", { action, request })));
}

/** Settings are compared by hash, so that secrets are not kept. */
function hash(value: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify(value) ?? "")
    .digest("base64");
}
