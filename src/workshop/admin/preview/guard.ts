import { asConfigError, type Job, operations, requestFor, type TenantError, tryGuard } from "../../../client";
import { NumberGuard } from "../../../client/guard/number-guard";
import { TENANT_SETTINGS } from "../../../client/settings";
import { type Config, toText } from "../../../fields";
import { checkSetting } from "../../../fields/setting";
import { memoizeLast } from "../../../hours/memoize";
import { NO_SOURCES } from "../../../runtime/node-red/host";
import { guardLists, listPair } from "../../../runtime/tenants/guard";
import { tenantOf } from "../../../runtime/tenants/tenants";
import { type Body, HttpError } from "../http";
import type { Preview, Reader } from "./answer";

/** Lists whose values not every reader of the flows may see, and that may change until a call is placed. */
const UNSEEN = ["flow", "global", "env"];

/**
 * Returns what a call to a number would meet: the lists as they are typed in the dialog, and the blocked numbers, the limit and the calling
 * hours of the deployed tenant.
 */
export async function tryNumber(reader: Reader, config: Config, body: Body): Promise<Preview> {
  const number = toText(body["number"], "to.number");
  if (number === undefined) throw new HttpError(400);
  return { lines: [{ text: await ruling(reader, config, callTo(number)) }] };
}

async function ruling(reader: Reader, config: Config, call: Call): Promise<string> {
  const isUnseen = (property: "allow" | "block") => UNSEEN.includes(listPair(config, property).type);
  const [allowsUnseen, blocksUnseen] = [isUnseen("allow"), isUnseen("block")];
  const { country, perNumber, allow, allowType, block, blockType } = config;
  const seen = {
    country,
    perNumber,
    allow: allowsUnseen ? [] : allow,
    allowType,
    block: blocksUnseen ? [] : block,
    blockType,
  };
  const problem = await guardOf(JSON.stringify(seen)).check(call);
  if (problem) return broken(reader, problem);
  if (allowsUnseen || blocksUnseen) return reader.text("guard.later");
  const { client } = tenantOf(String(config["id"]));
  const limit = client && (await tryGuard(client, call));
  const { rule } = limit?.details ?? {};
  if (limit && (rule === "perNumber" || rule === "opt-out")) return broken(reader, limit);
  const hours = client?.lanes.callingHours;
  if (hours?.refusal) throw hours.refusal;
  if (!hours || hours.isOpen) return reader.text("guard.called");
  if (hours.opensAt === null) return reader.text("guard.rests");
  return reader.text("guard.waits", { at: reader.moment(hours.opensAt) });
}

/** @throws TenantError for a problem that is no ruling */
function broken(reader: Reader, problem: TenantError): string {
  const { rule, retryAfterMs = 0 } = problem.details;
  if (rule === undefined) throw problem;
  return reader.text(`guard.${rule}`, { time: duration(retryAfterMs, reader.language) });
}

/** Writes a duration in hours, or in minutes if they are few. */
function duration(ms: number, language: string): string {
  const minutes = Math.ceil(ms / 60_000);
  const [count, unit] = minutes < 120 ? [minutes, "minute"] : [Math.ceil(minutes / 60), "hour"];
  return count.toLocaleString(language, { style: "unit", unit });
}

type Call = Pick<Job, "action" | "request">;

function callTo(number: string): Call {
  const body = { "to.type": "external", "to.number": number };
  return { action: "call-out", request: requestFor(operations.callOut, body) };
}

/** The last one is kept, because a long list takes seconds to read and the dialog asks with each key. */
const guardOf = memoizeLast((settings: string): NumberGuard => {
  try {
    const config = JSON.parse(settings) as Config;
    const country = checkSetting(TENANT_SETTINGS.country, config["country"], "country");
    const perNumber = checkSetting(TENANT_SETTINGS.perNumber, config["perNumber"], "perNumber");
    return new NumberGuard({ country, perNumber, perNumberMs: 0 }, guardLists(config, NO_SOURCES));
  } catch (error) {
    throw asConfigError(error);
  }
});
