// Accepts entries until the disk is full, then begins and ends all that were accepted; prints what happened.
import { FileStore } from "../../../src/backlog/file/file-store";
import type { Stored } from "../../../src/backlog/local/store";

const done = (change: (stored: Stored) => void) =>
  new Promise<boolean>((resolve) => change((error) => resolve(error === undefined)));

async function main(path: string): Promise<void> {
  const { store } = await FileStore.open(path);
  const accepted: string[] = [];
  const refused: string[] = [];
  for (let n = 0; refused.length < 5; n += 1) {
    const id = String(n);
    const content = "x".repeat(3000);
    const isStored = await done((stored) => store.accept({ id, nodeId: "n", size: 1, content }, [], stored));
    (isStored ? accepted : refused).push(id);
  }
  const followedUp: string[] = [];
  for (const id of accepted)
    if (
      (await done((stored) => store.begin(id, stored))) &&
      (await done((stored) => store.end(id, "applied", [], stored)))
    )
      followedUp.push(id);
  await store.close();
  process.stdout.write(JSON.stringify({ accepted, refused, followedUp }));
}

void main(process.argv[2] ?? "");
