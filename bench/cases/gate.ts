import { loop, pass, tab } from "../harness/flows";
import { NodeRed, userFolder } from "../harness/node-red";
import { atLeast, type Section, table, two, whole } from "../harness/report";
import { Rounds } from "../harness/rounds";

const WEEK = ["mon", "tue", "wed", "thu", "fri"].map((day) => ({ day, open: "08:00", close: "17:30" }));

/** The core node with two outputs, as a gate has. */
const coreSwitch = {
  type: "switch",
  property: "payload",
  propertyType: "msg",
  rules: [{ t: "btwn", v: "8", vt: "num", v2: "17", v2t: "num" }, { t: "else" }],
  checkall: "false",
  outputs: 2,
};
const NODES = {
  gate: { id: "gate", type: "business-hour-gate", source: "value", schedule: WEEK, scheduleType: "list" },
  "core switch": { id: "switch", ...coreSwitch },
  hop: pass,
};
const NAMES = ["gate", "core switch", "hop"] as const;

/** The gate against the core switch node. */
export async function gate(): Promise<Section> {
  const nodeRed = await NodeRed.start(userFolder());
  await nodeRed.deploy(tab(NAMES.flatMap((name) => loop(NODES[name]))));
  const through = ({ id }: { id: string }) =>
    nodeRed.run("flow", { loop: `loop ${id}`, payload: 12, inFlight: 32, warmUpMs: 100, forMs: 300 });
  const rounds = new Rounds<keyof typeof NODES>();
  await rounds.measure(5, {
    gate: () => through(NODES.gate),
    "core switch": () => through(NODES["core switch"]),
    hop: () => through(NODES.hop),
  });
  await nodeRed.stop();
  const toSwitch = (name: keyof typeof NODES) =>
    rounds.median((of) => of[name].perSecond / of["core switch"].perSecond);
  return {
    title: "Gates",
    body: [
      table(
        ["32 in flight", "a second", "µs", "÷ switch"],
        NAMES.map((name) => [
          name,
          whole(rounds.median((of) => of[name].perSecond)),
          two(rounds.median((of) => of[name].processor)),
          two(toSwitch(name)),
        ]),
      ),
    ],
    targets: [atLeast("gate ÷ core switch node, rate", 0.9, toSwitch("gate"))],
  };
}
