import { announcedSeed } from "../../support/faults/seed";
import { none, part, share } from "../part";
import { type MixedReport, mixedRun } from "../support/mixed-run";
import { unreachedRun } from "../support/unreached";

const PRE_CONNECT = 0.99;

part(async () => {
  const seed = announcedSeed();
  const [all, connecting, unreached] = [share(18_500), share(1000), share(500)];
  const runs = [
    await mixedRun({ calls: all, seed, faults: "all" }),
    await mixedRun({ calls: connecting, seed, faults: "connecting" }),
  ];
  const nowhere = await unreachedRun(unreached);
  console.log("     ", JSON.stringify(runs[0]?.ends));

  const calls = all + connecting + nowhere.all;
  const count = (list: keyof MixedReport) => runs.reduce((sum, run) => sum + (run[list] as string[]).length, 0);
  const counts = {
    duplicates: count("duplicates"),
    "'no' contradicted by the ledger": count("contradicted"),
    "said to have happened, not in the ledger": count("invented"),
    "ended twice": count("endedTwice"),
    "never ended": count("neverEnded"),
  };
  const unseen = [...runs.map((run) => run.unseen), nowhere];
  const said = unseen.reduce((sum, { saidNo }) => sum + saidNo, 0);
  const among = unseen.reduce((sum, run) => sum + run.all, 0);
  return [
    ...none(`${calls} call-outs under faults 1 to 19`, counts),
    {
      figure: "before there was a connection: said 'no'",
      wanted: `>= ${PRE_CONNECT * 100} %`,
      found: `${((100 * said) / among).toFixed(2)} % of ${among}`,
      holds: among > 0 && said >= PRE_CONNECT * among,
    },
  ];
});
