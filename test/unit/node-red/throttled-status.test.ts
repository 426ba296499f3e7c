import { ok, strictEqual } from "node:assert/strict";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Node, NodeStatus } from "node-red";
import { ThrottledStatus } from "../../../src/runtime/node-red/throttled-status";
import { until } from "../../support/until";

describe("the status of a node", () => {
  it("changes at most four times a second, and ends with the last update", async () => {
    const shown: { readonly at: number; readonly text: string }[] = [];
    let made = 0;
    const status = ({ text }: NodeStatus) => shown.push({ at: made, text: String(text) });
    const words = new ThrottledStatus({ status } as unknown as Node);
    let given = 0;
    for (; shown.length < 8; await nextTurn()) {
      const text = String(++given);
      words.show(() => {
        // Not once it is shown: the process may have been kept waiting between.
        made = performance.now();
        return { text };
      });
    }
    await until(() => shown.at(-1)?.text === String(given));
    strictEqual(shown[0]?.text, "1");
    const fifths = shown.slice(4).map(({ at }, index) => at - (shown[index]?.at ?? 0));
    ok(Math.min(...fifths) >= 1000, `five within ${Math.min(...fifths)} ms`);
  });
});
