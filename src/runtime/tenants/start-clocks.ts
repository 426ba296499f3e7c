import type { StartClock } from "../../backlog/start-clock";
import { perNode } from "../node-red/node-state";

/** The clocks of journals, by file. Each knows whether the machine was started since its journal was last written. */
const clocks = perNode<Promise<StartClock | undefined>>("start clock");

export function followClock(file: string, opening: Promise<{ readonly clock: StartClock }>): void {
  clocks.set(
    file,
    opening.then(
      ({ clock }) => clock,
      () => undefined,
    ),
  );
}

/** Whether the machine was started since a journal was written, and it is not known yet that its clock is right. */
export async function isClockUnsure(): Promise<boolean> {
  return (await Promise.all(clocks.values())).some((clock) => clock?.isUnsure);
}
