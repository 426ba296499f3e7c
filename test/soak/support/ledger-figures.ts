import type { Ledger } from "../../support/backlog/ledger";
import type { Figure } from "../part";

/** The figures of entries whose processes were killed, or whose power was cut. */
export function ledgerFigures(what: string, ledger: Ledger): Figure[] {
  const { accepted, placed, placedTwice, placedEarly, toldTwice, open, unknown, untold, damaged } = ledger;
  const none = (figure: string, found: number): Figure => ({
    figure: `${what}, ${accepted} accepted: ${figure}`,
    wanted: "0",
    found: String(found),
    holds: found === 0 && accepted > 0,
  });
  console.log("     ", JSON.stringify({ what, accepted, placed, unknown, untold, damaged }));
  return [
    none("placed twice", placedTwice.length),
    none("placed early", placedEarly.length),
    none("told twice", toldTwice.length),
    none("never told", open.length),
  ];
}
