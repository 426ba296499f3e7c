import type { NodeAPI } from "node-red";
import type { Config } from "../../fields";

/** The only module of a tenant, in a version or a range of versions: no address, alias or folder instead of one. */
const IOREDIS = /^ioredis(@[\^~]?\d+(\.\d+){0,2})?$/;
const HOOK = "preInstall.telephony";

/** A module to install, as Node-RED gives it to a hook. */
interface Installation {
  readonly module: string;
  readonly version?: string;
}

interface Hooks {
  /** @param run returns `false` to skip the installation */
  add(hook: string, run: (installation: Installation) => false | undefined): void;
  remove(hook: string): void;
}

/** The modules that a tenant names, as Node-RED reads them. */
function modulesOf({ modules }: Config): string[] {
  const list = (Array.isArray(modules) ? modules : [modules]) as unknown[];
  return list.map((each) => (typeof each === "string" ? each : String(Object(each).module ?? ""))).filter(Boolean);
}

/** The first module that a tenant names and may not, shortened. */
export function forbiddenModule(config: Config): string | undefined {
  return modulesOf(config)
    .find((each) => !IOREDIS.test(each))
    ?.slice(0, 100);
}

/**
 * The property by which Node-RED installs the modules of a tenant, unless the settings forbid what a function node would
 * install. A flow file may name any module there: those that only tenants name are not installed.
 */
export function moduleProperty({ settings, hooks, nodes }: NodeAPI & { readonly hooks?: Hooks }): object {
  if ((settings as { functionExternalModules?: unknown }).functionExternalModules === false || !hooks) return {};
  try {
    // A set that is disabled and enabled again is registered again.
    hooks.remove(HOOK);
    hooks.add(HOOK, (installation) => (isForbidden(nodes, installation) ? false : undefined));
  } catch {
    // Node-RED logs both, and a log handler may throw. Without the hook, nothing may be installed.
    return {};
  }
  return { dynamicModuleList: "modules" };
}

/** Whether only tenants name a module, and may not. */
function isForbidden(nodes: NodeAPI["nodes"], { module, version }: Installation): boolean {
  const spec = version ? `${module}@${version}` : module;
  if (IOREDIS.test(spec)) return false;
  let [isOurs, isOthers] = [false, false];
  nodes.eachNode((node) => {
    const { type, modules, ...others } = node as unknown as Config & { readonly type: string };
    if (type === "telephony-tenant") isOurs ||= modulesOf({ modules } as Config).includes(spec);
    else isOthers ||= JSON.stringify({ modules, ...others }).includes(JSON.stringify(spec));
  });
  return isOurs && !isOthers;
}
