import { OPENMETRICS, openMetrics } from "../../runtime/metrics/openmetrics";
import { usableTenants } from "../../runtime/tenants/tenants";
import { Content } from "./http";

/** The numbers of all deployed tenants. */
export function metrics(): Content {
  const tenants = usableTenants().map(({ id, name, mode, client: { lanes }, statistics: { actions } }) => {
    return { id, name, mode, lanes, actions };
  });
  return new Content(openMetrics(tenants), { "content-type": OPENMETRICS });
}
