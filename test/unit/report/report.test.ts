import assert from "node:assert/strict";
import { htmlOf } from "../../../src/workshop/report/html";
import { sampleCall, sampleRehearsal } from "../rehearsal/sample";

describe("the report as a page", () => {
  it("stands alone, and nothing in it can become markup", () => {
    const hostile = "</script><script>alert(1)</script><!--";
    const calls = [{ ...sampleCall("08:00", "01", hostile), node: hostile }];
    const rehearsal = { ...sampleRehearsal({ calls }), notes: [hostile] };
    for (const isInEditor of [false, true]) {
      const page = htmlOf(rehearsal, { isInEditor });
      assert.ok(!page.includes(hostile));
      assert.equal(page.match(/<script/g)?.length ?? 0, isInEditor ? 1 : 0);
      assert.ok(page.includes("default-src &#39;none&#39;"));
      assert.ok(!/(?:src|href)="(?!data:)/.test(page));
    }
  });

  it("has each call once, the later ones folded away", () => {
    const calls = Array.from({ length: 5500 }, (_, index) => sampleCall("08:00", `n${index}.`));
    const page = htmlOf(sampleRehearsal({ calls }));
    assert.deepEqual(
      page.match(/(?<=>)n\d+\.(?=<)/g),
      calls.map(({ number }) => number),
    );
    assert.deepEqual(
      page.split("<details>").map((part) => part.match(/>n\d+\.</g)?.length),
      [200, 5000, 300],
    );
  });
});
