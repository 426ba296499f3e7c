import { asConfigError, type Job, operations, requestFor, type TenantError } from "../../client";
import { NumberGuard } from "../../client/guard/number-guard";
import { TENANT_SETTINGS } from "../../client/settings";
import { toText } from "../../fields";
import { checkSetting } from "../../fields/setting";
import { NO_SOURCES } from "../../runtime/node-red/host";
import { perNode } from "../../runtime/node-red/node-state";
import { guardLists, listPair } from "../../runtime/tenants/guard";
import { tenantOf } from "../../runtime/tenants/tenants";
import { type Body, HttpError, isRecord } from "./http";

/** Lists whose values not every reader of the flows may see, and that may change until a call is placed. */
const UNSEEN = ["flow", "global", "env"];

/** `later`: only known when the call is placed. `rests`: waits for calling hours that are not known. */
export interface Ruling {
  readonly ok: true;
  readonly kind: "called" | "later" | "waits" | "rests" | NonNullable<TenantError["details"]["rule"]>;
  readonly retryAfterMs?: number;
  /** When calling hours begin, ISO 8601. */
  readonly until?: string;
}

/**
 * What a call to a number would meet: the lists as they are typed in the dialog, and the limit and the calling hours of the
 * deployed tenant.
 */
export async function tryNumber({ id, number: typed, config }: Body): Promise<Ruling> {
  const number = toText(typed, "to.number");
  if (!isRecord(config) || number === undefined) throw new HttpError(400);
  const isUnseen = (property: "allow" | "block") => UNSEEN.includes(listPair(config, property).type);
  const [allowsUnseen, blocksUnseen] = [isUnseen("allow"), isUnseen("block")];
  const call = callTo(number);
  const problem = await guardOf({
    ...config,
    ...(allowsUnseen && { allow: [] }),
    ...(blocksUnseen && { block: [] }),
  }).check(call);
  if (problem) return ruling(problem);
  if (allowsUnseen || blocksUnseen) return { ok: true, kind: "later" };
  const { client } = tenantOf(String(id));
  const limit = await client?.tryGuard(call);
  if (limit?.details.rule === "perNumber") return ruling(limit);
  const hours = client?.lanes.callingHours;
  if (hours?.refusal) throw hours.refusal;
  if (!hours || hours.isOpen) return { ok: true, kind: "called" };
  return hours.opensAt === null ? { ok: true, kind: "rests" } : { ok: true, kind: "waits", until: hours.opensAt };
}

/** @throws TenantError for a problem that is no ruling */
function ruling(problem: TenantError): Ruling {
  const { rule, retryAfterMs } = problem.details;
  if (rule === undefined) throw problem;
  return { ok: true, kind: rule, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

function callTo(number: string): Pick<Job, "action" | "request"> {
  const body = { "to.type": "external", "to.number": number };
  return { action: "call-out", request: requestFor(operations.callOut, body) };
}

/** One for all dialogs: the last guard, because a long list takes seconds to read and the dialog asks with each key. */
const ONLY = "";
const last = perNode<{ readonly content: string; readonly guard: NumberGuard }>("guard preview");

function guardOf(config: Body): NumberGuard {
  const { country, perNumber, allow, allowType, block, blockType } = config;
  const content = JSON.stringify([country, perNumber, allow, allowType, block, blockType]);
  const known = last.get(ONLY);
  if (known?.content === content) return known.guard;
  const guard = newGuard(config);
  last.set(ONLY, { content, guard });
  return guard;
}

function newGuard(config: Body): NumberGuard {
  try {
    const country = checkSetting(TENANT_SETTINGS.country, config["country"], "country");
    const perNumber = checkSetting(TENANT_SETTINGS.perNumber, config["perNumber"], "perNumber");
    return new NumberGuard({ country, perNumber, perNumberMs: 0 }, guardLists(config, NO_SOURCES));
  } catch (error) {
    throw asConfigError(error);
  }
}
