import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Backlog } from "../../src/backlog";
import { openRedis } from "../../src/backlog/redis/open";
import { TenantClient } from "../../src/tenant";
import { until } from "../support/backlog/instances";
import { loadRedis } from "../support/backlog/ioredis";
import { expire } from "../support/backlog/leases";
import { RedisServer } from "../support/backlog/redis-server";
import { callOut, optionsFor } from "../unit/tenant/subject";

describe("clients that share a backlog in Redis", () => {
  let server: RedisServer;
  let placed: number;
  const tenant = createServer((_, response) => {
    placed += 1;
    response.setHeader("content-type", "application/json").end('{"success":true,"data":null}');
  });
  const clients: TenantClient[] = [];
  let orphans: string[];

  before(async () => {
    server = await RedisServer.start();
    await once(tenant.listen(0, "127.0.0.1"), "listening");
  });
  beforeEach(async () => {
    [placed, orphans] = [0, []];
    await server.command("FLUSHALL");
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.stop(1000);
  });
  after(async () => {
    tenant.close();
    await server.kill();
  });

  async function client(leaseMs: number): Promise<TenantClient> {
    const url = `http://127.0.0.1:${(tenant.address() as AddressInfo).port}`;
    const store = await openRedis({ url: server.url, prefix: ["clients"], load: loadRedis, leaseMs });
    const opened = new TenantClient(optionsFor(url), new Backlog(store));
    opened.restoreHandler = {
      hasNode: () => true,
      onOrphanedResult: ({ job }, { ok }) => orphans.push(`${job.id} ${ok}`),
      onUnreportedOutcome: () => {},
    };
    clients.push(opened);
    return opened;
  }

  it("place each call once, and answer where it was accepted", async () => {
    const [one, two] = [await client(1500), await client(1500)];
    const sent = Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? one : two).send(callOut(`09000000${n}`)));
    assert.ok((await Promise.all(sent)).every(({ ok }) => ok));
    assert.deepEqual([placed, orphans], [40, []]);
  });

  it("send nothing on that another one has inherited", async () => {
    const gone = await client(60_000);
    gone.pause();
    const sent = gone.send(callOut("0900000001"));
    const [waiting = ""] = (await server.command("KEYS", "*:state")) as string[];
    const prefix = waiting.slice(0, -":state".length);
    const [instance = ""] = (await server.command("ZRANGE", `${prefix}:alive`, "0", "-1")) as string[];
    await until(async () => (await server.command("ZCARD", `${prefix}:waiting:${instance}`)) === 1);
    await expire(server);
    const heir = await client(1500);
    await until(async () => (await server.command("HLEN", `${prefix}:gone`)) === 1);
    heir.resume();
    await until(() => orphans.length === 1);
    gone.pause();
    const result = await sent;
    assert.ok(result.ok && result.sentOn === true);
    assert.deepEqual([placed, orphans], [1, [`${callOut("0900000001").id} true`]]);
  });
});
