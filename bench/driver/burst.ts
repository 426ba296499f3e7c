import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import type { LoopNode } from "./loop-node";

export interface Burst {
  /** Milliseconds until all messages were accepted and waited. */
  readonly acceptedMs: number;
  /** Bytes of heap for each message that waits. */
  readonly heapEach: number;
  /** The longest time that the event loop did not come round meanwhile, in milliseconds. */
  readonly longestPauseMs: number;
  /** How many were sent within the time of watching. */
  readonly sent: number;
  /** Milliseconds until all that waited had been dropped and had reached the Catch node. */
  readonly droppedMs: number;
  /** Bytes of heap more than before, when all is over. */
  readonly heapLeft: number;
}

/**
 * Far more messages at once than the tenant is allowed to take.
 * @param loop both what was sent and what was dropped comes back to it
 * @param control wired to a telephony-control node that drops what waits
 */
export async function burst(
  loop: LoopNode,
  control: LoopNode,
  { count, watchMs }: { count: number; watchMs: number },
): Promise<Burst> {
  const before = heap();
  let back = 0;
  let finish = () => {};
  loop.arrived = () => {
    back += 1;
    if (back === count) finish();
  };
  const begun = performance.now();
  for (let index = 0; index < count; index += 1) {
    loop.send({
      _msgid: `burst ${index}`,
      payload: { to: { number: "0000000001" }, answer_url: "https://example.com" },
    } as never);
  }
  let longestPauseMs = 0;
  // One more round through the event loop than a message takes to its node.
  for (let rounds = 0; rounds < 3; rounds += 1) {
    const at = performance.now();
    await turn();
    longestPauseMs = Math.max(longestPauseMs, performance.now() - at);
  }
  const acceptedMs = performance.now() - begun;
  const heapEach = (heap() - before) / count;
  await sleep(watchMs);
  const sent = back;
  const dropping = performance.now();
  const over = new Promise<void>((resolve) => {
    finish = resolve;
  });
  control.send({ _msgid: "drop", payload: "drop" } as never);
  await over;
  const droppedMs = performance.now() - dropping;
  await sleep(500);
  return { acceptedMs, heapEach, longestPauseMs, sent, droppedMs, heapLeft: heap() - before };
}

function heap(): number {
  global.gc?.();
  return process.memoryUsage().heapUsed;
}
