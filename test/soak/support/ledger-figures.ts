import type { Ledger } from "../../support/backlog/ledger";
import { type Figure, none } from "../part";

/** The figures of entries whose processes were killed, or whose power was cut. */
export function ledgerFigures(what: string, ledger: Ledger): Figure[] {
  const { accepted, placed, placedTwice, placedEarly, toldTwice, open, unknown, untold, damaged } = ledger;
  console.log("     ", JSON.stringify({ what, accepted, placed, unknown, untold, damaged }));
  const counts = {
    "placed twice": placedTwice.length,
    "placed early": placedEarly.length,
    "told twice": toldTwice.length,
    "never told": open.length,
  };
  return none(`${what}, ${accepted} accepted`, counts, accepted > 0);
}
