import { momentText } from "../../../client/queue/trouble-text";
import { wallTime } from "../../../hours/moment";
import { attempt } from "../../../json/rules";
import { translate } from "../../texts";
import { ask } from "./ask";
import { withLogin } from "./calls-address";

/** Ends the lists of a node. Resolves with how many rows had not begun. */
export async function stopList(area: JQuery, nodeId: string): Promise<number> {
  return (await ask<{ readonly stopped: number }>(area, addressOf(nodeId, "stop"), {})).stopped;
}

export function addressOf(nodeId: string, what: "stop" | "table" | "look"): string {
  return `telephony/list/${encodeURIComponent(nodeId)}/${what}`;
}

/** Downloads the table of the list that a node calls, or of its last one. Rejects with the reason, as a sentence. */
export async function downloadTable(nodeId: string): Promise<void> {
  const answer = await fetch(withLogin(addressOf(nodeId, "table"))).catch(() => undefined);
  if (answer?.status === 404) throw translate("lists.noTable");
  if (!answer?.ok) throw translate(answer ? "ask.denied" : "schedules.unreachable");
  const href = URL.createObjectURL(await answer.blob());
  $("<a>", { href, download: "list.csv" })[0]?.click();
  setTimeout(() => URL.revokeObjectURL(href), KEPT_MS);
}

/** A browser may begin a download later. Milliseconds. */
const KEPT_MS = 60_000;

/**
 * Writes when the last call of a list begins, in words.
 * @param zone of the tenant; one that the browser does not know, or none, is the browser's
 */
export function momentIn(iso: string, zone: string): string {
  const [at, now] = [Date.parse(iso), Date.now()].map(
    (instant) => attempt(() => wallTime(instant, zone)) ?? wallTime(instant, undefined),
  ) as [string, string];
  return momentText(translate, at, now);
}
