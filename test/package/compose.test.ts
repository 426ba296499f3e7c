import assert from "node:assert/strict";
import { compose, nodeReds, redisCommand } from "../support/backlog/compose";

/** Checks of docs/compose.yaml that need no Docker; test/redis/processes/compose.test.ts runs its processes. */
describe("the setup with Docker Compose", () => {
  it("has a Redis that forgets nothing, with the password that the Node-REDs use", () => {
    const command = redisCommand("secret").join(" ");
    for (const option of ["--appendonly yes", "--appendfsync always", "--maxmemory-policy noeviction"])
      assert.ok(command.includes(option), option);
    assert.ok(command.endsWith("--requirepass secret"));
    for (const [, { environment }] of nodeReds)
      assert.equal(environment?.["REDIS_URL"], "redis://:${REDIS_PASSWORD:?}@redis:6379");
    assert.equal(compose.services["redis"]?.ports, undefined, "Redis is not reachable from outside");
  });

  it("has a balancer in front of all Node-REDs", () => {
    const upstreams = [...String(compose.services["balancer"]?.command).matchAll(/--to (\S+):1880/g)];
    assert.deepEqual(
      upstreams.map(([, name]) => name),
      nodeReds.map(([name]) => name),
    );
  });
});
