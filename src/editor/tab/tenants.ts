import { translate } from "../texts";

/** A tenant as it was last deployed. Without a time zone of its own, it has an empty one. */
export type DeployedTenant = Required<Pick<FlowEntry, "id" | "mode" | "name" | "timezone">>;

/** The deployed tenants, sandboxes first. */
export function deployedTenants(): readonly DeployedTenant[] {
  const tenants = (RED.nodes.originalFlow() ?? []).filter(({ type, d }) => type === "telephony-tenant" && !d);
  const named = tenants.map(({ id, name, mode, url, timezone = "" }) => {
    const fallback = mode === "sandbox" ? translate("telephony-tenant.story.sandbox") : url;
    return { id, mode: mode || "live", name: name || fallback || translate("telephony-tenant.type"), timezone };
  });
  return named.sort((a, b) => Number(b.mode === "sandbox") - Number(a.mode === "sandbox"));
}
