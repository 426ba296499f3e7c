// Creates records until the disk is full, then removes all of them; prints what happened.
import { FileStore } from "../../../src/backlog/file/file-store";

async function main(path: string): Promise<void> {
  const { store } = await FileStore.open(path);
  const created: string[] = [];
  let refused = 0;
  for (let n = 0; refused < 5; n += 1) {
    // A name may be as long as a key of a flow.
    const name = `${n} ${"name".repeat(200)}`;
    await store.record(name, "x".repeat(2000)).then(
      () => created.push(name),
      () => {
        refused += 1;
      },
    );
  }
  for (const name of created) await store.record(name, undefined);
  await store.close();
  process.stdout.write(JSON.stringify({ created: created.length, refused }));
}

void main(process.argv[2] ?? "");
