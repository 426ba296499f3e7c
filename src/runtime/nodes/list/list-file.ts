import { createHash } from "node:crypto";
import { mkdir, open, readdir, readFile, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import type { Node, NodeAPI, NodeMessage } from "node-red";
import type { Outcome } from "../../../client";
import { ValueError } from "../../../fields";
import { replaceDurably } from "../../../json/replace-file";
import { attempt } from "../../../json/rules";
import { appendLines } from "../../delivery/append-lines";
import { storedMessage } from "../../delivery/stored-message";
import { telephonyFolder } from "../../delivery/unfinished-file";
import type { List } from "./reading/read-list";

/** The identity of a list, and where it is called. */
export interface Subject {
  readonly id: string;
  /** The id of the tenant's node, and the key of its target: its waiting rows never move to another one. */
  readonly tenant: string;
  readonly target: string;
  readonly name: string;
  /** The time at which it came, ISO 8601. */
  readonly startedAt: string;
  /** The id of the request that brought it. */
  readonly requestId?: string;
  readonly list: List;
}

/** The first line of a list's file. */
interface Head extends Omit<Subject, "id" | "list">, Pick<List, "csv"> {
  readonly list: string;
  readonly nodeId: string;
  readonly nodeType: string;
  readonly total: number;
  /** Rows that could not be read: the index, and the parts of the error. */
  readonly problems: readonly (readonly [index: number, ...ConstructorParameters<typeof ValueError>])[];
  /** The rest of the message that brought it, as JSON text, and what is missing. */
  readonly message: string;
  readonly left: readonly string[];
}

/** The end of a row: its outcome, the code and the reason of a failure, and the time, ISO 8601. */
export type Ended = readonly [outcome: Outcome, code: string, reason: string, at: string];

export type StoppedBy = "message" | "button" | "drop" | "tenant";

/** The numbers of rows that can be called, and of those among them whose number lacks its zero. */
export interface Judged {
  readonly good: number;
  readonly withoutZero: number;
}

/** A later line. */
export type Line =
  /** A row has ended. `untold`: Node-RED stopped before its message was sent. */
  | { readonly row: number; readonly ended: Ended; readonly untold?: true }
  | { readonly judged: Judged }
  | { readonly stopped: StoppedBy }
  /** Whether it waits until somebody resumes. */
  | { readonly heldBack: boolean }
  /** The table was given out. */
  | { readonly over: string };

export interface StoredList {
  readonly head: Head;
  readonly subject: Subject;
  readonly lines: readonly Line[];
}

const WRITTEN_AT_ONCE = 2000;
/** The interval at which a list's file is touched while Node-RED runs. Milliseconds. */
const BEAT_MS = 60_000;

/** The folder of all lists; `undefined` without a user folder. */
export function listFolder(RED: NodeAPI): string | undefined {
  const folder = telephonyFolder(RED);
  return folder && join(folder, "lists");
}

/** The files of a node's lists begin so: its id may be any text. */
function prefixOf(nodeId: string): string {
  return createHash("sha256").update(nodeId).digest("hex").slice(0, 16);
}

/** The files of all lists of a node, or of all nodes, the oldest first. Empty where there are none. */
export async function listFiles(RED: NodeAPI, nodeId = ""): Promise<ListFile[]> {
  const folder = listFolder(RED);
  if (folder === undefined) return [];
  const names = await readdir(folder).catch(() => []);
  const prefix = nodeId && prefixOf(nodeId);
  return names
    .filter((name) => name.startsWith(prefix) && name.endsWith(".jsonl"))
    .sort((a, b) => a.slice(17).localeCompare(b.slice(17)))
    .map((name) => new ListFile(join(folder, name)));
}

/** The file of one list: its head, its rows, and what became of them, one line each. Only its owner may read it. */
export class ListFile {
  /** The time at which it was touched last before it was read, epoch milliseconds. */
  #touchedAt = Infinity;
  #beats: NodeJS.Timeout | undefined;

  constructor(readonly path: string) {}

  /** Writes a list down, with the message that brought it to a node. Rejects with the error of the file system. */
  static async create(folder: string, subject: Subject, node: Node, message: NodeMessage): Promise<ListFile> {
    const { list, id, ...about } = subject;
    const { rows, problems, csv } = list;
    const { json, left } = storedMessage({ ...message, payload: undefined });
    const head: Head = {
      ...about,
      list: id,
      nodeId: node.id,
      nodeType: node.type,
      total: rows.length,
      problems: [...problems].map(([index, { key, path, params }]) => [index, key, path, params]),
      message: json,
      left: left.filter((path) => path !== "payload"),
      ...(csv && { csv }),
    };
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, `${prefixOf(node.id)}-${Date.parse(about.startedAt)}-${id}.jsonl`);
    await replaceDurably(path, async (file) => {
      await file.appendFile(`${JSON.stringify(head)}\n`);
      for (let from = 0; from < rows.length; from += WRITTEN_AT_ONCE)
        await file.appendFile(`${rows.slice(from, from + WRITTEN_AT_ONCE).join("\n")}\n`);
    });
    const file = new ListFile(path);
    file.beat();
    return file;
  }

  /** The length of the stop before this process started, exact to a minute. Milliseconds. */
  get stoppedForMs(): number {
    // The clock may have been set since.
    return Date.now() - performance.now() - this.#touchedAt;
  }

  /** Reads it; `undefined` if it is damaged or no list. */
  async read(): Promise<StoredList | undefined> {
    this.#touchedAt = (await stat(this.path).catch(() => undefined))?.mtimeMs ?? Infinity;
    const [first = "", ...rest] = (await readFile(this.path, "utf8").catch(() => "")).split("\n");
    const head = attempt(() => JSON.parse(first) as Head);
    if (typeof head?.list !== "string" || rest.length < head.total) return undefined;
    // What a crash has cut off is not a line.
    const lines = rest.slice(head.total).flatMap((line) => attempt(() => JSON.parse(line) as Line) ?? []);
    const { list: id, tenant, target, name, startedAt, requestId, csv } = head;
    const problems = new Map(head.problems.map(([at, ...problem]) => [at, new ValueError(...problem)]));
    const list = { rows: rest.slice(0, head.total), problems, ...(csv && { csv }) };
    return {
      head,
      subject: { id, tenant, target, name, startedAt, ...(requestId !== undefined && { requestId }), list },
      lines,
    };
  }

  /** Appends lines before it returns, all or as many as fit. Never throws. */
  append(lines: readonly Line[]): { readonly count: number; readonly problem?: unknown } {
    return appendLines(
      this.path,
      lines.map((line) => JSON.stringify(line)),
    );
  }

  /** Touches it from now on, so that the next process learns how long the stop was. */
  beat(): void {
    this.#beats ??= setInterval(() => void utimes(this.path, new Date(), new Date()).catch(() => {}), BEAT_MS).unref();
  }

  /** Ends the beats: the list is over, or Node-RED stops. */
  rest(): void {
    clearInterval(this.#beats);
    this.#beats = undefined;
  }

  /** Resolves when all lines so far are on disk. Never rejects. */
  async sync(): Promise<void> {
    const file = await open(this.path, "r+").catch(() => undefined);
    await file?.datasync().catch(() => {});
    await file?.close();
  }

  async remove(): Promise<void> {
    this.rest();
    await rm(this.path, { force: true });
  }
}
