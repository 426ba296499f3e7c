import { openRedis } from "../../src/backlog/redis/open";
import type { Store } from "../../src/backlog/store";
import { backlogContract } from "../support/backlog/contract";
import { loadRedis } from "../support/backlog/ioredis";
import { expireLeases } from "../support/backlog/leases";
import { RedisServer } from "../support/backlog/redis-server";
import { Route } from "../support/backlog/route";
import type { Engine } from "../support/backlog/stage";
import { troubleContract } from "../support/backlog/trouble-contract";
import { until } from "../support/until";

describe("what is promised of every backlog, in Redis", () => {
  let server: RedisServer;
  let group = 0;
  let store: Store;
  const routes: Route[] = [];
  const reopen = async () => {
    const route = new Route(server.port);
    routes.unshift(route);
    store = await openRedis({
      url: await route.open(),
      prefix: [`contract ${group}`],
      load: loadRedis,
      leaseMs: 1500,
    });
    return store;
  };

  before(async () => {
    server = await RedisServer.start();
  });
  after(async () => {
    for (const route of routes) route.close();
    await server.kill();
  });

  const engine: Engine = {
    open: () => {
      group += 1;
      return reopen();
    },
    durable: {
      reopen,
      kill: async () => {
        routes[0]?.refuse();
        await expireLeases(server);
      },
      fail: async () => {
        routes[0]?.refuse();
        await until(async () => (await store.keys.try({ hash: "any", forMs: 1 })).kind === "failed");
        return () => routes[0]?.recover();
      },
    },
  };
  backlogContract(engine);
  describe("while the service fails", () => troubleContract(engine));
});
