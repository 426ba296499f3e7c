import { FieldError } from "../fields";
import { isGiven, toNumber, toText } from "../fields/kinds/coerce";
import type { ConfigKey } from "../fields/text-key";
import { isZone } from "../hours";
import { type Address, parseAddress } from "./address";
import { notSent } from "./errors";
import type { PartyFields } from "./request";

export type Mode = "live" | "sandbox" | "log";

/** A tenant's settings, checked. */
export interface Settings {
  readonly mode: Mode;
  /** Absent in sandbox mode. */
  readonly address?: Address;
  /** Empty in sandbox mode. */
  readonly token: string;
  readonly authHeader: string;
  readonly partyFields: PartyFields;
  readonly fromNumber: string | undefined;
  readonly fromAlias: string | undefined;
  /** IANA zone, empty for the host's. */
  readonly timezone: string;
  readonly timeoutMs: number;
  readonly concurrency: number;
  readonly rate: number;
  readonly backlog: number;
  readonly onTrouble: "fail" | "wait";
  readonly sandboxPort: number;
}

/** Headers that HTTP itself needs or that this client sends; the last four undici would refuse or merge at each request. */
const RESERVED_HEADERS = new Set([
  "host",
  "content-length",
  "content-type",
  "transfer-encoding",
  "connection",
  "accept",
  "accept-encoding",
  "expect",
  "keep-alive",
  "upgrade",
]);

/**
 * Checks the properties of a tenant as a flow file holds them; numbers may be strings.
 * @throws TenantError ERR_CONFIG that names the property
 */
export function readSettings(config: Readonly<Record<string, unknown>>, token: unknown): Settings {
  const mode = oneOf(config, "mode", ["live", "sandbox", "log"], "live");
  const simulated = mode === "sandbox";
  const timezone = words(config, "timezone");
  const zoneKnown: boolean = timezone === "" || isZone(timezone);
  if (!zoneKnown) throw bad("timezone", "zoneUnknown", { zone: timezone.slice(0, 60) });
  const authHeader = words(config, "authHeader") || "Authentication";
  if (!/^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/.test(authHeader) || RESERVED_HEADERS.has(authHeader.toLowerCase())) {
    throw bad("authHeader", "authHeader");
  }
  return {
    mode,
    ...(!simulated && { address: parseAddress(resolved("url", words(config, "url"))) }),
    token: simulated ? "" : readToken(token),
    authHeader,
    partyFields: oneOf(config, "partyFields", ["dotted", "nested"], "dotted"),
    fromNumber: resolved("fromNumber", words(config, "fromNumber")) || undefined,
    fromAlias: resolved("fromAlias", words(config, "fromAlias")) || undefined,
    timezone,
    timeoutMs: number(config, "timeout", 30, 1, 600) * 1000,
    concurrency: whole(config, "concurrency", 8, 1, 256),
    rate: number(config, "rate", 0, 0, 1000),
    backlog: whole(config, "backlog", 10_000, 0, 1_000_000),
    onTrouble: oneOf(config, "onTrouble", ["fail", "wait"], "fail"),
    sandboxPort: whole(config, "sandboxPort", 0, 0, 65_535),
  };
}

/** Takes off what gets pasted along with a token. Throws ERR_CONFIG when there is none, or when it cannot stand in a header. */
export function readToken(value: unknown): string {
  const token = (typeof value === "string" ? value : "").trim().replace(/^Bearer(\s+|$)/i, "");
  if (token === "") throw bad("token", "tokenMissing");
  resolved("token", token);
  if (!/^[\x21-\x7E]{1,4096}$/.test(token)) throw bad("token", "tokenCharacters");
  return token;
}

/** Node-RED leaves `${NAME}` as it is when there is no such environment value, or when it is not the whole text. */
function resolved(property: string, text: string): string {
  const [, variable] = /\$\{([^}]*)\}/.exec(text) ?? [];
  if (variable !== undefined) throw bad(property, "unresolved", { variable: variable.slice(0, 60) });
  return text;
}

function words(config: Readonly<Record<string, unknown>>, property: string): string {
  try {
    return toText(config[property], property) ?? "";
  } catch (error) {
    if (error instanceof FieldError) throw bad(property, "notText");
    throw error;
  }
}

function oneOf<const T extends string>(
  config: Readonly<Record<string, unknown>>,
  property: string,
  choices: readonly T[],
  standard: T,
): T {
  const value = config[property];
  if (!isGiven(value)) return standard;
  const known = choices.find((choice) => choice === value);
  if (known === undefined) throw bad(property, "notChoice", { choices: choices.join(", ") });
  return known;
}

function number(
  config: Readonly<Record<string, unknown>>,
  property: string,
  standard: number,
  from: number,
  to: number,
): number {
  let value: number | undefined;
  try {
    value = toNumber(config[property], property);
  } catch {
    value = Number.NaN;
  }
  if (value === undefined) return standard;
  if (!(value >= from && value <= to)) throw bad(property, "range", { from, to });
  return value;
}

function whole(
  config: Readonly<Record<string, unknown>>,
  property: string,
  standard: number,
  from: number,
  to: number,
): number {
  const value = number(config, property, standard, from, to);
  if (!Number.isInteger(value)) throw bad(property, "range", { from, to });
  return value;
}

function bad(field: string, key: ConfigKey, params: Readonly<Record<string, string | number>> = {}) {
  return notSent("ERR_CONFIG", "config", { key: `config.${key}`, field, params: { field, ...params } });
}
