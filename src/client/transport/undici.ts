import { attempt } from "../../json/rules";
import { notSent, TenantError } from "../errors";

type Undici = typeof import("undici");

/** The oldest Node.js that the package supports: `engines` in package.json. */
export const OLDEST_NODE = "20.18.1";

/** The majors of undici that the transport was measured with: `dependencies` in package.json. */
const KNOWN_MAJORS = ["7", "8"];

/** The major that runs on every supported Node.js. */
const NEEDED = "7";

/** At module level: neither Node.js nor an installed package changes before a restart. */
let loaded: Undici | TenantError | undefined;
let works = false;

/**
 * undici. Loaded with the first request, not with Node-RED, and only where an exception reaches nobody but the caller: on
 * a Node.js that is too old, undici throws while it is loaded.
 * @throws TenantError ERR_CONFIG
 */
export function undici(): Undici {
  loaded ??= load();
  if (loaded instanceof TenantError) throw loaded;
  return loaded;
}

/**
 * Why no request can be sent on this installation, always as the same object; `undefined` if requests can be sent. undici
 * is loaded only if its manifest leaves a doubt.
 */
export function platformProblem(): TenantError | undefined {
  works ||= isKnownToWork();
  if (!works) loaded ??= load();
  return loaded instanceof TenantError ? loaded : undefined;
}

function isKnownToWork(): boolean {
  const { version, engines } = manifest() ?? {};
  const [, oldest] = /^>=\s*(\d+\.\d+\.\d+)$/.exec(engines?.node ?? "") ?? [];
  return isKnownMajor(version) && isAtLeast(OLDEST_NODE) && oldest !== undefined && isAtLeast(oldest);
}

function load(): Undici | TenantError {
  // The problem names the versions, which say more than what undici happens to throw.
  const found = attempt(() => require("undici") as Undici);
  const { version } = manifest() ?? {};
  if (found && isKnownMajor(version)) return found;
  const node = process.versions.node;
  // Whatever the version of undici, an older Node.js needs replacing first.
  if (!isAtLeast(OLDEST_NODE)) return problem("nodeTooOld", { found: node, needed: OLDEST_NODE });
  if (version === undefined) return problem("undiciMissing", {});
  return problem("undiciUnfit", { found: version, needed: NEEDED, node });
}

function problem(key: "nodeTooOld" | "undiciMissing" | "undiciUnfit", params: Readonly<Record<string, string>>) {
  return notSent("ERR_CONFIG", "config", { key: `config.${key}`, params });
}

function manifest(): { readonly version?: string; readonly engines?: { readonly node?: string } } | undefined {
  return attempt(() => require("undici/package.json"));
}

function isKnownMajor(version: string | undefined): boolean {
  return KNOWN_MAJORS.includes(version?.split(".")[0] ?? "");
}

function isAtLeast(version: string): boolean {
  return process.versions.node.localeCompare(version, "en", { numeric: true }) >= 0;
}
