import assert from "node:assert/strict";
import type { NodeAPI } from "node-red";
import { closeSandbox, openSandbox, ownServer, sandboxOf } from "../../../src/runtime/tenants/sandboxes";
import { unwatch, watch } from "../../../src/workshop/admin/watchers";
import { eventually } from "../../support/process/eventually";

describe("an editor that watches a sandbox", () => {
  const told: unknown[] = [];
  const RED = { comms: { publish: (_: string, data: unknown) => told.push(data) } } as unknown as NodeAPI;
  const NOTHING = { onStarted() {}, onRinging() {} };
  const styles = { parties: "either", booleans: "either" } as const;

  beforeEach(() => {
    told.length = 0;
    openSandbox("box", { port: 0, authHeader: "Authentication", styles }, ownServer({}), NOTHING);
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
    openSandbox("other", { port: 0, authHeader: "Authentication", styles }, ownServer({}), NOTHING);
    await Promise.all([watch(RED, "editor", "box"), watch(RED, "editor", "other")]);
    unwatch("editor");
    await closeSandbox("other");
    assert.deepEqual(
      told.map((each) => (each as { id: string }).id),
      ["other"],
    );
  });

  it("hears how many phones wait for somebody, and that they are gone with the sandbox", async () => {
    const heard: number[] = [];
    const events = { onStarted() {}, onRinging: (count: number) => heard.push(count) };
    openSandbox("ring", { port: 0, authHeader: "Authentication", styles }, ownServer({}), events);
    const sandbox = await sandboxOf("ring");
    assert.ok(sandbox);
    const { state } = sandbox;
    const heardUntil = (count: number) => eventually(() => heard.at(-1) === count || undefined);
    state.calls.place("call-out", { to: { number: "1" } });
    state.settings = { ...state.settings, answers: "ask" };
    await heardUntil(1);
    state.calls.place("call-out", { to: { number: "2" } });
    await heardUntil(2);
    state.phones.decline("sandbox-2");
    await heardUntil(1);
    await closeSandbox("ring");
    assert.deepEqual(heard, [1, 2, 1, 0]);
  });
});
