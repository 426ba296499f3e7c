// Accepts entries until the disk is full, and starts again after a longer stop; prints the ids of those accepted.
import { Backlog } from "../../../src/backlog";
import { FileStore } from "../../../src/backlog/file/file-store";

async function main(path: string): Promise<void> {
  const { store: first } = await FileStore.open(path);
  const accepted: string[] = [];
  for (let n = 0, refused = 0; refused < 5; n += 1) {
    const id = String(n);
    const { kind } = await first.accept({ id, nodeId: "n", size: 1, content: "x".repeat(300) });
    if (kind === "accepted") accepted.push(id);
    else refused += 1;
  }
  await first.close();
  const { now } = Date;
  Date.now = () => now() + 16 * 60_000;
  await new Backlog((await FileStore.open(path)).store).close();
  process.stdout.write(JSON.stringify(accepted));
}

void main(process.argv[2] ?? "");
