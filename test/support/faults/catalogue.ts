import { good } from "./answers";
import type { CatalogueEntry, Fault } from "./fault";
import { cutBodies } from "./rows/cut-bodies";
import { framing } from "./rows/framing";
import { handshake } from "./rows/handshake";
import { lostConnection } from "./rows/lost-connection";
import { unsuccessful, unusualBodies, wrongBodies } from "./rows/odd-bodies";
import { oversize } from "./rows/oversize";
import { redirects } from "./rows/redirects";
import { stalls } from "./rows/stalls";
import { rateLimits, refusals, serverErrors } from "./rows/statuses";

const entries = {
  ...handshake,
  ...lostConnection,
  ...stalls,
  ...cutBodies,
  ...unusualBodies,
  ...wrongBodies,
  ...unsuccessful,
  ...oversize,
  ...redirects,
  ...refusals,
  ...rateLimits,
  ...serverErrors,
  ...framing,
} satisfies Record<string, CatalogueEntry>;

export type FaultName = keyof typeof entries;

/** Every fault a server can inject, by name. Rows 1 to 3, which need no server, are in unreachable.ts and full-backlog.ts. */
export const faults = Object.fromEntries(
  Object.entries(entries).map(([name, entry]) => [name, { ...entry, name }]),
) as Record<FaultName, CatalogueEntry & { name: FaultName }>;

/** Names of the faults of some rows, all rows by default; `tls` and `holds` (see {@link CatalogueEntry}) narrow it down. */
export function faultNames({
  rows,
  tls,
  holds,
}: {
  rows?: number[];
  tls?: boolean;
  holds?: boolean;
} = {}): FaultName[] {
  return Object.values(faults)
    .filter((fault) => rows?.includes(fault.row) ?? true)
    .filter((fault) => tls === undefined || tls === (fault.tls ?? false))
    .filter((fault) => holds === undefined || holds === (fault.holds ?? false))
    .map((fault) => fault.name);
}

/** The way in which a test selects a fault: by name, or with its own. */
export type Choice = "good" | FaultName | Fault;

export function resolve(choice: Choice): Fault {
  if (typeof choice !== "string") return choice;
  const fault = choice === "good" ? good : faults[choice];
  if (!fault) throw new Error(`no fault is named ${choice}`);
  return fault;
}
