import type { StartClock } from "../../backlog/start-clock";
import { perNode } from "../node-red/node-state";

/** The clocks of journals, by file. Each knows whether the machine was started since its journal was last written. */
export const startClocks = perNode<Promise<StartClock | undefined>>("start clock");

/** Whether the machine was started since a journal was written, and it is not known yet that its clock is right. */
export async function isClockUnsure(): Promise<boolean> {
  return (await Promise.all(startClocks.values())).some((clock) => clock?.isUnsure);
}
