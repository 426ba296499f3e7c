import assert from "node:assert/strict";
import { campaignFlow, go, placed, placedAll, withCampaign } from "../../support/process/campaign";
import { eventually } from "../../support/process/eventually";
import { untilAccepted } from "../../support/process/journals";
import { clockAt } from "../../support/process/node-red";

/** On 25 October 2026 the clocks of Berlin go back from 03:00 (+02:00) to 02:00 (+01:00). */
const [BEFORE, DATE] = ["2026-10-25T02:30:00+02:00", "2026-10-25T03:30:00+01:00"];

describe("a date behind the end of daylight saving time", () => {
  const held = withCampaign();

  it("is that of the tenant's clock then, and comes when the machine's clock reaches it", async () => {
    const nodeRed = await held.campaign.start(clockAt(BEFORE, DATE));
    const dated = { node: { notBefore: "payload.at", notBeforeType: "msg" } };
    await nodeRed.deploy(campaignFlow({ url: held.tenant.url, timezone: "Europe/Berlin" }, dated));
    await go(nodeRed, { id: "dated", at: "2026-10-25T03:30" });
    await untilAccepted(held.campaign.telephonyFolder, "dated");
    // The journal has it before it is listed.
    const calls = await eventually(async () => {
      const listed = (await (await nodeRed.post("/control", { command: "list" })).json()) as {
        calls: readonly { readonly notBefore: string; readonly waitsFor: string }[];
      };
      return listed.calls.length > 0 ? listed.calls : undefined;
    });
    assert.deepEqual(
      calls.map(({ notBefore, waitsFor }) => [new Date(notBefore).toISOString(), waitsFor]),
      [[new Date(DATE).toISOString(), "date"]],
    );
    assert.deepEqual(placed(held.tenant), []);
    nodeRed.setClock();
    assert.deepEqual(await placedAll(held.tenant, 1), ["dated"]);
  });
});
