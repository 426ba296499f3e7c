import { readFileSync } from "node:fs";
import { mkdir, open, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { NodeAPI } from "node-red";
import type { GroupLine, GroupLines } from "../../backlog/redis/group-lines";
import { StartClock } from "../../backlog/start-clock";
import { notSent } from "../../client";
import { type OptOut, type OptOutStore, OptOuts, type SharedOptOuts } from "../../client/guard/opt-outs";
import { reasonOf } from "../../fields/quote";
import { replaceDurably } from "../../json/replace-file";
import { attempt } from "../../json/rules";
import { fileNameOf, telephonyFolder } from "../delivery/unfinished-file";

/** A line of the file: with the start of the machine in which it was written. */
type Line = OptOut & { readonly boot?: string | undefined };

/** The file may have so many lines that hold no more, for each one that does. */
const MAX_OLD_LINES = 2;
const FEW_LINES = 1000;

/** Reads the numbers that a live tenant must not call. A file that cannot be read is their `problem`. */
export function storedOptOuts(RED: NodeAPI, tenant: string): OptOuts {
  const folder = telephonyFolder(RED);
  const path = folder && join(folder, "block", `${fileNameOf(tenant)}.jsonl`);
  try {
    const { text, lines } = path === undefined ? NOTHING : read(path);
    return new OptOuts(new OptOutFile(path, Buffer.byteLength(text), lines), lines);
  } catch (error) {
    const params = { file: path ?? "", reason: reasonOf(error) };
    const problem = notSent("ERR_CONFIG", "config", { key: "config.blockFile", field: "block", params });
    return new OptOuts(undefined, [], problem);
  }
}

const NOTHING: ReturnType<typeof read> = { text: "", lines: [] };

/** @throws for a file that cannot be read, or has another line */
function read(path: string): { readonly text: string; readonly lines: readonly Line[] } {
  let all: string;
  try {
    all = readFileSync(path, "utf8");
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return NOTHING;
    throw error;
  }
  // What a crash has cut off was never answered.
  const text = all.slice(0, all.lastIndexOf("\n") + 1);
  const lines = text.split("\n").slice(0, -1);
  return { text, lines: lines.map(lineOf) };
}

function lineOf(text: string, index: number): Line {
  const line = attempt(() => JSON.parse(text) as Line);
  if (typeof line?.number === "string" && typeof line.at === "number" && Array.isArray(line.marks)) return line;
  throw new Error(`line ${index + 1}`);
}

/** One line for each change, which is on disk before it counts. Only its owner may read the file. */
class OptOutFile implements OptOutStore {
  readonly #clock: StartClock;
  #lines: number;

  /** @param size bytes of its whole lines: what follows is removed */
  constructor(
    private readonly path: string | undefined,
    private size: number,
    lines: readonly Line[],
  ) {
    this.#clock = new StartClock(lines.at(-1)?.boot);
    this.#lines = lines.length;
  }

  get isClockRight(): boolean {
    return !this.#clock.isUnsure;
  }

  async add(lines: readonly OptOut[], all: () => Iterable<OptOut>): Promise<void> {
    const { path } = this;
    if (path === undefined) throw new Error("Node-RED has no user folder");
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const size = await stat(path).then((found) => found.size, sizeOfNone);
    // It is new, or somebody has removed it.
    const isGone = this.#lines === 0 || size < this.size;
    const kept = isGone || this.#lines > FEW_LINES ? [...all()] : [];
    // Or most of it is old.
    if (isGone || this.#lines > FEW_LINES + MAX_OLD_LINES * kept.length) return this.#rewrite(path, kept);
    const file = await open(path, "a+", 0o600);
    try {
      if (size > this.size) await file.truncate(this.size);
      const bytes = Buffer.from(this.#textOf(lines));
      await file.appendFile(bytes);
      await file.datasync();
      this.size += bytes.length;
      this.#lines += lines.length;
    } finally {
      await file.close();
    }
  }

  async #rewrite(path: string, all: readonly OptOut[]): Promise<void> {
    const text = this.#textOf(all);
    await replaceDurably(path, (file) => file.appendFile(text));
    [this.size, this.#lines] = [Buffer.byteLength(text), all.length];
  }

  #textOf(lines: readonly OptOut[]): string {
    const { boot } = this.#clock;
    return lines.map((line) => `${JSON.stringify({ ...line, boot })}\n`).join("");
  }
}

function sizeOfNone(error: NodeJS.ErrnoException): number {
  if (error.code === "ENOENT") return 0;
  throw error;
}

/** The opt-outs of a group, in Redis. */
export function sharedOptOuts(lines: GroupLines): SharedOptOuts {
  const lineOf = (line: OptOut): GroupLine => ({ at: line.at, text: JSON.stringify({ ...line, at: undefined }) });
  const read = ({ at, text }: GroupLine) => ({ ...(JSON.parse(text) as OptOut), at });
  return {
    find: async (marks) => (await lines.find(marks)).map(read),
    write: async (line, isKnown) => ({
      ...line,
      at: await lines.write(isKnown ? "known" : "new", lineOf(line), line.marks),
    }),
    remove: async (line) => void (await lines.write("remove", lineOf(line), line.marks)),
    async *all() {
      for await (const line of lines.all()) yield read(line);
    },
    follow: (heard) => lines.follow((line) => heard(line && read(line))),
  };
}
