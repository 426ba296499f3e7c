import type { Response } from "express";
import { OPENMETRICS, openMetrics } from "../metrics/openmetrics";
import { usableTenants } from "../tenants/tenants";

/** Sends the numbers of all deployed tenants. */
export function sendMetrics(response: Response): void {
  const tenants = usableTenants().map(({ id, name, mode, client: { lanes }, statistics: { actions } }) => {
    return { id, name, mode, lanes, actions };
  });
  response.set("content-type", OPENMETRICS).send(openMetrics(tenants));
}
