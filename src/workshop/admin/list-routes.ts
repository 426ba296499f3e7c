import type { Request } from "express";
import type { NodeAPI } from "node-red";
import { wrongField } from "../../runtime/delivery/http-answer";
import type { ListNode } from "../../runtime/nodes/list/list-node";
import { Lists } from "../../runtime/nodes/list/lists";
import { NoColumn } from "../../runtime/nodes/list/reading/header";
import { MAX_BYTES } from "../../runtime/nodes/list/reading/list-text";
import { csvOf } from "../../runtime/nodes/list/table";
import { Content, HttpError } from "./http";
import { type RefusalAnswer, refusalAnswer } from "./refused";

/** A list in UTF-16 has twice as many. */
const MOST_BYTES = 2 * MAX_BYTES;

/** Refused rows that the dialog shows, in its own language. */
const MOST_SHOWN = 5;

/** The rows of a file that a node would call, and why not the others. */
export type ListLook = Extract<Awaited<ReturnType<typeof lookAtList>>, { readonly ok: true }>;
/** A file without the column of the number has columns, of which one may be that. */
export type LookRefused = RefusalAnswer & { readonly columns?: readonly string[] };

/** Ends the list that a deployed node calls, and those that wait behind it. */
export async function stopList(id: string) {
  const lists = Lists.find(id);
  if (!lists) throw new HttpError(404);
  return { ok: true as const, stopped: await lists.end("button") };
}

/** The table of the list that a node calls, or of its last one, as CSV. */
export async function listTable(id: string): Promise<Content> {
  const called = await Lists.find(id)?.called();
  if (!called) throw new HttpError(404);
  const headers = {
    "content-type": "text/csv; charset=utf-8",
    "content-disposition": 'attachment; filename="list.csv"',
  };
  return new Content(await csvOf(called), headers);
}

/** Judges a file as a deployed node would, and calls nobody. */
export async function lookAtList(RED: NodeAPI, id: string, request: Request) {
  const node = (RED.nodes.getNode(id) ?? Lists.instanceOf(id)?.node) as { readonly lists?: ListNode } | undefined;
  if (!node?.lists) throw new HttpError(404);
  if (!request.is("application/octet-stream")) throw new HttpError(415);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    // What is too large is read to its end, so that the refusal arrives, and not kept.
    if (size <= MOST_BYTES) chunks.push(chunk);
    size += chunk.length;
  }
  try {
    const list = await node.lists.readFile(Buffer.concat(chunks));
    const columns = list.csv?.columns ?? Object.keys(JSON.parse(list.rows[0] ?? "{}"));
    const { summary, refused } = await node.lists.look(list);
    const first = [...refused.values()].slice(0, MOST_SHOWN);
    const wrong = first.map((error) => (error.code === "ERR_INPUT" ? wrongField(error) : null));
    return { ok: true as const, ...summary, wrong, columns };
  } catch (error) {
    if (!(error instanceof NoColumn)) throw error;
    const { columns } = error;
    return { ...refusalAnswer(RED, error), columns };
  }
}
