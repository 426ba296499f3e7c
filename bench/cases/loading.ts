import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../test/support/root";
import { tab } from "../harness/flows";
import { NodeRed, userFolder } from "../harness/node-red";
import { type Case, megabytes, one, table } from "../harness/report";
import { median } from "../harness/rounds";

const LIMIT = { ms: 10, resident: 3 * 2 ** 20 };

/** What the package costs where nothing uses it. */
export const loading: Case = {
  name: "loading",
  async run(_, { rounds }) {
    const [bare, full] = [userFolder({ bare: true }), userFolder()];
    const seen: { without: Start; with: Start; files: number }[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      const without = await start(bare);
      const packed = await start(full);
      // The first round warms the file cache.
      if (round > 0) seen.push({ without, with: packed, files: await loadFiles(bare) });
    }
    const costs = (["without", "with"] as const).map((name) => {
      const of = (value: (start: Start) => number) => median(seen.map((round) => value(round[name])));
      return { ms: of(({ ms }) => ms), heap: of(({ heap }) => heap), resident: of(({ resident }) => resident) };
    });
    const names = ["Node-RED without the package, from start to flows", "Node-RED with it"];
    const rows = costs.map(({ ms, heap, resident }, index) => [
      names[index] ?? "",
      one(ms),
      megabytes(heap),
      megabytes(resident),
    ]);
    // The time of the files alone, because that of a whole start varies more. Memory includes dialogs and catalogues.
    const ms = median(seen.map(({ files }) => files));
    const resident = (costs[1]?.resident ?? Number.NaN) - (costs[0]?.resident ?? Number.NaN);
    return {
      title: "Loading",
      body: [
        table(
          ["", "ms", "heap", "resident"],
          [...rows, ["all node files of the package into a running Node-RED", one(ms)]],
        ),
      ],
      targets: [
        {
          what: "the package where nothing uses it",
          target: `≤ ${LIMIT.ms} ms and ${megabytes(LIMIT.resident)}`,
          found: `${one(ms)} ms, ${megabytes(resident)}`,
          met: ms <= LIMIT.ms && resident <= LIMIT.resident,
        },
      ],
    };
  },
};

type Start = Awaited<ReturnType<typeof start>>;

async function start(folder: string) {
  const { nodeRed, ms } = await NodeRed.start(folder);
  const memory = await nodeRed.memory();
  await nodeRed.stop();
  return { ms, ...memory };
}

async function loadFiles(folder: string): Promise<number> {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const files = Object.values<string>(manifest["node-red"].nodes).map((file) => join(root, file));
  const { nodeRed } = await NodeRed.start(folder);
  await nodeRed.deploy(tab([]));
  const ms = await nodeRed.run("load", { files });
  await nodeRed.stop();
  return ms;
}
