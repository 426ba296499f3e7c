import { translate } from "../texts";

/** A tenant as it was last deployed. */
export interface DeployedTenant {
  readonly id: string;
  readonly mode: string;
  readonly name: string;
  /** Empty: the server's time zone. */
  readonly timezone: string;
}

/** The deployed tenants, sandboxes first. */
export function deployedTenants(): readonly DeployedTenant[] {
  const tenants = (RED.nodes.originalFlow() ?? []).filter(({ type, d }) => type === "telephony-tenant" && !d);
  const named = tenants.map(({ id, name, mode, url, timezone = "" }) => {
    const fallback = mode === "sandbox" ? translate("telephony-tenant.story.sandbox") : url;
    return { id, mode: mode || "live", name: name || fallback || translate("telephony-tenant.type"), timezone };
  });
  return named.sort((a, b) => Number(b.mode === "sandbox") - Number(a.mode === "sandbox"));
}
