import assert from "node:assert/strict";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { FaultName } from "./faults/catalogue.js";
import { FaultServerProcess } from "./faults/fault-server-process.js";
import { callOut, clientFor, close, done, told } from "./tenant-subject";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** What the process holds when nothing is left to be collected: garbage says how busy the machine is, not what is kept. */
function kept(): number {
  collect();
  return process.memoryUsage.rss();
}

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
    const before = kept();
    await round();
    const grown = (kept() - before) / (1 << 20);
    await close(client);
    await remote.stop();
    assert.ok(grown <= 20, `${grown.toFixed(1)} MB`);
  });
});

describe("row 26: ten thousand messages at once", () => {
  const MESSAGES = 10_000;
  const BACKLOG = 9_000;

  it("go out first in, first out, or are refused at once; all settle, for 60 MB at most", async function () {
    this.timeout(60_000);
    const remote = await FaultServerProcess.start();
    const client = clientFor(remote.url, { timeoutMs: 20_000, concurrency: 1, backlog: BACKLOG });
    await Promise.all(Array.from({ length: 2000 }, (_, i) => done(client, callOut(`warm ${i}`))));
    const before = kept();
    let peak = before;
    const sample = () => {
      peak = Math.max(peak, process.memoryUsage.rss());
    };
    const sampling = setInterval(sample, 10);
    const settled = Promise.all(Array.from({ length: MESSAGES }, (_, i) => done(client, callOut(`${i}`))));
    sample();
    const ends = (await settled).map(told);
    clearInterval(sampling);
    const arrived = (await remote.ledger()).requests.flatMap(({ key }) =>
      key && !key.startsWith("warm") ? [key] : [],
    );
    await close(client);
    await remote.stop();
    const taken = BACKLOG + 1;
    assert.deepEqual(
      arrived,
      Array.from({ length: taken }, (_, i) => `${i}`),
    );
    assert.deepEqual([...new Set(ends.slice(0, taken).map(({ code }) => code))], ["ok"]);
    assert.deepEqual(
      [...new Set(ends.slice(taken).map(({ code, sent }) => `${code} ${sent}`))],
      ["ERR_BACKLOG_FULL no"],
    );
    const grown = (peak - before) / (1 << 20);
    assert.ok(grown <= 60, `${grown.toFixed(1)} MB`);
  });
});
