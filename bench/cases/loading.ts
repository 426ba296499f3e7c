import { NodeRed, userFolder } from "../node-red";
import { median, megabytes, type Section, table } from "../report";

const ROUNDS = 5;
const LIMIT = { ms: 10, resident: 3 * 2 ** 20 };

/** What the package costs where nothing uses it. */
export async function loading(): Promise<Section> {
  const [bare, full] = [userFolder({ bare: true }), userFolder()];
  const rounds = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const without = await NodeRed.start(bare);
    const { resident } = await without.memory();
    const ms = await without.run("load", {});
    await without.stop();
    const packed = await NodeRed.start(full);
    const { resident: withIt } = await packed.memory();
    await packed.stop();
    // The first round warms the file cache.
    if (round > 0) rounds.push({ ms, without: resident, withIt });
  }
  // The time of the files alone, because that of a whole start varies more. Memory includes dialogs and catalogues.
  const ms = median(rounds.map((round) => round.ms));
  const without = median(rounds.map((round) => round.without));
  const withIt = median(rounds.map((round) => round.withIt));
  const resident = withIt - without;
  return {
    title: "Loading",
    body: [
      table(
        ["", "resident"],
        [
          ["Node-RED without the package", megabytes(without)],
          ["Node-RED with it", megabytes(withIt)],
        ],
      ),
    ],
    targets: [
      {
        what: "the package where nothing uses it",
        target: `≤ ${LIMIT.ms} ms and ${megabytes(LIMIT.resident)}`,
        found: `${ms.toFixed(1)} ms, ${megabytes(resident)}`,
        met: ms <= LIMIT.ms && resident <= LIMIT.resident,
      },
    ],
  };
}
