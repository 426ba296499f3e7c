import type { Memory, Taken } from "./driver/orders";
import { type FlowNode, httpRequest, many, tab, tenants } from "./flows";
import type { Effort } from "./main";
import { NodeRed } from "./node-red";
import { median } from "./statistics";
import { nodeFiles, userFolder } from "./user-folder";

export type Cost = Pick<Taken, "ms"> & Partial<Taken> & Memory;

export interface Loading {
  /** From the start of the process until the flows run, which there are none of. */
  readonly without: Cost;
  readonly with: Cost;
  /** All node files of the package, loaded into a Node-RED that runs without it. */
  readonly alone: Cost;
  readonly nodes: number;
  readonly tenants: number;
  /** Deploys of as many nodes: of this package on so many tenants, and of the core http request node. */
  readonly ours: Cost;
  readonly core: Cost;
}

const NODES = 500;
const TENANTS = 20;
/** Nothing listens there, and nothing is sent. */
const NOWHERE = "http://127.0.0.1:9";

export async function measureLoading({ rounds }: Effort): Promise<Loading> {
  const bare = userFolder("bare");
  const full = userFolder("full", "shipped");
  const cores = tab(many(NODES, () => httpRequest("call-stop", NOWHERE)));
  const seen = { without: [], with: [], alone: [], ours: [], core: [] } as Record<
    Exclude<keyof Loading, "nodes" | "tenants">,
    Cost[]
  >;
  for (let round = 0; round <= rounds; round += 1) {
    const without = await starting(bare, (nodeRed) => deploying(nodeRed, cores));
    const alone = await starting(bare, (nodeRed) => nodeRed.ask("loadPackage", { files: nodeFiles }));
    const packed = await starting(full, (nodeRed) => deploying(nodeRed, tab(...tenants(TENANTS, NODES, NOWHERE))));
    // The first round warms the machine's file cache.
    if (round === 0) continue;
    seen.without.push(without.started);
    seen.core.push(without.then);
    seen.alone.push(alone.then);
    seen.with.push(packed.started);
    seen.ours.push(packed.then);
  }
  const { without, alone, ours, core } = seen;
  return {
    without: middle(without),
    with: middle(seen.with),
    alone: middle(alone),
    nodes: NODES,
    tenants: TENANTS,
    ours: middle(ours),
    core: middle(core),
  };
}

/** What a start costs, and what is done after it. */
async function starting(
  folder: string,
  next: (nodeRed: NodeRed) => Promise<Cost>,
): Promise<{ started: Cost; then: Cost }> {
  const { nodeRed, ms, processorMs } = await NodeRed.start(folder);
  const started = { ms, processorMs, ...(await nodeRed.memory()) };
  const then = await next(nodeRed);
  await nodeRed.stop();
  return { started, then };
}

/** A deploy's cost above that of a deploy of nothing, whose first one has costs of its own. */
async function deploying(nodeRed: NodeRed, flows: readonly FlowNode[]): Promise<Cost> {
  await nodeRed.deploy(tab());
  const nothing = await nodeRed.deploy(tab());
  const before = await nodeRed.memory();
  const ms = (await nodeRed.deploy(flows)) - nothing;
  const { heap, resident } = await nodeRed.memory();
  return { ms, heap: heap - before.heap, resident: resident - before.resident };
}

function middle(costs: readonly Cost[]): Cost {
  const of = (what: (cost: Cost) => number) => median(costs.map(what));
  return {
    ms: of(({ ms }) => ms),
    processorMs: of(({ processorMs = Number.NaN }) => processorMs),
    heap: of(({ heap }) => heap),
    resident: of(({ resident }) => resident),
  };
}
