import { copyFile, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileStore } from "../../../src/backlog/file/file-store";
import { MemoryStore } from "../../../src/backlog/memory";
import type { Engine } from "../../support/backlog/stage";
import { failing } from "./failing-disk";

const memory: Engine = { open: async () => new MemoryStore(), durable: null };

let path = "";
const place = async () => join(await mkdtemp(join(tmpdir(), "backlog-")), "a.journal");
const reopen = async () => (await FileStore.open(path)).store;
const file: Engine = {
  open: async () => {
    path = await place();
    return reopen();
  },
  durable: {
    reopen,
    kill: async () => {
      const left = await place();
      await copyFile(path, left);
      path = left;
    },
    fail: () => failing("EIO", "write"),
  },
};

/** The engines of a single Node-RED. */
export const ENGINES: Readonly<Record<string, Engine>> = { memory, file };
