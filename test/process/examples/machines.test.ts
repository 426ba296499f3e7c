import assert from "node:assert/strict";
import { eventually } from "../../support/process/eventually";
import { deployable } from "../../support/process/examples";
import { LiveTenant } from "../../support/process/live-tenant";
import { NodeRed } from "../../support/process/node-red";
import { userFolder } from "../../support/process/user-folder";

/** With the file engine instead of Redis, and a tenant of the tests instead of the sandbox. */
describe("the example Campaign on several machines, with calls that survive the process", () => {
  it("distinguishes restored calls from others, and an interrupted one from those that were not placed", async () => {
    const example = await deployable("Campaign on several machines");
    const tenant = await LiveTenant.start();
    const release = tenant.hold();
    const live = {
      mode: "live",
      url: tenant.url,
      engine: "file",
      rate: "0",
      concurrency: "1",
      credentials: { token: "t" },
    };
    const folder = await userFolder();
    const first = await NodeRed.start(folder);
    let second: NodeRed | undefined;
    try {
      await first.deploy(example.flows.map((node) => (node.type === "telephony-tenant" ? { ...node, ...live } : node)));
      await first.inject(example.id("Call ten customers"));
      await eventually(() => tenant.received.length === 1 || undefined);
      await first.inject(example.id("Pause"));
      await eventually(async () => {
        await first.inject(example.id("Count"));
        return /paused: true,[^}]*waiting: \{ callOut: 9/.test(first.log) || undefined;
      });
      await first.stop("SIGKILL");
      release();
      second = await NodeRed.start(folder);
      const { log } = await eventually(() =>
        second?.log.includes("Check before you call again") ? second : undefined,
      );
      assert.match(log, /\[debug:Check before you call again\][^[]*ERR_CONNECTION_LOST/);
      await second.inject(example.id("Resume"));
      const accepted = () => (second?.log.split("[debug:Accepted after a restart]").length ?? 0) - 1;
      await eventually(() => accepted() === 9 || undefined);
      assert.match(second.log, /restored: \{ at: '20/);
      assert.equal(tenant.received.length, 10);
    } finally {
      first.kill();
      second?.kill();
      tenant.stop();
    }
  });
});
