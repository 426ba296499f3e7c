// Accepts entries until the disk is full, then begins and ends all that were accepted; prints what happened.
import { FileStore } from "../../../src/backlog/file/file-store";

const entry = (id: string) => ({ id, nodeId: "n", size: 1, content: null });

async function main(path: string): Promise<void> {
  const { store } = await FileStore.open(path);
  const accepted: string[] = [];
  const refused: string[] = [];
  for (let n = 0; refused.length < 5; n += 1) {
    const id = String(n);
    const content = "x".repeat(3000);
    const { kind } = await store.accept({ ...entry(id), content });
    (kind === "accepted" ? accepted : refused).push(id);
  }
  const followedUp: string[] = [];
  for (const id of accepted) {
    if ((await store.begin(entry(id))) === "begun") followedUp.push(id);
    await store.settle(entry(id), "applied");
  }
  await store.close();
  process.stdout.write(JSON.stringify({ accepted, refused, followedUp }));
}

void main(process.argv[2] ?? "");
