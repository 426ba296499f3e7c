import type { Memory } from "./driver/orders";
import { action, type FlowNode, loop, tab, tenant } from "./flows";
import type { Effort } from "./main";
import { NodeRed } from "./node-red";
import { type Shares, summary } from "./profile-summary";
import type { Tenant } from "./tenant-process";
import { temporary, userFolder } from "./user-folder";

/** What the process holds after so many messages since its start. */
export interface Held extends Memory {
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
  const { nodeRed } = await NodeRed.start(userFolder("endurance", "shipped"));
  await nodeRed.deploy(flow);
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

async function profile(flow: readonly FlowNode[], count: number): Promise<Shares> {
  const { nodeRed } = await NodeRed.start(userFolder("profile", "built"));
  await nodeRed.deploy(flow);
  await nodeRed.ask("flow", { ...run, count });
  const file = temporary("call-stop.cpuprofile");
  await nodeRed.ask("startProfile", {});
  await nodeRed.ask("flow", { ...run, count });
  await nodeRed.ask("stopProfile", { file });
  await nodeRed.stop();
  return summary(file);
}
