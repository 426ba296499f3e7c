import type { Memory } from "./driver";
import { httpRequest, many, tab, tenants } from "./flows";
import type { Effort } from "./main";
import { NodeRed } from "./node-red";
import { median } from "./statistics";
import { nodeFiles, userFolder } from "./user-folder";

export type Cost = { readonly ms: number } & Memory;

export interface Loading {
  /** From the start of the process until the flows run, which there are none of. */
  readonly without: Cost;
  readonly with: Cost;
  /** All node files of the package, loaded into a Node-RED that runs without it. */
  readonly alone: Cost;
  /** Deploys of as many nodes: of this package on 20 tenants, and of the core http request node. */
  readonly nodes: number;
  readonly tenants: number;
  readonly ours: Cost;
  readonly core: Cost;
}

const NODES = 500;
const TENANTS = 20;

export async function measureLoading({ rounds }: Effort): Promise<Loading> {
  const bare = userFolder("bare", false);
  const full = userFolder("full", true);
  const seen = {
    without: [] as Cost[],
    with: [] as Cost[],
    alone: [] as Cost[],
    ours: [] as Cost[],
    core: [] as Cost[],
  };
  // Nothing listens at this address and nothing is sent.
  const nowhere = "http://127.0.0.1:9";
  for (let round = 0; round <= rounds; round += 1) {
    const without = await NodeRed.start(bare);
    const empty = await without.nodeRed.deploy(tab());
    const core = await without.nodeRed.deploy(tab(many(NODES, () => httpRequest("call-stop", nowhere))));
    await without.nodeRed.stop();
    const second = await NodeRed.start(bare);
    const alone = await second.nodeRed.ask("loadPackage", { files: nodeFiles });
    await second.nodeRed.stop();

    const packed = await NodeRed.start(full);
    const before = await packed.nodeRed.deploy(tab());
    const ours = await packed.nodeRed.deploy(tab(...tenants(TENANTS, NODES, nowhere)));
    await packed.nodeRed.stop();
    // The first round warms the machine's file cache.
    if (round === 0) continue;
    seen.without.push(without);
    seen.with.push(packed);
    seen.alone.push(alone);
    seen.core.push(difference(core, empty));
    seen.ours.push(difference(ours, before));
  }
  return {
    without: middle(seen.without),
    with: middle(seen.with),
    alone: middle(seen.alone),
    nodes: NODES,
    tenants: TENANTS,
    ours: middle(seen.ours),
    core: middle(seen.core),
  };
}

function difference(after: Cost, before: Cost): Cost {
  return {
    ms: after.ms - before.ms,
    heap: after.heap - before.heap,
    resident: after.resident - before.resident,
    processorMs: after.processorMs - before.processorMs,
  };
}

function middle(costs: readonly Cost[]): Cost {
  const of = (what: (cost: Cost) => number) => median(costs.map(what));
  return {
    ms: of(({ ms }) => ms),
    heap: of(({ heap }) => heap),
    resident: of(({ resident }) => resident),
    processorMs: of(({ processorMs }) => processorMs),
  };
}
