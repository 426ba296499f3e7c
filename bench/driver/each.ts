import type { LoopNode } from "./loop-node";

/** One message in, `count` messages out; the heap is looked at now and then. */
export function each(loop: LoopNode, count: number): Promise<{ ms: number; heapPeak: number }> {
  return new Promise((resolve) => {
    const startedAt = performance.now();
    let arrived = 0;
    let heapPeak = 0;
    loop.arrived = () => {
      arrived += 1;
      if (arrived % 500 === 0) heapPeak = Math.max(heapPeak, process.memoryUsage().heapUsed);
      if (arrived === count) resolve({ ms: performance.now() - startedAt, heapPeak });
    };
    loop.send({ _msgid: "each", payload: {} } as never);
  });
}
