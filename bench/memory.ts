import type { Memory } from "./driver/orders";
import { action, type FlowNode, loop, tab, tenant } from "./flows";
import type { Effort } from "./main";
import { NodeRed } from "./node-red";
import { type Shares, summary } from "./profile-summary";
import type { Tenant } from "./tenant-process";
import { temporary, userFolder } from "./user-folder";

/** What the process holds after so many messages since its start. */
interface Held extends Memory {
  readonly messages: number;
}

export interface Endurance {
  readonly held: readonly Held[];
  readonly profile: Shares;
}

const run = { loop: "loop call-stop", payload: "call-stop", underWay: 32, warmUpMs: 0 } as const;

/** Two hundred thousand messages, then as many again; what the second run gives back was not lost. */
export async function measureEndurance(server: Tenant, { messages }: Effort): Promise<Endurance> {
  const flow = tab(tenant(server.origin), loop(action("call-stop")));
  const nodeRed = await started(userFolder("endurance", "shipped"), flow);
  const held: Held[] = [];
  let done = 0;
  for (const upTo of [messages / 10, messages, 2 * messages]) {
    await nodeRed.ask("flow", { ...run, count: upTo - done });
    done = upTo;
    held.push({ messages: done, ...(await nodeRed.memory()) });
  }
  await nodeRed.stop();
  return { held, profile: await profile(flow, messages / 2) };
}

/**
 * With its first messages one by one, as in life. V8 judges by the first objects of a kind how long they will live, and a
 * burst at once has it keep all that follow out of its cheap collections: half as much memory again, or none, by chance.
 */
async function started(folder: string, flow: readonly FlowNode[]): Promise<NodeRed> {
  const { nodeRed } = await NodeRed.start(folder);
  await nodeRed.deploy(flow);
  await nodeRed.ask("flow", { ...run, underWay: 1, count: 2000 });
  return nodeRed;
}

async function profile(flow: readonly FlowNode[], count: number): Promise<Shares> {
  const nodeRed = await started(userFolder("profile", "built"), flow);
  await nodeRed.ask("flow", { ...run, count });
  const file = temporary("call-stop.cpuprofile");
  await nodeRed.ask("startProfile", {});
  await nodeRed.ask("flow", { ...run, count });
  await nodeRed.ask("stopProfile", { file });
  await nodeRed.stop();
  return summary(file);
}
