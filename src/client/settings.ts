import { parseRedisAddress } from "../backlog/redis/address";
import { checkSetting, checkSettings, type SettingValue } from "../fields/setting";
import { withoutVariable } from "../fields/variable";
import { ValueError } from "../hours/value-error";
import { parseAddress } from "./transport/address";

/** The settings of a tenant as the dialog and the runtime check them. */
export const TENANT_SETTINGS = {
  mode: { kind: "option", choices: ["live", "sandbox", "log"], default: "live" },
  url: { kind: "address", default: "" },
  authHeader: { kind: "header", default: "Authentication" },
  partyFields: { kind: "option", choices: ["auto", "dotted", "nested"], default: "auto" },
  fromNumber: { kind: "hotline", default: "" },
  fromAlias: { kind: "text", default: "" },
  /** IANA zone, empty for the host's. */
  timezone: { kind: "zone", default: "" },
  timeout: { kind: "number", from: 1, to: 600, default: 30 },
  concurrency: { kind: "number", whole: true, from: 1, to: 256, default: 8 },
  /** Call-outs started per second; 0 for no limit. */
  rate: { kind: "number", from: 0, to: 1000, default: 0 },
  backlog: { kind: "number", whole: true, from: 0, to: 1_000_000, default: 10_000 },
  /** The store in which call-outs wait; empty: in a file where that can be written, else in memory. */
  engine: { kind: "option", choices: ["", "memory", "file", "redis"], default: "" },
  /** The shared backlog's name; empty: the config node's id. */
  group: { kind: "text", default: "" },
  /** The name of the schedule that limits when call-outs may leave; empty for no limit. */
  callingHours: { kind: "text", default: "" },
  onTrouble: { kind: "option", choices: ["wait", "fail"], default: "wait" },
  /** Seconds for which a call-out waits while nothing but trouble keeps it; 0 for no limit. */
  waitAtMost: { kind: "number", from: 0, to: 2_678_400, default: 900 },
  /** Country of numbers without a country code, ISO 3166; empty for none. */
  country: { kind: "country", default: "" },
  /** Call-outs to one number in `perNumberHours`; 0 for no limit. */
  perNumber: { kind: "number", whole: true, from: 0, to: 100, default: 0 },
  perNumberHours: { kind: "number", from: 0.1, to: 8784, default: 24 },
  /** 0 for any free port. */
  sandboxPort: { kind: "number", whole: true, from: 0, to: 65_535, default: 0 },
  /** The styles that the sandbox reads. */
  sandboxParties: { kind: "option", choices: ["either", "dotted", "nested"], default: "either" },
  sandboxBooleans: { kind: "option", choices: ["either", "words", "digits"], default: "either" },
} as const;

export type Mode = SettingValue<(typeof TENANT_SETTINGS)["mode"]>;

export type Settings = Readonly<ReturnType<typeof readSettings>>;

/**
 * Checks the properties of a tenant as a flow file holds them; numbers may be strings.
 * @throws ValueError
 */
export function readSettings(config: Readonly<Record<string, unknown>>, token: unknown, redisUrl?: unknown) {
  const { url, ...others } = TENANT_SETTINGS;
  const { fromNumber, fromAlias, timeout, callingHours, perNumberHours, waitAtMost, ...same } = checkSettings(
    others,
    config,
  );
  const isSandbox = same.mode === "sandbox";
  const access = {
    /** Absent in sandbox mode. */
    ...(!isSandbox && { address: parseAddress(checkSetting(url, config["url"], "url")) }),
    /** Empty in sandbox mode. */
    token: isSandbox ? "" : readToken(token),
  };
  return {
    ...same,
    ...access,
    fromNumber: fromNumber || undefined,
    fromAlias: fromAlias || undefined,
    timeoutMs: timeout * 1000,
    /** May contain a password; empty unless call-outs wait in Redis. */
    redisUrl: same.mode === "live" && same.engine === "redis" ? readRedisUrl(redisUrl) : "",
    callingSchedule: callingHours,
    perNumberMs: perNumberHours * 3_600_000,
    waitAtMostMs: waitAtMost * 1000,
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

/** @throws ValueError when it is missing or has another form */
export function readRedisUrl(value: unknown): string {
  const url = withoutVariable((typeof value === "string" ? value : "").trim(), "redisUrl");
  if (parseRedisAddress(url) === undefined) throw new ValueError("config.redisUrl", "redisUrl");
  return url;
}
