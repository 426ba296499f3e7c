import { openRedis } from "../../src/backlog/redis/open";
import { backlogContract } from "../support/backlog/contract";
import { loadRedis } from "../support/backlog/ioredis";
import { RedisServer } from "../support/backlog/redis-server";
import { troubleContract } from "../support/backlog/trouble-contract";

describe("what is promised of every backlog, in Redis", () => {
  let server: RedisServer;
  let group = 0;
  const reopen = () => openRedis({ url: server.url, prefix: [`contract ${group}`], load: loadRedis, leaseMs: 1500 });

  before(async () => {
    server = await RedisServer.start();
  });
  after(() => server.kill());

  const engine = {
    open: () => {
      group += 1;
      return reopen();
    },
    reopen,
  };
  backlogContract(engine);
  describe("while the service fails", () => troubleContract(engine));
});
