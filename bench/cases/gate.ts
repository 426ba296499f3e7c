import { loop, pass, tab } from "../flows";
import { NodeRed, Rounds, userFolder } from "../node-red";
import { atLeast, type Section, short, table } from "../report";

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
  const through = ({ id }: { id: string }) => ({ loop: `loop ${id}`, payload: 12 });
  const contenders = {
    gate: through(NODES.gate),
    "core switch": through(NODES["core switch"]),
    hop: through(NODES.hop),
  };
  const rounds = await new Rounds<keyof typeof NODES>().measure(nodeRed, contenders, { inFlight: 32, forMs: 300 }, 7);
  await nodeRed.stop();
  return {
    title: "Gates",
    body: [
      table(
        ["32 in flight", "a second", "µs", "÷ switch"],
        NAMES.map((name) => [
          name,
          short(rounds.median(name, "perSecond")),
          short(rounds.median(name, "processor")),
          short(rounds.ratio(name, "core switch", "perSecond")),
        ]),
      ),
    ],
    targets: [atLeast("gate ÷ core switch node, rate", 0.96, rounds.ratio("gate", "core switch", "perSecond"))],
  };
}
