import { translate } from "../texts";

/** A tenant as it was last deployed. */
export interface DeployedTenant {
  readonly id: string;
  readonly mode: string;
  /** For people. */
  readonly name: string;
  /** Empty: the server's time zone. */
  readonly timezone: string;
}

/** The tenants that run, those with calls to show first. A tenant that is only drawn has nothing to show. */
export function deployedTenants(): readonly DeployedTenant[] {
  const tenants = (RED.nodes.originalFlow() ?? []).filter(({ type, d }) => type === "telephony-tenant" && !d);
  const named = tenants.map(({ id, name, mode, url, timezone = "" }) => {
    const fallback = mode === "sandbox" ? translate("telephony-tenant.story.sandbox") : url;
    return { id, mode: mode || "live", name: name || fallback || translate("telephony-tenant.type"), timezone };
  });
  return named.sort((a, b) => Number(b.mode === "sandbox") - Number(a.mode === "sandbox"));
}
