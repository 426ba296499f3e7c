import assert from "node:assert/strict";
import { createServer } from "node:http";
import { Backlog } from "../../src/backlog";
import { openRedis } from "../../src/backlog/redis/open";
import { type JobResult, TenantClient } from "../../src/client";
import { withRedis } from "../support/backlog/instances";
import { loadRedis } from "../support/backlog/ioredis";
import { successorTo } from "../support/backlog/leases";
import { listen } from "../support/loopback";
import { until } from "../support/until";
import { callOut, optionsFor } from "../unit/client/subject";

describe("clients that share a backlog in Redis", () => {
  const redis = withRedis();
  let placed: number;
  let answers: boolean;
  const tenant = createServer(({ method }, response) => {
    // A probe goes first.
    if (method === "POST") placed += 1;
    if (!answers && method === "POST") return;
    response.setHeader("content-type", "application/json").end('{"success":true,"data":null}');
  });
  const clients: TenantClient[] = [];
  let orphans: string[];

  let url: string;
  before(async () => {
    url = `http://127.0.0.1:${await listen(tenant)}`;
  });
  beforeEach(() => {
    [placed, orphans, answers] = [0, [], true];
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.stop(1000);
  });
  after(() => {
    tenant.close();
    tenant.closeAllConnections();
  });

  async function client(leaseMs: number): Promise<TenantClient> {
    const store = await openRedis({ url: redis.server.url, prefix: ["clients"], load: loadRedis, leaseMs });
    const opened = new TenantClient(optionsFor(url), new Backlog(store), () => ({
      isDeleted: () => false,
      onOrphanedResult: ({ job }, { ok }) => orphans.push(`${job.id} ${ok}`),
      onUnreportedOutcome: () => {},
    }));
    clients.push(opened);
    return opened;
  }

  const isWaiting = () =>
    until(async () => ((await redis.server.command("KEYS", "*:waiting:*")) as string[]).length === 1);

  it("get rows of lists back that were not in flight, to be sent again once", async () => {
    const row = (key: string) => callOut(key, { list: "a", deduplication: { key, forMs: 3_600_000 } });
    const gone = await client(60_000);
    answers = false;
    const inFlight = gone.send(row("0900000001"));
    await until(() => placed === 1);
    gone.hold(true);
    const waiting = gone.send(row("0900000002"));
    await isWaiting();
    await successorTo(redis.server, () => client(1500));
    await until(() => orphans.length === 1);
    answers = true;
    gone.hold(false);
    const again = async () => Promise.all(["0900000001", "0900000002"].map((key) => gone.send(row(key))));
    const shown = (results: readonly JobResult[]) =>
      results.map((result) =>
        result.ok ? "ok" : [result.error.code, result.error.outcome, result.error.details.first?.outcome],
      );
    assert.deepEqual(shown(await Promise.all([inFlight, waiting])), [
      ["ERR_CONNECTION_LOST", "unknown", undefined],
      ["ERR_ENGINE", "not-applied", undefined],
    ]);
    assert.deepEqual(shown(await again()), [["ERR_DUPLICATE", "not-applied", "unknown"], "ok"]);
    assert.deepEqual([placed, orphans], [2, ["0900000001 false"]]);
  });

  it("send nothing on that another one has inherited", async () => {
    const gone = await client(60_000);
    gone.hold(true);
    const sent = gone.send(callOut("0900000001"));
    await isWaiting();
    const successor = await successorTo(redis.server, () => client(1500));
    successor.hold(false);
    await until(() => orphans.length === 1);
    gone.hold(true);
    const result = await sent;
    assert.ok(result.ok && result.sentOn === true);
    assert.deepEqual([placed, orphans], [1, [`${callOut("0900000001").id} true`]]);
  });
});
