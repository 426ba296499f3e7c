import { existsSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import type { NodeAPI } from "node-red";
import { replaceFile } from "../../../json/replace-file";
import { flows } from "../../delivery/flow-lifecycle";
import { telephonyFolder } from "../../delivery/unfinished-file";
import { logText } from "../../node-red/catalogue";
import { perNode } from "../../node-red/node-state";
import { swallowErrors } from "../../node-red/swallow-errors";

/** A gate that a person closes or opens with its button, until an end on the real clock. Kept over deploys, and in a file over restarts. */
export class HandClosing {
  #end: End | undefined;
  /** Of the gate's current instance. */
  #changed: (() => void) | undefined;

  private constructor(
    private readonly RED: NodeAPI,
    private readonly id: string,
  ) {
    this.#end = readAll(RED)[id];
  }

  /** @param changed called when the gate is closed, opened or released */
  static follow(RED: NodeAPI, id: string, changed: () => void): HandClosing {
    const closing = closings.of(id, () => new HandClosing(RED, id));
    closing.#changed = changed;
    return closing;
  }

  /** The closing of a gate that runs. */
  static of(id: string): HandClosing | undefined {
    return closings.get(id);
  }

  /** The end, epoch milliseconds; `undefined` if nobody has closed or opened the gate. */
  get until(): number | undefined {
    const until = this.#end && instantOf(this.#end);
    return until !== undefined && Date.now() < until ? until : undefined;
  }

  get state(): "open" | "closed" {
    return typeof this.#end === "object" ? "open" : "closed";
  }

  /** Closes or opens the gate until then, or releases it. */
  set(until: number | undefined, state: "open" | "closed" = "closed"): void {
    this.#end = until === undefined || state === "closed" ? until : { open: until };
    try {
      writeAll(this.RED, this.id, this.#end);
    } catch (error) {
      const { message: reason } = error as Error;
      logText(this.RED, "warn", "log.closingNotKept", { reason });
    }
    this.#changed?.();
  }

  /** Forgets the gate, because Node-RED stops. Its end in the file passes by itself, so that a gate that comes back is as it was. */
  forget(): void {
    closings.delete(this.id);
  }
}

const closings = perNode<HandClosing>("closed by hand");
flows.onDeleted(closings, "business-hour-gate");

/** Until when a gate is closed, or open. Epoch milliseconds. */
type End = number | { readonly open: number };

function instantOf(end: End): number {
  return typeof end === "number" ? end : end.open;
}

function isEnd(end: unknown): end is End {
  return typeof (typeof end === "object" && end !== null && "open" in end ? end.open : end) === "number";
}

/** By node id. */
type Ends = Readonly<Record<string, End>>;

/** Returns the path at which the ends are kept; `undefined` if Node-RED is embedded without a user folder. */
function fileOf(RED: NodeAPI): string | undefined {
  const folder = telephonyFolder(RED);
  return folder === undefined ? undefined : join(folder, "closed-gates.json");
}

/** The ends in the file, none if there is no file. One that cannot be understood is set aside, so that one gate warns for all. */
function readAll(RED: NodeAPI): Ends {
  const file = fileOf(RED);
  if (file === undefined || !existsSync(file)) return {};
  try {
    const ends: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (typeof ends === "object" && ends !== null && Object.values(ends).every(isEnd)) return ends as Ends;
    throw new Error("no instant for each gate");
  } catch (error) {
    const damaged = `${file}.damaged`;
    const { message: reason } = error as Error;
    logText(RED, "warn", "log.closingsUnreadable", { damaged, reason });
    swallowErrors(() => renameSync(file, damaged));
    return {};
  }
}

function writeAll(RED: NodeAPI, id: string, own: End | undefined): void {
  const file = fileOf(RED);
  if (file === undefined) return;
  const others = Object.entries(readAll(RED)).filter(([other, end]) => other !== id && instantOf(end) > Date.now());
  const ends = Object.fromEntries([...others, ...(own === undefined ? [] : [[id, own]])]);
  replaceFile(file, JSON.stringify(ends));
}
