import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { NodeAPI } from "node-red";
import { telephonyFolder } from "../../delivery/unfinished-file";
import { logText } from "../../node-red/catalogue";
import { perNode } from "../../node-red/node-state";
import { swallowErrors } from "../../node-red/swallow-errors";

/** A gate that a person closes with its button, until an end on the real clock. Kept over deploys, and in a file over restarts. */
export class HandClosing {
  #until: number | undefined;
  /** Of the gate's current instance. */
  #changed: (() => void) | undefined;

  private constructor(
    private readonly RED: NodeAPI,
    private readonly id: string,
  ) {
    this.#until = readAll(RED)[id];
  }

  /** @param changed called when the gate is closed or released */
  static follow(RED: NodeAPI, id: string, changed: () => void): HandClosing {
    const closing = closings.of(id, () => new HandClosing(RED, id));
    closing.#changed = changed;
    return closing;
  }

  /** The closing of a gate that runs. */
  static of(id: string): HandClosing | undefined {
    return closings.get(id);
  }

  /** The end, epoch milliseconds; `undefined` if the gate is not closed by hand. */
  get until(): number | undefined {
    return this.#until !== undefined && Date.now() < this.#until ? this.#until : undefined;
  }

  /** Closes the gate until then, or releases it. */
  set(until: number | undefined): void {
    this.#until = until;
    try {
      writeAll(this.RED, this.id, until);
    } catch (error) {
      const { message: reason } = error as Error;
      logText(this.RED, "warn", "log.closingNotKept", { reason });
    }
    this.#changed?.();
  }

  /** The node is deleted, or Node-RED stops. What is in the file ends by itself, so that a gate that comes back is still closed. */
  forget(): void {
    closings.delete(this.id);
  }
}

const closings = perNode<HandClosing>("closed by hand");

/** Ends by node id. */
type Ends = Readonly<Record<string, number>>;

/** Where the ends are kept; `undefined` if Node-RED is embedded without a user folder. */
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
    if (typeof ends === "object" && ends !== null && Object.values(ends).every((end) => typeof end === "number"))
      return ends as Ends;
    throw new Error("no instant for each gate");
  } catch (error) {
    const damaged = `${file}.damaged`;
    const { message: reason } = error as Error;
    logText(RED, "warn", "log.closingsUnreadable", { damaged, reason });
    swallowErrors(() => renameSync(file, damaged));
    return {};
  }
}

/** Replaces the file in one step. */
function writeAll(RED: NodeAPI, id: string, until: number | undefined): void {
  const file = fileOf(RED);
  if (file === undefined) return;
  const others = Object.entries(readAll(RED)).filter(([other, end]) => other !== id && end > Date.now());
  const ends = Object.fromEntries([...others, ...(until === undefined ? [] : [[id, until]])]);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const unfinished = `${file}.new`;
  writeFileSync(unfinished, JSON.stringify(ends), { mode: 0o600, flush: true });
  renameSync(unfinished, file);
}
