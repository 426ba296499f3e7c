import { action, httpRequest, loop, pass, SUBJECTS, type Subject, tab, tenant } from "../flows";
import { NodeRed, Rounds, UNDICIS, type Undici, userFolder } from "../node-red";
import { atLeast, atMost, type Section, short, table } from "../report";

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
  for (const undici of UNDICIS) for (let n = 0; n < PROCESSES; n += 1) await inOneProcess(origin, undici, rows);
  // Checked on the undici that is installed with the package.
  const found = rows.find((row) => row.undici === "undici" && row.subject === "call-stop" && row.inFlight === 32);
  const { rounds } = found as Row;
  return {
    title: "Requests",
    body: [
      "A node's rate and processor time, and those of others: `undici` is its pool's `request()` with JSON in and out; `hop` " +
        "is a node that only passes the message on; `core` is the http request node with keep-alive. Processor time is that " +
        "of the whole process.",
      table(
        ["in flight", "a second", "÷ undici", "÷ core", "µs", "÷ undici", "hop ÷ undici"],
        rows.map(({ undici, subject, inFlight, rounds }) => [
          `${subject}, ${undici === "undici" ? "undici 7" : "undici 8"}, ${inFlight}`,
          short(rounds.median("node", "perSecond")),
          short(rounds.ratio("node", "undici", "perSecond")),
          short(rounds.ratio("node", "core", "perSecond")),
          short(rounds.median("node", "processor")),
          short(rounds.ratio("node", "undici", "processor")),
          short(rounds.ratio("hop", "undici", "processor")),
        ]),
      ),
    ],
    targets: [
      atLeast("call-stop ÷ undici alone, rate, 32 in flight", 0.93, rounds.ratio("node", "undici", "perSecond")),
      atMost("call-stop ÷ undici alone, processor time", 1.08, rounds.ratio("node", "undici", "processor")),
      atLeast("call-stop ÷ core http request node, rate", 4, rounds.ratio("node", "core", "perSecond")),
    ],
  };
}

async function inOneProcess(origin: string, undici: Undici, rows: readonly Row[]): Promise<void> {
  const nodeRed = await NodeRed.start(userFolder(), undici);
  const contenders = SUBJECTS.flatMap((subject) => [...loop(action(subject)), ...loop(httpRequest(subject, origin))]);
  await nodeRed.deploy(tab([tenant(origin), ...loop(pass), ...contenders]));
  for (const { subject, inFlight, rounds } of rows.filter((row) => row.undici === undici)) {
    const through = (node: string) => ({ loop: `loop ${node}`, payload: subject });
    const contenders = {
      undici: { undici: subject, origin },
      node: through(subject),
      hop: through("pass"),
      core: through(`http ${subject}`),
    };
    await rounds.measure(nodeRed, contenders, { inFlight, forMs: 300 });
  }
  await nodeRed.stop();
}
