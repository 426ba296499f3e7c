import assert from "node:assert/strict";
import type { Entry, Handlers, Limits } from "../../../src/backlog/backlog";
import { LocalBacklog } from "../../../src/backlog/local/local-backlog";
import { memory, type Remains, type Store } from "../../../src/backlog/local/store";

const LIMITS: Limits = { rate: 0, entries: 1000, bytes: 100, places: 8 };
const NOTHING: Remains = { waiting: [], begun: [], untold: [], uses: [], records: new Map(), paused: false, downMs: 0 };

const entry = (id: string, nodeId = "a"): Entry => ({ id, nodeId, size: 60, content: null });

function handlers(told: string[], more: Partial<Handlers> = {}): Handlers {
  return {
    places: () => 8,
    others: () => ({ waiting: 0, bytes: 0 }),
    begin: (run) => told.push(`began ${run.entry.id}`),
    ended: ({ id }, end) => told.push(`ended ${id} ${JSON.stringify(end)}`),
    changed: () => {},
    trouble: (reason) => told.push(reason ?? "works"),
    ...more,
  };
}

describe("a backlog and its store", () => {
  it("drops what waited for a node that is gone, also while it is paused", () => {
    const waiting = [entry("1", "gone"), entry("2", "there"), entry("3", "gone")];
    for (const paused of [false, true]) {
      const told: string[] = [];
      const backlog = new LocalBacklog(memory, { ...NOTHING, waiting, paused });
      backlog.serve(handlers(told, { wants: (nodeId) => nodeId === "there" }), LIMITS);
      const dropped = ['ended 1 {"cut":"dropped"}', 'ended 3 {"cut":"dropped"}'];
      assert.deepEqual(told, paused ? dropped : [...dropped, "began 2"]);
      assert.equal(backlog.counts.waiting, paused ? 1 : 0);
    }
  });

  it("counts the bytes that are being stored while others are dropped", async () => {
    let stored = () => {};
    const store: Store = { ...memory, accept: (_entry, _use, done) => (stored = done) };
    const backlog = new LocalBacklog(store, { ...NOTHING, waiting: [entry("1")] });
    backlog.serve(handlers([], { places: () => 0 }), { ...LIMITS, bytes: 130 });
    const accepting = backlog.accept(entry("2"));
    await backlog.drop();
    assert.equal(backlog.counts.bytes, 60);
    stored();
    assert.deepEqual(await accepting, { kind: "accepted" });
    assert.equal(backlog.counts.bytes, 60);
  });

  it("tells of trouble with entries until it takes one, whatever else it takes", async () => {
    let full: Error | undefined;
    const store: Store = { ...memory, accept: (_entry, _use, done) => done(full) };
    const told: string[] = [];
    const backlog = new LocalBacklog(store);
    backlog.serve(handlers(told, { begin: () => {} }), LIMITS);
    full = new Error("full");
    assert.deepEqual(await backlog.accept(entry("1")), { kind: "trouble", reason: "full" });
    assert.deepEqual(await backlog.takeKey({ hash: "key", forMs: 1000 }), { kind: "accepted" });
    assert.deepEqual(told, ["full"]);
    full = undefined;
    await backlog.accept(entry("2"));
    assert.deepEqual(told, ["full", "works"]);
  });
});
