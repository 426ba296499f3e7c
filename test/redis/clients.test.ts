import assert from "node:assert/strict";
import { createServer } from "node:http";
import { Backlog } from "../../src/backlog";
import { openRedis } from "../../src/backlog/redis/open";
import { TenantClient } from "../../src/client";
import { withRedis } from "../support/backlog/instances";
import { loadRedis } from "../support/backlog/ioredis";
import { successorTo } from "../support/backlog/leases";
import { listen } from "../support/loopback";
import { until } from "../support/until";
import { callOut, optionsFor } from "../unit/client/subject";

describe("clients that share a backlog in Redis", () => {
  const redis = withRedis();
  let placed: number;
  const tenant = createServer(({ method }, response) => {
    // A probe goes first.
    if (method === "POST") placed += 1;
    response.setHeader("content-type", "application/json").end('{"success":true,"data":null}');
  });
  const clients: TenantClient[] = [];
  let orphans: string[];

  let url: string;
  before(async () => {
    url = `http://127.0.0.1:${await listen(tenant)}`;
  });
  beforeEach(() => {
    [placed, orphans] = [0, []];
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.stop(1000);
  });
  after(() => void tenant.close());

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

  it("send nothing on that another one has inherited", async () => {
    const gone = await client(60_000);
    gone.hold(true);
    const sent = gone.send(callOut("0900000001"));
    await until(async () => {
      const waiting = (await redis.server.command("KEYS", "*:waiting:*")) as string[];
      return waiting.length === 1;
    });
    const successor = await successorTo(redis.server, () => client(1500));
    successor.hold(false);
    await until(() => orphans.length === 1);
    gone.hold(true);
    const result = await sent;
    assert.ok(result.ok && result.sentOn === true);
    assert.deepEqual([placed, orphans], [1, [`${callOut("0900000001").id} true`]]);
  });
});
