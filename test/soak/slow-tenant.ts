import { LiveTenant } from "../support/process/live-tenant";

/** A tenant that takes 30 to 130 ms for each answer, so that answers overtake each other. */
export async function slowTenant(): Promise<LiveTenant> {
  const tenant = await LiveTenant.start();
  return Object.defineProperty(tenant, "delayMs", { get: () => 30 + Math.random() * 100 });
}
