import type { RunningTenant } from "../../runtime/tenants/tenants";
import { labelIn, pathLabel } from "../panels/server/instances";
import { translate } from "../texts";

let tenants: readonly RunningTenant[] = [];

/** The tenants that run, each with a name for people, sandboxes first. */
export function deployedTenants(): readonly RunningTenant[] {
  return tenants;
}

/** Keeps the list of tenants up to date, from the last start of the flows on. Calls back with those that are new. */
export function followTenants(changed: (added: readonly RunningTenant[]) => void): void {
  const read = async () => {
    const { tenants: all }: { tenants: readonly RunningTenant[] } = await $.ajax("telephony/tenants");
    const named = all.map((tenant) => ({ ...tenant, name: nameOf(tenant) }));
    const before = new Set(tenants.map(({ id }) => id));
    tenants = named.sort((a, b) => Number(b.mode === "sandbox") - Number(a.mode === "sandbox"));
    changed(tenants.filter(({ id }) => !before.has(id)));
  };
  RED.comms.subscribe("telephony/tenants", () => void read());
}

/** Names a tenant. Of several instances of one tenant, each has a name of its own. */
function nameOf({ id, template, name, path }: RunningTenant): string {
  const label = name || labelIn(template, id);
  return id === template ? label : translate("pattern.aside", { text: label, aside: pathLabel(path) });
}
