import { parseRedisAddress } from "../backlog/redis/redis-address";
import { checkSetting, type SettingValue, withoutVariable } from "../fields/setting";
import { ValueError } from "../hours/value-error";
import { type Address, parseAddress } from "./transport/address";

/** The settings of a tenant as the dialog and the runtime check them. */
export const TENANT_SETTINGS = {
  mode: { kind: "option", choices: ["live", "sandbox", "log"], default: "live" },
  url: { kind: "address", default: "" },
  authHeader: { kind: "header", default: "Authentication" },
  partyFields: { kind: "option", choices: ["auto", "dotted", "nested"], default: "auto" },
  fromNumber: { kind: "text", default: "" },
  fromAlias: { kind: "text", default: "" },
  timezone: { kind: "zone", default: "" },
  timeout: { kind: "number", from: 1, to: 600, default: 30 },
  concurrency: { kind: "number", whole: true, from: 1, to: 256, default: 8 },
  rate: { kind: "number", from: 0, to: 1000, default: 0 },
  backlog: { kind: "number", whole: true, from: 0, to: 1_000_000, default: 10_000 },
  engine: { kind: "option", choices: ["", "memory", "file", "redis"], default: "" },
  group: { kind: "text", default: "" },
  callingHours: { kind: "text", default: "" },
  onTrouble: { kind: "option", choices: ["fail", "wait"], default: "fail" },
  country: { kind: "country", default: "" },
  perNumber: { kind: "number", whole: true, from: 0, to: 100, default: 0 },
  perNumberHours: { kind: "number", from: 0.1, to: 8784, default: 24 },
  sandboxPort: { kind: "number", whole: true, from: 0, to: 65_535, default: 0 },
  sandboxParties: { kind: "option", choices: ["either", "dotted", "nested"], default: "either" },
  sandboxBooleans: { kind: "option", choices: ["either", "words", "digits"], default: "either" },
} as const;

type Declared = typeof TENANT_SETTINGS;
export type Mode = SettingValue<Declared["mode"]>;

/** A tenant's settings, checked. */
export interface Settings {
  readonly mode: Mode;
  /** Absent in sandbox mode. */
  readonly address?: Address;
  /** Empty in sandbox mode. */
  readonly token: string;
  readonly authHeader: string;
  readonly partyFields: SettingValue<Declared["partyFields"]>;
  readonly fromNumber: string | undefined;
  readonly fromAlias: string | undefined;
  /** IANA zone, empty for the host's. */
  readonly timezone: string;
  readonly timeoutMs: number;
  readonly concurrency: number;
  /** Call-outs started per second; 0 for no limit. */
  readonly rate: number;
  readonly backlog: number;
  /** Where call-outs wait; empty: in a file where that can be written, else in memory. */
  readonly engine: SettingValue<Declared["engine"]>;
  /** The shared backlog's name; empty: the config node's id. */
  readonly group: string;
  /** Address of Redis, which may contain a password; empty unless call-outs wait there. */
  readonly redisUrl: string;
  /** The name of the schedule that limits when call-outs may leave; empty for no limit. */
  readonly callingSchedule: string;
  readonly onTrouble: SettingValue<Declared["onTrouble"]>;
  /** Country of numbers without a country code, ISO 3166 in capitals; empty for none. */
  readonly country: string;
  /** Call-outs to one number in `perNumberMs`; 0 for no limit. */
  readonly perNumber: number;
  readonly perNumberMs: number;
  /** 0 for any free port. */
  readonly sandboxPort: number;
  /** The styles that the sandbox reads. */
  readonly sandboxParties: SettingValue<Declared["sandboxParties"]>;
  readonly sandboxBooleans: SettingValue<Declared["sandboxBooleans"]>;
}

/**
 * Checks the properties of a tenant as a flow file holds them; numbers may be strings.
 * @throws ValueError
 */
export function readSettings(config: Readonly<Record<string, unknown>>, token: unknown, redisUrl?: unknown): Settings {
  const read = <Name extends keyof Declared>(property: Name) =>
    checkSetting(TENANT_SETTINGS[property], config[property], property);
  const mode = read("mode");
  const isSandbox = mode === "sandbox";
  const engine = read("engine");
  return {
    mode,
    ...(!isSandbox && { address: parseAddress(read("url")) }),
    token: isSandbox ? "" : readToken(token),
    authHeader: read("authHeader"),
    partyFields: read("partyFields"),
    fromNumber: read("fromNumber") || undefined,
    fromAlias: read("fromAlias") || undefined,
    timezone: read("timezone"),
    timeoutMs: read("timeout") * 1000,
    concurrency: read("concurrency"),
    rate: read("rate"),
    backlog: read("backlog"),
    engine,
    group: read("group"),
    redisUrl: mode === "live" && engine === "redis" ? readRedisUrl(redisUrl) : "",
    callingSchedule: read("callingHours"),
    onTrouble: read("onTrouble"),
    country: read("country"),
    perNumber: read("perNumber"),
    perNumberMs: read("perNumberHours") * 3_600_000,
    sandboxPort: read("sandboxPort"),
    sandboxParties: read("sandboxParties"),
    sandboxBooleans: read("sandboxBooleans"),
  };
}

/**
 * Trims an access token and removes a pasted `Bearer`.
 * @throws ValueError when it is missing or cannot stand in a header
 */
export function readToken(value: unknown): string {
  const token = (typeof value === "string" ? value : "").trim().replace(/^Bearer(\s+|$)/i, "");
  if (token === "") throw new ValueError("config.tokenMissing", "token");
  withoutVariable(token, "token");
  if (!/^[\x21-\x7E]{1,4096}$/.test(token)) throw new ValueError("config.tokenCharacters", "token");
  return token;
}

/**
 * Checks the address of Redis.
 * @throws ValueError when it is missing or has another form
 */
export function readRedisUrl(value: unknown): string {
  const url = withoutVariable((typeof value === "string" ? value : "").trim(), "redisUrl");
  if (parseRedisAddress(url) === undefined) throw new ValueError("config.redisUrl", "redisUrl");
  return url;
}
