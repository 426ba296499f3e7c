import { announcedSeed } from "../../support/faults/seed";
import { mishaps, part, share } from "../part";
import { fuzzedRun } from "../support/fuzzed-run";

part(async () => {
  const all = share(20_000);
  const { ends, codes, duplicates, denied } = await fuzzedRun(all, announcedSeed());
  const polluted = Object.hasOwn(Object.prototype, "polluted");
  const counts = `${ends.length} ended, ${codes.size} codes, ${duplicates.length} duplicates, ${denied.length} denied`;
  return [
    {
      figure: `${all} fuzzed answers: crashes and unhandled rejections`,
      wanted: "0",
      found: `${mishaps.length} (${counts})`,
      holds: mishaps.length === 0 && duplicates.length === 0 && denied.length === 0 && !polluted,
    },
  ];
});
