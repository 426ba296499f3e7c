import assert from "node:assert/strict";
import type { FaultName } from "./faults/catalogue.js";
import { FaultServerProcess } from "./faults/fault-server-process.js";
import { callOut, clientFor, close, done, told } from "./tenant-subject";

describe("row 13: answers nobody should take in whole", () => {
  it("a hundred of them cost 20 MB at most", async function () {
    this.timeout(60_000);
    const remote = await FaultServerProcess.start();
    const client = clientFor(remote.url, { timeoutMs: 20_000 });
    const names: [FaultName, ...FaultName[]] = [
      "huge-length",
      "huge-length-silent",
      "endless-chunks",
      "endless-until-close",
      "gzip-bomb",
      "header-64k",
      "headers-64k",
    ];
    const meet = async (count: number) => {
      const ends = await Promise.all(Array.from({ length: count }, (_, i) => done(client, callOut(`${i}`))));
      for (const end of ends) assert.equal(told(end).code, "ERR_RESPONSE_TOO_LARGE");
    };
    const round = async () => {
      for (const name of names) {
        await remote.behave({ always: name });
        await meet(15);
      }
    };
    // Until undici, its parser and the heap's spaces have the size that they keep.
    await round();
    await round();
    const before = process.memoryUsage.rss();
    await round();
    const grown = (process.memoryUsage.rss() - before) / (1 << 20);
    await close(client);
    await remote.stop();
    assert.ok(grown <= 20, `${grown.toFixed(1)} MB`);
  });
});
