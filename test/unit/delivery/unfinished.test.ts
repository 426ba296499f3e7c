import { deepStrictEqual, strictEqual } from "node:assert/strict";
import fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { mock } from "node:test";
import type { NodeAPI } from "node-red";
import { appendLines } from "../../../src/runtime/delivery/append-lines";
import { Pending } from "../../../src/runtime/delivery/pending";

describe("lines of unfinished messages", () => {
  let folder: string;
  beforeEach(() => {
    folder = fs.mkdtempSync(join(tmpdir(), "unfinished-"));
  });
  afterEach(() => {
    mock.restoreAll();
    fs.rmSync(folder, { recursive: true });
  });

  describe("at a stop", () => {
    const delivery = dirname(require.resolve("../../../src/runtime/delivery/mailbox"));
    const isOwn = (path: string) => path.startsWith(delivery) || /\bnode-state\.js$/.test(path);

    /** Loads modules of its own, because the process's follow the Node-RED under test. */
    function fresh() {
      const shared = Object.entries(require.cache).filter(([path]) => isOwn(path));
      for (const [path] of shared) delete require.cache[path];
      const { Mailbox } =
        require("../../../src/runtime/delivery/mailbox") as typeof import("../../../src/runtime/delivery/mailbox");
      const { flows } =
        require("../../../src/runtime/delivery/flow-lifecycle") as typeof import("../../../src/runtime/delivery/flow-lifecycle");
      for (const path of Object.keys(require.cache).filter(isOwn)) delete require.cache[path];
      for (const [path, loaded] of shared) require.cache[path] = loaded;
      return { Mailbox, flows };
    }

    it("those in flight are in the file, in one write, before any other is made", () => {
      const { Mailbox, flows } = fresh();
      const steps: string[] = [];
      const RED = {
        settings: { userDir: folder },
        util: { generateId: () => "entry" },
        log: { warn: () => {} },
        _: String,
      } as unknown as NodeAPI;
      const mailbox = Mailbox.of(RED, "node");
      const track = (id: string, inFlight: boolean) => {
        const message = {
          get _msgid() {
            if (steps.at(-1) !== id) steps.push(id);
            return id;
          },
        };
        const pending = new Pending(message, "call-out", "live", "stored", undefined, undefined);
        if (inFlight) pending.sending = {} as NonNullable<Pending["sending"]>;
        mailbox.track(pending);
      };
      for (const id of ["waiting", "waiting", "waiting"]) track(id, false);
      for (const id of ["in flight", "in flight"]) track(id, true);
      const write = fs.writeSync as (...args: unknown[]) => number;
      mock.method(fs, "writeSync", (...args: unknown[]) => {
        const outcomes = String(args[1]).match(/(?<="outcome":")[\w-]+/g) ?? [];
        steps.push(`write ${outcomes.join()}`);
        return write(...args);
      });
      flows.stop(false);
      deepStrictEqual(steps, [
        "in flight",
        "write unknown,unknown",
        "in flight",
        "waiting",
        "write not-applied,not-applied,not-applied",
        "waiting",
      ]);
    });
  });

  it("are whole on a full disk, as many as fit", () => {
    const file = join(folder, "unfinished.jsonl");
    const lines = Array.from({ length: 1200 }, (_, index) => `${index} ${"x".repeat(90)}`);
    const fitting = lines.slice(0, 703).join("\n").length + 1;
    const write = fs.writeSync as (...args: unknown[]) => number;
    mock.method(fs, "writeSync", (descriptor: number, bytes: Buffer, done: number) => {
      const room = fitting + 50 - fs.fstatSync(descriptor).size;
      if (room <= 0) throw new Error("ENOSPC");
      return write(descriptor, bytes, done, Math.min(room, bytes.length - done));
    });
    const { count, problem } = appendLines(file, lines);
    strictEqual(String(problem), "Error: ENOSPC");
    strictEqual(count, 703);
    strictEqual(fs.readFileSync(file, "utf8"), `${lines.slice(0, 703).join("\n")}\n`);
  });
});
