import type { Memory } from "./driver/orders";
import { action, loop, tab, tenant } from "./flows";
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

/** Two hundred thousand messages, then as many again; what the second run gives back was not lost. */
export async function measureEndurance(server: Tenant, { messages }: Effort): Promise<Endurance> {
  const { nodeRed } = await NodeRed.start(userFolder("endurance", true));
  await nodeRed.deploy(tab(tenant(server.origin), loop(action("call-stop"))));
  const run = { loop: "loop call-stop", payload: "call-stop", underWay: 32, warmUpMs: 0 } as const;
  const held: Held[] = [];
  let done = 0;
  for (const upTo of [messages / 10, messages, 2 * messages]) {
    await nodeRed.ask("flow", { ...run, count: upTo - done });
    done = upTo;
    held.push({ messages: done, ...(await nodeRed.memory()) });
  }
  const file = temporary("call-stop.cpuprofile");
  await nodeRed.ask("startProfile", {});
  await nodeRed.ask("flow", { ...run, count: messages / 2 });
  await nodeRed.ask("stopProfile", { file });
  await nodeRed.stop();
  return { held, profile: summary(file) };
}
