import type { Settings } from "../../client";
import { type Config, calendarAddress, type Host, isGiven, type Pair, pairOf, toExceptions } from "../../fields";
import { checkTenantSource, literalOf } from "../../fields/sources/property";
import { hostZone } from "../../hours";

/** The schedule that limits a tenant's call-outs. Plain data: equal settings mean the same hours. */
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
