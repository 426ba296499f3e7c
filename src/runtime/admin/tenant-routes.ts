import type { NodeAPI } from "node-red";
import {
  type Job,
  type JobResult,
  notSent,
  type Request,
  readSettings,
  TenantClient,
  type TenantError,
} from "../../tenant";
import { wholeList } from "../actions/pages";
import { COMMANDS, carryOut } from "../control/command";
import { notBegun } from "../delivery/failure";
import { asTenantError, refusal } from "../node-red/texts";
import { problemOf, tenantOf } from "../tenants/tenants";
import type { AdminAnswer } from "./http";

const LIST: Request = { method: "GET", path: "/api/v1/setting/business-hour", query: { limit: 1 } };
const TEST_TIMEOUT_S = 10;

/** Tests a connection: how many schedules there are and how long the answer took, or what is wrong. */
export async function test(RED: NodeAPI, body: Readonly<Record<string, unknown>>): Promise<AdminAnswer> {
  const started = performance.now();
  const end = await testTenant(body);
  if (!end.ok) return told(RED, end.error);
  return { body: { ok: true, schedules: totalOf(end.data), elapsedMs: Math.round(performance.now() - started) } };
}

/** The schedules that a deployed tenant has, for a dialog's list. */
export async function schedules(RED: NodeAPI, id: string): Promise<AdminAnswer> {
  const client = tenantOf(id)?.client;
  if (!client) return told(RED, problemOf(id));
  const end = await wholeList({
    request: { method: "GET", path: "/api/v1/setting/business-hour" },
    send: (page) => ask(client, page),
  });
  return end.ok ? { body: { ok: true, schedules: (end.data as unknown[]).map(summary) } } : told(RED, end.error);
}

/** Pauses, resumes, drops or counts what waits for a deployed tenant. */
export function command(RED: NodeAPI, id: string, body: Readonly<Record<string, unknown>>): AdminAnswer {
  const chosen = COMMANDS.find((known) => known === body["command"]);
  if (!chosen) return { status: 400, body: { ok: false } };
  try {
    const tenant = tenantOf(id);
    if (!tenant) throw problemOf(id);
    return { body: { ok: true, ...carryOut(tenant, chosen) } };
  } catch (error) {
    return told(RED, asTenantError(error));
  }
}

/**
 * Asks a tenant for one schedule: a deployed one by its id, with its own settings; or an address and a token that were both
 * typed just now. A saved token never goes to an address from a request.
 */
async function testTenant(body: Readonly<Record<string, unknown>>): Promise<JobResult> {
  const { id, url, token, authHeader } = body;
  if (id !== undefined) {
    const tenant = tenantOf(String(id));
    if (!tenant) return notBegun(problemOf(String(id)));
    return ask(tenant.client, LIST);
  }
  let client: TenantClient;
  try {
    const settings = readSettings({ url, authHeader, timeout: TEST_TIMEOUT_S }, token);
    if (!settings.address) throw notSent("ERR_CONFIG", "config", { key: "config.addressMissing", field: "url" });
    client = new TenantClient({ ...settings, address: settings.address });
  } catch (error) {
    return notBegun(asTenantError(error));
  }
  try {
    return await ask(client, LIST);
  } finally {
    client.refuse(notSent("ERR_DROPPED", "queue"));
  }
}

function ask(client: TenantClient, request: Request): Promise<JobResult> {
  const job: Job = { id: "", nodeId: "", action: "editor", lane: "other", repeat: "freely", request };
  return client.send(job);
}

function told(RED: NodeAPI, error: TenantError): AdminAnswer {
  const { code, phase, details } = error;
  return {
    body: { ok: false, code, phase, ...(details.field && { field: details.field }), ...refusal(RED, error) },
  };
}

function totalOf(data: unknown): number | null {
  const total = typeof data === "object" && data !== null && "total" in data ? data.total : undefined;
  return typeof total === "number" ? total : null;
}

function summary(item: unknown): { id: unknown; name: unknown } {
  const { id, name } = (typeof item === "object" && item !== null ? item : {}) as { id?: unknown; name?: unknown };
  return { id, name };
}
