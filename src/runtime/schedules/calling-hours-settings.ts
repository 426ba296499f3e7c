import { type Config, custom, FieldError, type Host, type Pair, pairOf, reader, toExceptions } from "../../fields";
import { literalOf } from "../../fields/sources/property";
import { type Exceptions, hostZone } from "../../hours";
import { notSent, type Settings, type TenantError } from "../../tenant";
import { asTenantError } from "../node-red/texts";
import { memoizeByContent } from "./memoize-by-content";

/** Which schedule limits a tenant's call-outs. Plain data: equal settings mean the same hours. */
export interface HoursSettings {
  /** The name of a schedule of the tenant. */
  readonly name: string;
  readonly zone: string;
  readonly exceptions: Pair;
}

/** Types whose value needs no message. A value of the others is checked when it is read. */
const FIXED = ["list", "json", "str"];
const SOURCES = [...FIXED, "flow", "global", "env"];

/**
 * The calling hours of a tenant; `undefined` for none.
 * @throws TenantError ERR_CONFIG
 */
export function readHours(config: Config, { callingSchedule: name, timezone }: Settings): HoursSettings | undefined {
  const exceptions = pairOf(config, "callingExceptions") ?? { value: [], type: "list" };
  try {
    if (!SOURCES.includes(exceptions.type))
      throw new FieldError("badType", "callingExceptions", { type: exceptions.type.slice(0, 60) });
    if (FIXED.includes(exceptions.type) && exceptions.value !== "")
      toExceptions(literalOf(exceptions, "callingExceptions"), "callingExceptions");
  } catch (error) {
    throw asConfigProblem(error);
  }
  return name === "" ? undefined : { name, zone: timezone || hostZone(), exceptions };
}

/** Reads the exceptions as they are now, since a context store may change. Rejects with TenantError ERR_CONFIG. */
export function exceptionsReader({ exceptions: pair }: HoursSettings, host: Host): () => Promise<Exceptions> {
  const none = toExceptions(undefined, "callingExceptions");
  const config = { callingExceptions: pair.value, callingExceptionsType: pair.type };
  const { read } = reader({ callingExceptions: custom("list", memoizeByContent(toExceptions)) }, config, host);
  return async () => (await read({}).catch(refuse)).callingExceptions ?? none;
}

function refuse(error: unknown): never {
  throw asConfigProblem(error);
}

/** Exceptions belong to the tenant's configuration, wherever they are stored. */
export function asConfigProblem(error: unknown): TenantError {
  const { key, params, details } = asTenantError(error);
  return notSent("ERR_CONFIG", "config", { key, params, ...details });
}
