import { answer } from "../answers";
import type { CatalogueEntry } from "../fault";
import type { RequestRecord } from "../ledger";
import type { Site } from "../wire";

const codes = [301, 302, 303, 307, 308] as const;

const targets = {
  "same-host": (site: Site) => `${site.origin}/moved`,
  relative: () => "/moved",
  elsewhere: (site: Site, request: RequestRecord) => `${site.elsewhere}${request.path}`,
  /** Returns the address at http: from https this is a downgrade on the same host and port. */
  http: (site: Site, request: RequestRecord) => `${site.origin.replace("https:", "http:")}${request.path}`,
  loop: (site: Site, request: RequestRecord) => `${site.origin}${request.path}`,
  nowhere: () => undefined,
};

type RedirectName = `redirect-${(typeof codes)[number]}-${keyof typeof targets}`;

/** Row 14: every redirect code to every kind of target. */
export const redirects = Object.fromEntries(
  codes.flatMap((code) =>
    Object.entries(targets).map(([name, location]): [string, CatalogueEntry] => [
      `redirect-${code}-${name}`,
      {
        row: 14,
        at: "request",
        act(wire, request) {
          const Location = location(wire.site, request);
          return wire.send(answer(code, "Moved", { "Content-Type": "text/plain", ...(Location && { Location }) }));
        },
      },
    ]),
  ),
) as Record<RedirectName, CatalogueEntry>;
