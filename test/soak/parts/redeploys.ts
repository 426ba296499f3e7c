import { part, share } from "../part";
import { counted } from "../support/counting";
import { redeploying, slowTenant } from "../support/redeploying";

part(async () => {
  const deploys = share(200);
  const each = 5;
  const tenant = await slowTenant();
  const { nodeRed, counting } = await counted();
  const inFlight = await redeploying(nodeRed, counting, { deploys, each, url: tenant.url, name: "r" });
  const all = deploys * each;
  const { out, caught } = counting.ways;
  return [
    {
      figure: `${deploys} full redeploys, ${each} sent before each, 50 ms apart`,
      wanted: `${all} delivered, 0 twice`,
      found: `${out} delivered, ${counting.twice.length} twice, ${caught} failed, ${tenant.received.length} requests (${(inFlight / deploys).toFixed(1)} in flight at a deploy)`,
      holds: out === all && caught === 0 && counting.twice.length === 0 && tenant.received.length === all,
    },
  ];
});
