import type { NodeAPI } from "node-red";
import type { Backlog } from "../../../backlog";
import { LONG_STOP_MS } from "../../../backlog/start-clock";
import type { TenantClient } from "../../../client";
import { oneLine } from "../../../fields";
import { flows } from "../../delivery/flow-lifecycle";
import { Mailbox } from "../../delivery/mailbox";
import { Pending } from "../../delivery/pending";
import { recordUnfinished } from "../../delivery/unfinished";
import { logText } from "../../node-red/catalogue";
import type { Campaign } from "./campaign";
import { type ListFile, listFiles } from "./list-file";
import type { Called } from "./table";
import { Tally } from "./tally";

/**
 * Whether a list was left by a longer stop: as its calls were, or, if none waits, by its file. In a group, another instance may have taken
 * over within seconds what was in flight. Throws while the hours have not decided about its calls.
 */
export function isLate(
  { subject, file }: Campaign,
  { isLate: wasLong, waiting, undecided }: Backlog["left"],
  { heldBack }: TenantClient["lanes"],
): boolean {
  if (!waiting.has(subject.id)) return wasLong || (file?.stoppedForMs ?? 0) >= LONG_STOP_MS;
  if (undecided.size > 0) throw new Error("hours");
  return wasLong && heldBack > 0;
}

/** Reads a list whose file has it; `undefined` if that is damaged. */
export async function readCalled(file: ListFile): Promise<Called | undefined> {
  const stored = await file.read();
  return stored && { ...stored.subject.list, results: Tally.of(stored).results };
}

/** Reports that the node of a list is gone, and writes it down. */
export function reportDropped(
  RED: NodeAPI,
  node: string,
  pending: Pending,
  { summary, outcome }: ReturnType<Tally["unfinished"]>,
): void {
  const { recorded } = pending;
  Mailbox.of(RED, node).untrack(pending);
  if (recorded) return;
  recordUnfinished(RED, [{ pending, node, summary, outcome, isOpen: false }], false);
  logText(RED, "warn", "log.listDropped", { node: oneLine(node), ...summary, outcome });
}

/** Ends the lists of earlier processes whose nodes are gone. */
export async function dropLeftLists(RED: NodeAPI): Promise<void> {
  for (const file of await listFiles(RED)) {
    const stored = await file.read();
    if (!stored || !flows.isDeleted({ id: stored.head.nodeId, type: stored.head.nodeType })) continue;
    const { head, lines } = stored;
    if (!lines.some((line) => "over" in line)) {
      const pending = new Pending(JSON.parse(head.message), head.nodeType, null, "orphan");
      reportDropped(RED, head.nodeId, pending, Tally.of(stored).unfinished());
    }
    await file.remove();
  }
}
