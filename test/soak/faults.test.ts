import assert from "node:assert/strict";
import { announcedSeed } from "../support/faults/seed";
import { casesOf } from "../support/until";
import { fuzzedRun } from "./support/fuzzed-run";
import { mixedRun } from "./support/mixed-run";

/** A part of the figures in docs/faults.md#figures; `npm run soak` measures all of them. */
describe("many calls under random faults", () => {
  const clean = { endedTwice: [], neverEnded: [], duplicates: [], contradicted: [], invented: [] };

  it("rows 4 to 19: each settles once, none is placed twice, and no `sent: no` is wrong", async () => {
    const { ends, unseen, ...wrong } = await mixedRun({ calls: 1500, seed: announcedSeed(), faults: "all" });
    assert.deepEqual(wrong, clean);
    assert.ok((ends["ok"] ?? 0) > 500 && Object.keys(ends).length >= 8, JSON.stringify(ends));
    assert.ok(unseen.saidNo >= 0.99 * unseen.all, JSON.stringify(unseen));
  });

  it("row 4: a call without a connection is reported as not sent", async () => {
    const { ends, unseen, ...wrong } = await mixedRun({ calls: 300, seed: announcedSeed(), faults: "connecting" });
    assert.deepEqual(wrong, clean);
    assert.ok(unseen.all > 0 && unseen.saidNo === unseen.all, JSON.stringify({ ends, unseen }));
  });

  it("generated answers, valid and invalid: each call settles once, without side effects", async () => {
    const { ends, codes, duplicates, denied } = await fuzzedRun(casesOf(5000), announcedSeed());
    for (const code of ["ok", "ERR_BAD_RESPONSE", "ERR_REJECTED", "ERR_TIMEOUT"]) assert.ok(codes.has(code), code);
    assert.deepEqual({ duplicates, denied }, { duplicates: [], denied: [] });
    for (const end of ends) if (end.ok) assert.ok(!Object.hasOwn((end.data ?? {}) as object, "__proto__"));
    assert.equal(({} as Record<string, unknown>)["polluted"], undefined);
  });
});
