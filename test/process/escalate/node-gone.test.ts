import assert from "node:assert/strict";
import { join } from "node:path";
import { go, withCampaign } from "../../support/process/campaign";
import { eventually } from "../../support/process/eventually";
import { dialled, incident, incidentFlow, untilDialled } from "../../support/process/incident-flow";
import { unfinishedLines } from "../../support/process/unfinished-lines";

/** docs/contract.md#restarts */
describe("an incident whose node was deleted while nothing ran", () => {
  const held = withCampaign();

  it("is in the unfinished file with its key and its calls, as other messages are", async () => {
    const first = await held.campaign.start();
    await first.deploy(incidentFlow({ url: held.tenant.url }, { ringFor: "3600" }));
    await go(first, incident("i"));
    await untilDialled(held.tenant, 1);
    await first.stop("SIGKILL");
    held.campaign.edit((node) => (node.id === "call" ? undefined : node));
    await held.campaign.start();
    const file = join(held.campaign.telephonyFolder, "unfinished.jsonl");
    const [line] = await eventually(() => {
      const lines = unfinishedLines(file);
      return lines.length > 0 ? lines : undefined;
    });
    assert.ok(line);
    const { node, action, mode, message, outcome, request } = line;
    assert.deepEqual([node, action, mode, message, outcome], ["call", "call-escalate", "live", "i", "unknown"]);
    assert.equal(request["key"], "i");
    assert.deepEqual(
      (request["rung"] as { name: string }[]).map(({ name }) => name),
      ["A"],
    );
    assert.equal(dialled(held.tenant), "A");
  });
});
