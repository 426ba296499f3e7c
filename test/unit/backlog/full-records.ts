// Creates records until the disk is full, then removes all of them; prints what happened.
import { FileStore } from "../../../src/backlog/file/file-store";
import type { Stored } from "../../../src/backlog/local/store";

const done = (change: (stored: Stored) => void) =>
  new Promise<boolean>((resolve) => change((error) => resolve(error === undefined)));

async function main(path: string): Promise<void> {
  const { store } = await FileStore.open(path);
  const created: string[] = [];
  let refused = 0;
  for (let n = 0; refused < 5; n += 1) {
    // A name may be as long as a key of a flow.
    const name = `${n} ${"name".repeat(200)}`;
    if (await done((stored) => store.record(name, "x".repeat(2000), stored))) created.push(name);
    else refused += 1;
  }
  for (const name of created) await done((stored) => store.record(name, undefined, stored));
  await store.close();
  process.stdout.write(JSON.stringify({ created: created.length, refused }));
}

void main(process.argv[2] ?? "");
