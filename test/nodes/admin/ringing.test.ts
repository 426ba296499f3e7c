import assert from "node:assert/strict";
import { closeSandbox, openSandbox, ownServer, sandboxOf } from "../../../src/runtime/tenants/sandboxes";
import { eventually } from "../../support/process/eventually";

describe("an editor", () => {
  const styles = { parties: "either", booleans: "either" } as const;

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
