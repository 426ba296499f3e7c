import { notSent, type Settings } from "../../client";
import {
  type Config,
  calendarAddress,
  custom,
  type Host,
  isGiven,
  type Pair,
  pairOf,
  reader,
  toExceptions,
} from "../../fields";
import { checkTenantSource, literalOf } from "../../fields/sources/property";
import { type Exceptions, hostZone, isEmpty, NO_EXCEPTIONS } from "../../hours";
import { memoizeByContent } from "./memoize";
import { exceptionsInSlices } from "./read-in-slices";

/** Which schedule limits a tenant's call-outs. Plain data: equal settings mean the same hours. */
export interface HoursSettings {
  /** The name of a schedule of the tenant. */
  readonly name: string;
  readonly zone: string;
  readonly exceptions: Pair;
}

/** Types of exceptions that are in the flow file, so that none there means that there are none. The others are elsewhere. */
export const IN_FLOW_FILE: readonly unknown[] = ["list", "json", "str"];
export const HOLIDAY_SOURCES: readonly unknown[] = [...IN_FLOW_FILE, "flow", "global", "env", "url"];

/**
 * The calling hours of a tenant; `undefined` for none.
 * @throws ValueError
 */
export function readHours(
  config: Config,
  { callingSchedule: name, timezone }: Settings,
  host: Pick<Host, "env">,
): HoursSettings | undefined {
  const exceptions = pairOf(config, "callingExceptions") ?? { value: [], type: "list" };
  checkTenantSource(exceptions, "callingExceptions", HOLIDAY_SOURCES, config["z"]);
  if (IN_FLOW_FILE.includes(exceptions.type) && exceptions.value !== "")
    toExceptions(literalOf(exceptions, "callingExceptions"), "callingExceptions");
  if (exceptions.type === "url" && isGiven(exceptions.value))
    calendarAddress(exceptions.value, "callingExceptions", (name) => host.env(name));
  return name === "" ? undefined : { name, zone: timezone || hostZone(), exceptions };
}

/**
 * Reads the exceptions as they are now, since a context store may change. Rejects with ValueError, and with TenantError if they
 * are missing or empty elsewhere than in the flow file: calls that a holiday forbids must not leave meanwhile.
 */
export function exceptionsReader({ exceptions: pair }: HoursSettings, host: Host): () => Promise<Exceptions> {
  const config = { callingExceptions: pair.value, callingExceptionsType: pair.type };
  const fields = reader({ callingExceptions: custom("list", memoizeByContent(exceptionsInSlices)) }, config, host);
  return async () => {
    const { callingExceptions = NO_EXCEPTIONS } = await fields.read({});
    if (IN_FLOW_FILE.includes(pair.type) || !isEmpty(callingExceptions)) return callingExceptions;
    const source = fields.looked("callingExceptions") ?? "";
    const facts = { key: "config.hoursExceptions", field: "callingExceptions", source, params: { source } } as const;
    throw notSent("ERR_CONFIG", "config", facts);
  };
}
