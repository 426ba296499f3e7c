import { action, httpRequest, loop, pass, tab, tenant } from "../harness/flows";
import { NodeRed, UNDICIS, type Undici, userFolder } from "../harness/node-red";
import { atLeast, one, type Section, type Target, table, two, whole } from "../harness/report";
import { Rounds } from "../harness/rounds";
import { SUBJECTS, type Subject } from "../harness/subject";

const IN_FLIGHT = [8, 32];
/** The compiled code differs by a fifth from one process to the next. */
const PROCESSES = 3;

interface Row {
  readonly undici: Undici;
  readonly subject: Subject;
  readonly inFlight: number;
  readonly rounds: Rounds<"node" | "undici" | "hop" | "core">;
}

/** The call nodes against undici alone and the core http request node, on each major of undici. */
export async function requests(origin: string): Promise<Section> {
  const rows: Row[] = UNDICIS.flatMap((undici) =>
    SUBJECTS.flatMap((subject) => IN_FLIGHT.map((inFlight) => ({ undici, subject, inFlight, rounds: new Rounds() }))),
  );
  for (const undici of UNDICIS) {
    const own = rows.filter((row) => row.undici === undici);
    for (let n = 0; n < PROCESSES; n += 1) await inOneProcess(origin, undici, own);
  }
  const head = [
    "in flight",
    "a second",
    "÷ undici",
    "÷ core",
    "µs",
    "÷ undici",
    "hop ÷ undici",
    "undici's p99",
    "adds ms",
  ];
  return {
    title: "Requests",
    body: [
      "A node's rate, processor time and p99, and those of others: `undici` is its pool's `request()` with JSON in and " +
        "out; `hop` is a node that only passes the message on; `core` is the http request node with keep-alive. " +
        "Processor time is that of the whole process.",
      table(
        head,
        rows.map(({ undici, subject, inFlight, rounds }) => [
          `${subject}, ${undici === "undici" ? "undici 7" : "undici 8"}, ${inFlight}`,
          whole(rounds.median(({ node }) => node.perSecond)),
          two(rounds.median(({ node, undici }) => node.perSecond / undici.perSecond)),
          two(rounds.median(({ node, core }) => node.perSecond / core.perSecond)),
          one(rounds.median(({ node }) => node.processor)),
          two(rounds.median(({ node, undici }) => node.processor / undici.processor)),
          two(rounds.median(({ hop, undici }) => hop.processor / undici.processor)),
          two(rounds.median(({ undici }) => undici.p99)),
          two(rounds.median(({ node, undici }) => node.p99 - undici.p99)),
        ]),
      ),
    ],
    targets: targets(rows),
  };
}

async function inOneProcess(origin: string, undici: Undici, rows: readonly Row[]): Promise<void> {
  const nodeRed = await NodeRed.start(userFolder(), undici);
  const contenders = SUBJECTS.flatMap((subject) => [...loop(action(subject)), ...loop(httpRequest(subject, origin))]);
  await nodeRed.deploy(tab([tenant(origin), ...loop(pass), ...contenders]));
  for (const { subject, inFlight, rounds } of rows) {
    const load = { inFlight, warmUpMs: 100, forMs: 300 };
    const through = (node: string) => () => nodeRed.run("flow", { loop: `loop ${node}`, payload: subject, ...load });
    await rounds.measure(3, {
      undici: () => nodeRed.run("undici", { origin, subject, ...load }),
      node: through(subject),
      hop: through("pass"),
      core: through(`http ${subject}`),
    });
  }
  await nodeRed.stop();
}

/** Checked on the undici that is installed with the package. */
function targets(rows: readonly Row[]): Target[] {
  const [at8, at32] = rows.filter(({ undici, subject }) => undici === "undici" && subject === "call-stop");
  if (!at8 || !at32) return [];
  const processor = at32.rounds.median(({ node, undici }) => node.processor / undici.processor);
  const hop = at32.rounds.median(({ hop, undici }) => hop.processor / undici.processor);
  const added = at8.rounds.median(({ node, undici }) => node.p99 - undici.p99);
  const toUndici = at32.rounds.median(({ node, undici }) => node.perSecond / undici.perSecond);
  const toCore = at32.rounds.median(({ node, core }) => node.perSecond / core.perSecond);
  return [
    atLeast("call-stop ÷ undici alone, rate, 32 in flight", 0.93, toUndici),
    {
      what: "call-stop ÷ undici alone, processor time, 32 in flight",
      target: `≤ 1.25 and the hop's ${two(hop)}`,
      found: two(processor),
      met: processor <= 1.25 + hop,
    },
    atLeast("call-stop ÷ core http request node, rate, 32 in flight", 4, toCore),
    {
      what: "call-stop, p99 added to undici alone, 8 in flight",
      target: "≤ 0.3 ms",
      found: `${two(added)} ms`,
      met: added <= 0.3,
    },
  ];
}
