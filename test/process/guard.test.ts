import assert from "node:assert/strict";
import { campaignFlow, control, go, placed, withCampaign } from "../support/process/campaign";
import { untilAccepted } from "../support/process/journals";

/** docs/contract/guard.md, across the end of the process and with the default journal. */
describe("the guard of a tenant, when Node-RED starts again", () => {
  const held = withCampaign();
  const flow = (guard: Record<string, unknown>) =>
    campaignFlow(
      { url: held.tenant.url, country: "VN", ...guard },
      { node: { toNumber: "payload.number", toNumberType: "msg" } },
    );

  it("keeps how often a number was called, and checks waiting calls by the lists as they are then", async () => {
    const first = await held.campaign.start();
    await first.deploy(flow({ perNumber: "1" }));
    await go(first, { id: "first", number: "0912345678" });
    await held.campaign.resultsOf(1);
    await control(first, "pause");
    await go(first, { id: "blocked", number: "0912345670" }, { id: "free", number: "0912345679" });
    await untilAccepted(held.campaign.telephonyFolder, "blocked", "free");
    await first.stop("SIGKILL");

    held.campaign.edit((node) => (node.type === "telephony-tenant" ? { ...node, block: ["+84912345670"] } : node));
    const second = await held.campaign.start();
    await control(second, "resume");
    await held.campaign.resultsOf(3);
    await go(second, { id: "again", number: "+84 912 345 678" });
    await held.campaign.resultsOf(4);
    assert.deepEqual(held.campaign.ends, { first: "ok", blocked: "ERR_BLOCKED", free: "ok", again: "ERR_BLOCKED" });
    assert.deepEqual(placed(held.tenant), ["first", "free"]);
  });
});
