import assert from "node:assert/strict";
import type { NodeAPI } from "node-red";
import { unwatch, watch } from "../../../src/runtime/admin/watchers";
import { closeSandbox, openSandbox, sandboxOf } from "../../../src/runtime/tenants/sandboxes";

describe("an editor that watches a sandbox", () => {
  const told: unknown[] = [];
  const RED = { comms: { publish: (_: string, data: unknown) => told.push(data) } } as unknown as NodeAPI;
  const styles = { parties: "either", booleans: "either" } as const;

  beforeEach(() => {
    told.length = 0;
    openSandbox("box", { port: 0, authHeader: "Authentication", styles }, [], () => {});
  });
  afterEach(() => closeSandbox("box"));

  it("is told at once how far the sandbox is", async () => {
    await watch(RED, "editor", "box");
    unwatch("editor");
    const sandbox = await sandboxOf("box");
    assert.deepEqual(told, [{ id: "box", revision: sandbox?.state.changes.revision }]);
  });

  it("is told nothing if it looks away while the sandbox starts", async () => {
    const watching = watch(RED, "editor", "box");
    unwatch("editor");
    await watching;
    assert.deepEqual(told, []);
  });

  it("is told of the last sandbox that it chose, when it chooses two while they start", async () => {
    openSandbox("other", { port: 0, authHeader: "Authentication", styles }, [], () => {});
    await Promise.all([watch(RED, "editor", "box"), watch(RED, "editor", "other")]);
    unwatch("editor");
    await closeSandbox("other");
    assert.deepEqual(
      told.map((each) => (each as { id: string }).id),
      ["other"],
    );
  });
});
