import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileStore } from "../../../src/backlog/file/file-store";
import { MemoryStore } from "../../../src/backlog/memory";
import type { Engine } from "../../support/backlog/stage";

const memory: Engine = { open: async () => new MemoryStore() };

let path = "";
const opened = async () => (await FileStore.open(path)).store;
const file: Engine = {
  open: async () => {
    path = join(await mkdtemp(join(tmpdir(), "backlog-")), "a.journal");
    return opened();
  },
  reopen: opened,
};

/** The engines of a single Node-RED. */
export const ENGINES: Readonly<Record<string, Engine>> = { memory, file };
