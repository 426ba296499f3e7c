import type { NodeAPI } from "node-red";
import { maskNumbers, oneLine, shownParams } from "../../fields";
import type { Schedule } from "../../hours";
import { shared } from "../node-red/catalogue";

/** A warning for the log: which entries of a tenant's schedule cannot be read, and why the first one cannot. */
export function skippedEntries(RED: NodeAPI, tenant: string, { name, id, skipped = [] }: Schedule): string {
  const [first] = skipped;
  const reason = first && shared(RED, `errors.${first.key}`, shownParams(first));
  return shared(RED, "log.skippedEntries", {
    schedule: maskNumbers(oneLine(name ?? String(id ?? ""))),
    tenant: oneLine(tenant),
    count: skipped.length,
    reason: reason ?? "",
  });
}
