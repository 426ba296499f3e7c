import { createHmac, randomBytes } from "node:crypto";
import { listWaiting, type TenantClient, type WaitingCall } from "../../client";
import { maskDigits, maskNumbers } from "../../fields";
import { plainText } from "../../fields/kinds/phone-number";
import { wallTime } from "../../hours/moment";
import { unknownCalls } from "../../runtime/nodes/control/unknown-calls";
import { usable } from "../../runtime/tenants/chosen-tenant";
import { tenantOf } from "../../runtime/tenants/tenants";

export type WaitingCalls = Awaited<ReturnType<typeof waitingCalls>>;
export type OpenDecisions = Awaited<ReturnType<typeof openDecisions>>;
export type ShownCall = WaitingCalls["calls"][number];

const SHOWN = 50;
/** Calls among which a call to be cancelled is searched. */
const SEARCHED = 10_000;

/** Answers with the call-outs of a deployed tenant that wait. */
export async function waitingCalls(id: string) {
  const { client, settings } = usable(tenantOf(id));
  const calls = await listWaiting(client, { limit: SHOWN, offset: 0 });
  const zone = settings.timezone || undefined;
  const shown = calls.map(({ key, nodeId, notBefore, number, urgent, waitsFor }) => {
    return {
      /** Names the call in a request to call it off; null if it has no deduplication key. */
      handle: key && handleOf(key),
      ...masked({ key, number }),
      nodeId,
      /** Its date on the tenant's wall clock, `2026-11-23T08:00`, if that is to come. */
      at: notBefore !== null && waitsFor === "date" ? wallTime(Date.parse(notBefore), zone) : null,
      urgent,
      waitsFor,
    };
  });
  return {
    ok: true as const,
    /** The next ones, in the order in which they will leave. */
    calls: shown,
    /** The date on the tenant's wall clock. */
    today: wallTime(Date.now(), zone).slice(0, 10),
  };
}

/** Answers with the call-outs of a deployed tenant that ended `unknown`, the oldest first. */
export async function openDecisions(id: string) {
  const calls = await unknownCalls(usable(tenantOf(id)), SEARCHED, 0);
  return { ok: true as const, calls: calls.map((call) => ({ ...call, ...masked(call) })) };
}

function masked({ key, number }: Pick<WaitingCall, "key" | "number">) {
  // A key may have the number in the digits of another script.
  const plain = key && plainText(key);
  const known = number !== null && plain?.includes(number) ? plain.replaceAll(number, maskDigits) : key;
  return { key: known && maskNumbers(known), number: number && maskDigits(number) };
}

/** The deduplication key of a waiting call; `undefined` if the call no longer waits. */
export async function keyOf(client: TenantClient, handle: unknown): Promise<string | undefined> {
  const calls = await listWaiting(client, { limit: SEARCHED, offset: 0 });
  return calls.find(({ key }) => key !== null && handleOf(key) === handle)?.key ?? undefined;
}

/** Nobody outside of this process can try keys on a handle. */
const SECRET = randomBytes(32);

/** The key itself may be a phone number, which not everybody may see who may see the calls. */
function handleOf(key: string): string {
  return createHmac("sha256", SECRET).update(key).digest("base64url").slice(0, 22);
}
