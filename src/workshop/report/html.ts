import { builtPage } from "../../sandbox/inspect/built";
import type { Rehearsal } from "../rehearsal/rehearsal";

/** What the page shows: the report, and what only people need to know. */
export type PageData = Pick<Rehearsal, "report" | "notes" | "nodeRedPath">;

/** The report as a page that stands alone: no request, no other file. */
export function htmlOf({ report, notes, nodeRedPath }: Rehearsal): string {
  const data: PageData = { report, notes, nodeRedPath };
  const { policy, html } = builtPage("rehearsal", "Telephony rehearsal");
  const head = `<meta http-equiv="content-security-policy" content="${policy}">\n`;
  return html(head, { data: JSON.stringify(data) });
}
