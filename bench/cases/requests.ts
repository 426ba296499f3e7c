import { action, httpRequest, loop, pass, tab, tenant } from "../harness/flows";
import { NodeRed, UNDICIS, type Undici, userFolder } from "../harness/node-red";
import { atLeast, type Case, type Effort, one, type Target, table, two, whole } from "../harness/report";
import { Rounds } from "../harness/rounds";
import { SUBJECTS, type Subject } from "../harness/subject";

const CONTENDERS = ["node", "undici", "hop", "core"] as const;
type Contender = (typeof CONTENDERS)[number];

interface Row {
  readonly undici: Undici;
  readonly subject: Subject;
  readonly inFlight: number;
  readonly rounds: Rounds<Contender>;
}

/** The call nodes against undici alone and the core http request node, on each major of undici. */
export const requests: Case = {
  name: "requests",
  async run({ origin }, effort) {
    const groups = UNDICIS.flatMap((undici) => SUBJECTS.map((subject) => ({ undici, subject })));
    const rows: Row[] = groups.flatMap((group) =>
      effort.inFlight.map((inFlight) => ({ ...group, inFlight, rounds: new Rounds<Contender>() })),
    );
    for (const undici of UNDICIS) {
      const own = rows.filter((row) => row.undici === undici);
      for (let n = 0; n < effort.processes; n += 1) await inOneProcess(origin, undici, own, effort);
    }
    const tables = groups.flatMap(({ undici, subject }) => {
      const own = rows.filter((row) => row.undici === undici && row.subject === subject);
      return [`### ${subject}, ${undici === "undici" ? "undici 7" : "undici 8"}`, rates(own), costs(own)];
    });
    return {
      title: "Requests",
      body: [
        "`undici` is its pool's `request()` with JSON in and out; `hop` is a node that only passes the message on; `core` " +
          "is the http request node with keep-alive. Processor time is that of the whole process.",
        ...tables,
      ],
      targets: targets(rows),
    };
  },
};

async function inOneProcess(origin: string, undici: Undici, rows: readonly Row[], effort: Effort): Promise<void> {
  const { nodeRed } = await NodeRed.start(userFolder(), undici);
  const contenders = SUBJECTS.flatMap((subject) => [...loop(action(subject)), ...loop(httpRequest(subject, origin))]);
  await nodeRed.deploy(tab([tenant(origin), ...loop(pass), ...contenders]));
  for (const { subject, inFlight, rounds } of rows) {
    const load = { inFlight, warmUpMs: 100, forMs: effort.sampleMs };
    const through = (node: string) => () => nodeRed.run("flow", { loop: `loop ${node}`, payload: subject, ...load });
    const runs = {
      undici: () => nodeRed.run("undici", { origin, subject, ...load }),
      node: through(subject),
      hop: through("pass"),
      // The core node does not use this undici, so it is measured on one major only.
      ...(undici === "undici" && { core: through(`http ${subject}`) }),
    };
    await rounds.measure(runs, effort.roundsEach);
  }
  await nodeRed.stop();
}

function rates(rows: readonly Row[]): string {
  const names = CONTENDERS.filter((name) => name !== "hop" && rows[0]?.rounds.has(name));
  const others = names.slice(1);
  return table(
    ["a second, in flight", ...names, ...others.map((other) => `node ÷ ${other}`)],
    rows.map(({ inFlight, rounds }) => [
      String(inFlight),
      ...names.map((name) => whole(rounds.median(name, (sample) => sample.perSecond))),
      ...others.map((other) => two(rounds.ratio("node", other, (sample) => sample.perSecond))),
    ]),
  );
}

function costs(rows: readonly Row[]): string {
  const shares = ["p50", "p99"] as const;
  return table(
    ["in flight", "µs node", "undici", "node ÷ undici", "hop ÷ undici", "ms undici p50", "p99", "node adds p50", "p99"],
    rows.map(({ inFlight, rounds }) => [
      String(inFlight),
      ...(["node", "undici"] as const).map((name) => one(rounds.median(name, (sample) => sample.processor))),
      ...(["node", "hop"] as const).map((name) => two(rounds.ratio(name, "undici", (sample) => sample.processor))),
      ...shares.map((share) => two(rounds.median("undici", (sample) => sample[share]))),
      ...shares.map((share) => two(rounds.difference("node", "undici", (sample) => sample[share]))),
    ]),
  );
}

/** Held to on the undici that is installed with the package. */
function targets(rows: readonly Row[]): Target[] {
  const at = (inFlight: number) =>
    rows.find((row) => row.undici === "undici" && row.subject === "call-stop" && row.inFlight === inFlight)?.rounds;
  const [at8, at32] = [at(8), at(32)];
  if (!at8 || !at32) return [];
  const processor = at32.ratio("node", "undici", (sample) => sample.processor);
  const hop = at32.ratio("hop", "undici", (sample) => sample.processor);
  const added = at8.difference("node", "undici", (sample) => sample.p99);
  const rate = (other: Contender) => at32.ratio("node", other, (sample) => sample.perSecond);
  return [
    atLeast("call-stop ÷ undici alone, rate, 32 in flight", 0.85, rate("undici")),
    {
      what: "call-stop ÷ undici alone, processor time, 32 in flight",
      target: `≤ 1.25 and the hop's ${two(hop)}`,
      found: two(processor),
      met: processor <= 1.25 + hop,
    },
    atLeast("call-stop ÷ core http request node, rate, 32 in flight", 4, rate("core")),
    {
      what: "call-stop, p99 added to undici alone, 8 in flight",
      target: "≤ 0.3 ms",
      found: `${two(added)} ms`,
      met: added <= 0.3,
    },
  ];
}
