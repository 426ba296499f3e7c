import { attempt } from "../../json/rules";
import { notSent, type TenantError } from "../errors";

/** The oldest Node.js that the package supports: `engines` in package.json. */
export const OLDEST_NODE = "20.18.1";

/** The majors of undici that the transport was measured with: `dependencies` in package.json. */
const KNOWN_MAJORS = ["7", "8"];

/** The major that runs on every supported Node.js. */
const NEEDED = "7";

/** At module level: neither Node.js nor an installed package changes before a restart. */
let found: { readonly problem: TenantError | undefined } | undefined;

/**
 * Loads undici with the first request, not with Node-RED.
 * @throws TenantError ERR_CONFIG
 */
export function undici(): typeof import("undici") {
  const loaded = platformProblem() ? undefined : attempt(() => require("undici") as typeof import("undici"));
  if (loaded) return loaded;
  // Its manifest fits, but it throws while it is loaded.
  found = { problem: platformProblem() ?? unfit(manifest().version) };
  throw found.problem;
}

/** Returns why no request can be sent on this installation, always as the same object; `undefined` if requests can be sent. */
export function platformProblem(): TenantError | undefined {
  found ??= { problem: findProblem() };
  return found.problem;
}

function findProblem(): TenantError | undefined {
  const { node } = process.versions;
  // Whatever the version of undici, an older Node.js needs replacing first.
  if (!isAtLeast(OLDEST_NODE)) return refusal("nodeTooOld", { found: node, needed: OLDEST_NODE });
  const { version, engines } = manifest();
  if (version === undefined) return refusal("undiciMissing", {});
  const isKnown = KNOWN_MAJORS.includes(version.split(".")[0] ?? "");
  const [, oldest = OLDEST_NODE] = /^>=\s*(\d+\.\d+\.\d+)$/.exec(engines?.node ?? "") ?? [];
  return isKnown && isAtLeast(oldest) ? undefined : unfit(version);
}

function manifest(): { readonly version?: string; readonly engines?: { readonly node?: string } } {
  return attempt(() => require("undici/package.json")) ?? {};
}

function unfit(version = ""): TenantError {
  return refusal("undiciUnfit", { found: version, needed: NEEDED, node: process.versions.node });
}

function refusal(key: "nodeTooOld" | "undiciMissing" | "undiciUnfit", params: Readonly<Record<string, string>>) {
  return notSent("ERR_CONFIG", "config", { key: `config.${key}`, params });
}

function isAtLeast(version: string): boolean {
  return process.versions.node.localeCompare(version, "en", { numeric: true }) >= 0;
}
