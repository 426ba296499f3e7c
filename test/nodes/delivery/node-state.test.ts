import { deepStrictEqual, ok } from "node:assert/strict";
import { heldOf } from "../../../src/runtime/node-red/node-state";
import { give, load, redeploy, until } from "../../support/stage";
import { escalate, incident, incidents } from "../escalate/escalations";
import { ownGate } from "../gate/gates";
import { CALL_STOP, callOut } from "../schedules/requests";
import { ownTrigger } from "../trigger/triggers";

describe("what outlives the instances of nodes", () => {
  const { flow, untilDialled } = incidents();
  const nodes = [
    // Not the id of other tests: what the end of one of them has recorded is held until the process ends.
    escalate({ id: "alarm", rounds: "1", ringFor: "1" }),
    callOut({ id: "n3" }),
    CALL_STOP,
    ownTrigger({ id: "g1", wires: [[], []] }),
    ownGate({ id: "g2", wires: [[], []] }),
  ] as const;
  const ids = nodes.map(({ id }) => id);

  it("is kept through redeploys, and gone with the nodes", async () => {
    await load(flow({}, ...nodes));
    give({ payload: "0000000009" }, "n3");
    give(incident("k", [{ name: "A", number: "0000000000" }]), "alarm");
    await untilDialled(2);
    await redeploy(flow({}, ...nodes));
    const held = ids.map((id) => heldOf(id));
    ok(
      held.every((kinds) => kinds.length > 0),
      JSON.stringify(held),
    );
    ok(held[0]?.includes("escalations"));
    await redeploy(flow({}));
    await until(() => ids.every((id) => heldOf(id).length === 0), `nothing is held of ${ids.flatMap(heldOf)}`);
    deepStrictEqual(ids.flatMap(heldOf), []);
  });
});
