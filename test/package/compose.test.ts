import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { compose, nodeReds, redisCommand } from "../support/backlog/compose";
import { root } from "../support/root";

const read = (file: string) => readFileSync(join(root, file), "utf8");

/** Checks of docs/compose.yaml that need no Docker; test/redis/compose.test.ts runs its processes. */
describe("the setup with Docker Compose", () => {
  it("runs each Node-RED as its page does", () => {
    const command = /docker run[^`]*/.exec(read("docs/running.md"))?.[0] ?? "";
    assert.equal(nodeReds.length, 3);
    for (const [name, { image, volumes, stop_grace_period, environment = {}, ports }] of nodeReds) {
      assert.ok(command.trimEnd().endsWith(` ${image}`), image);
      assert.deepEqual(volumes, [`${name}:${/-v \w+:(\S+)/.exec(command)?.[1]}`]);
      assert.equal(stop_grace_period, `${/--stop-timeout (\d+)/.exec(command)?.[1]}s`);
      assert.match(ports?.[0] ?? "", new RegExp(`:${/-p \d+:(\d+)/.exec(command)?.[1]}$`));
      assert.ok(command.includes("-e TENANT_TOKEN") && "TENANT_TOKEN" in environment);
    }
  });

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

  it("declares the volumes that its services use, and that docs/scale.md copies", () => {
    const used = Object.values(compose.services).flatMap(({ volumes = [] }) => volumes.map((it) => it.split(":")[0]));
    assert.deepEqual(Object.keys(compose.volumes), used);
    const copied = [...read("docs/scale.md").matchAll(/-v (\S+?)(?:\$n)?:/g)].map(([, volume = ""]) => volume);
    assert.deepEqual(copied, [`${compose.name}_node-red-1`, `${compose.name}_node-red-`]);
  });
});
