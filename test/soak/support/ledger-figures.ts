import type { Ledger } from "../../support/backlog/ledger";
import { type Figure, none } from "../part";

/** The figures of entries whose processes were killed, or whose power was cut. */
export function ledgerFigures(what: string, ledger: Ledger): Figure[] {
  const { accepted, placed, placedTwice, placedEarly, reportedTwice, open, unknown, unreported, damaged } = ledger;
  console.log("     ", JSON.stringify({ what, accepted, placed, unknown, unreported, damaged }));
  const counts = {
    "placed twice": placedTwice.length,
    "placed early": placedEarly.length,
    "reported twice": reportedTwice.length,
    "never reported": open.length,
  };
  return none(`${what}, ${accepted} accepted`, counts, accepted > 0);
}
