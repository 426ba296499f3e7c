import assert from "node:assert/strict";
import { join } from "node:path";
import { Backlog } from "../../../src/backlog";
import { FileStore } from "../../../src/backlog/file/file-store";
import { type Job, type JobResult, outcomeOf, TenantClient } from "../../../src/client";
import { temporaryFolder } from "../../support/process/user-folder";
import { withServer } from "./stage";
import { callOut, close, optionsFor } from "./subject";

const HOUR = 3_600_000;

/** docs/contract/restarts.md#restarts: what a file has is not kept in memory, too. */
describe("a message whose call-out waits in a file", () => {
  const held = withServer();
  let client: TenantClient;
  /** What became of messages that were let go, and of those that were not. */
  const copies: string[] = [];
  const originals: string[] = [];
  let queued = 0;

  beforeEach(async () => {
    const { store } = await FileStore.open(join(temporaryFolder(), "a.journal"));
    client = new TenantClient(optionsFor(held.server.url), new Backlog(store));
    client.restoreHandler = {
      hasNode: () => true,
      onOrphanedResult: ({ job }) => assert.fail(`${job.id} was accepted here`),
      onLetGoResult: ({ job, kept }, result) => copies.push(`${job.id} ${kept} ${outcomeOf(result)}`),
      onUnreportedOutcome: () => {},
    };
    copies.splice(0);
    originals.splice(0);
    queued = 0;
    await client.opened;
  });
  afterEach(() => close(client));

  const send = (job: Job, isExact = true) => {
    const onEnd = (result: JobResult) => originals.push(`${job.id} ${outcomeOf(result)}`);
    const onQueued = () => (queued += 1);
    client.start(job, {
      keep: () => ({ kept: `copy of ${job.id}`, size: 1, isExact }),
      letGo: () => true,
      onQueued,
      onEnd,
    });
  };
  const until = async (is: () => boolean) => {
    while (!is()) await new Promise(setImmediate);
  };
  const dialled = () => held.server.ledger.requests.length;

  it("is let go until its date if the file has all of it, and then performed once", async () => {
    const notBefore = Date.now() + 300;
    send(callOut("1", { notBefore }));
    send(callOut("2", { notBefore }), false);
    await until(() => client.lanes.dated === 2);
    await until(() => copies.length + originals.length === 3);
    // A sender that has let go is notified as well: it counts its requests.
    assert.deepEqual([copies, [...originals].sort()], [["1 copy of 1 applied"], ["1 applied", "2 applied"]]);
    assert.equal(dialled(), 2);
  });

  it("is listed with key and number, and ends with its copy when it is called off", async () => {
    send(callOut("0912345678", { notBefore: Date.now() + HOUR, deduplication: { key: "a", forMs: HOUR } }));
    await until(() => client.lanes.dated === 1);
    const [call] = await client.list({ limit: 10, offset: 0 });
    assert.deepEqual([call?.key, call?.number, call?.waitsFor], ["a", "0912345678", "date"]);
    assert.deepEqual(await client.cancel("a"), { cancelled: 1, tooLate: 0 });
    assert.deepEqual(copies, ["0912345678 copy of 0912345678 not-applied"]);
  });

  for (const [count, some] of [
    [500, false],
    [501, true],
  ] as const)
    it(`${some ? "is let go" : "stays in memory"} when ${count} wait for their turn`, async () => {
      client.pause();
      for (let n = 1; n <= count; n += 1) send(callOut(`${n}`));
      await until(() => queued === count);
      assert.equal(await client.drop(), count);
      assert.equal(copies.length > 0, some, `${copies.length} were let go`);
    });
});
