import { loop, pass, tab, tenant } from "../harness/flows";
import { NodeRed, userFolder } from "../harness/node-red";
import { atLeast, type Case, table, two, whole } from "../harness/report";
import { Rounds } from "../harness/rounds";

const WEEK = ["mon", "tue", "wed", "thu", "fri"].map((day) => ({ day, open: "08:00", close: "17:30" }));
const NAMED = { source: "tenant", tenant: "tenant", scheduleName: "Schedule 1", scheduleNameType: "str" };

const gateNode = (id: string, settings: object) => ({ id, type: "business-hour-gate", ...settings });

/** The core node with two outputs, as a gate has. */
const coreSwitch = {
  id: "switch",
  type: "switch",
  property: "payload",
  propertyType: "msg",
  rules: [{ t: "btwn", v: "8", vt: "num", v2: "17", v2t: "num" }, { t: "else" }],
  checkall: "false",
  outputs: 2,
};

/** The gate against the core switch node. */
export const gate: Case = {
  name: "gate",
  async run({ origin }, { rounds, sampleMs }) {
    const { nodeRed } = await NodeRed.start(userFolder());
    const nodes = {
      "gate, own schedule": gateNode("gate", { source: "value", schedule: WEEK, scheduleType: "list" }),
      "gate, the tenant's schedule": gateNode("tenant gate", NAMED),
      "core switch": coreSwitch,
      hop: pass,
    };
    await nodeRed.deploy(tab([tenant(origin), ...Object.values(nodes).flatMap((node) => loop(node))]));
    const load = { payload: 12, inFlight: 32, warmUpMs: 100, forMs: sampleMs };
    const runs = Object.entries(nodes).map(
      ([name, { id }]) => [name, () => nodeRed.run("flow", { loop: `loop ${id}`, ...load })] as const,
    );
    const measured = await new Rounds().measure(Object.fromEntries(runs), rounds);
    const toSwitch = (name: string) => measured.ratio(name, "core switch", (sample) => sample.perSecond);
    const lines = Object.keys(nodes).map((name) => [
      name,
      whole(measured.median(name, (sample) => sample.perSecond)),
      two(measured.median(name, (sample) => sample.processor)),
      two(toSwitch(name)),
    ]);
    await nodeRed.stop();
    return {
      title: "Gates",
      body: [table(["32 in flight", "a second", "µs", "÷ switch"], lines)],
      targets: [atLeast("gate ÷ core switch node, rate", 0.9, toSwitch("gate, own schedule"))],
    };
  },
};
