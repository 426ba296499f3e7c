import assert from "node:assert/strict";
import fc from "fast-check";
import type { Entry, Limits } from "../../../src/backlog";
import type { Store } from "../../../src/backlog/store";
import { until } from "../until";
import { Stage } from "./stage";

/** Opens stores of one engine. */
export interface Engine {
  /** A store with nothing in it. */
  open(): Promise<Store>;
  /** What the next process opens, after the last one has closed it. Absent if nothing outlives a process. */
  reopen?(): Promise<Store>;
}

const anytime = { anytime: true } as const;
const urgent = { urgent: true } as const;
const alarm = { ...anytime, ...urgent, alarm: true } as const;
const key = { hash: "k", forMs: 60_000 };
const number = { hash: "number", forMs: 3_600_000, uses: 2 };

/** The promises of a backlog with any engine. */
export function backlogContract(engine: Engine): void {
  const open: Stage[] = [];
  const staged = async (limits: Partial<Limits> = {}) => {
    const stage = new Stage(await engine.open(), limits);
    open.push(stage);
    return stage;
  };
  const paused = async (limits: Partial<Limits> = {}) => {
    const stage = await staged(limits);
    stage.backlog.pause();
    return stage;
  };
  const accepted = async (stage: Stage, ...entries: Partial<Entry>[]) => {
    for (const more of entries) assert.deepEqual(await stage.accept(more), { kind: "accepted" });
  };
  const begins = (stage: Stage, ...ids: string[]) =>
    until(() => stage.begun.length >= ids.length).then(() => assert.deepEqual(stage.begun, ids));
  const ends = (stage: Stage, count: number) => until(() => stage.ends.length >= count);

  afterEach(() => Promise.all(open.splice(0).map(({ backlog }) => backlog.close())));

  describe("order", () => {
    it("first in, first out, as many as there are places", async () => {
      const stage = await staged();
      stage.places = 2;
      await accepted(stage, {}, {}, {}, {}, {});
      await begins(stage, "1", "2");
      assert.equal(stage.backlog.counts.waiting, 3);
      stage.places += 2;
      stage.backlog.dispatch();
      await begins(stage, "1", "2", "3", "4");
    });

    it("while starts are closed, only what begins at any time, and the others in order once they open", async () => {
      const stage = await staged();
      stage.isOpen = false;
      await accepted(stage, {}, anytime, {}, anytime);
      await begins(stage, "2", "4");
      assert.equal(stage.backlog.counts.waiting, 2);
      stage.isOpen = true;
      stage.backlog.dispatch();
      await begins(stage, "2", "4", "1", "3");
    });

    it("of all while starts are open", async () => {
      const stage = await paused();
      await accepted(stage, {}, anytime, {}, anytime);
      stage.backlog.resume();
      await begins(stage, "1", "2", "3", "4");
    });

    it("runs that may not leave wait again, in front of the others", async () => {
      const stage = await staged();
      stage.places = 2;
      await accepted(stage, {}, {}, {}, anytime);
      await begins(stage, "1", "2");
      const [first, second] = stage.runs.splice(0);
      stage.isOpen = false;
      second?.requeue();
      first?.requeue();
      await until(() => stage.backlog.counts.waiting === 4);
      stage.places = 2;
      stage.backlog.dispatch();
      await begins(stage, "1", "2", "4");
      stage.isOpen = true;
      stage.places = 3;
      stage.backlog.dispatch();
      await begins(stage, "1", "2", "4", "1", "2", "3");
    });

    it("urgent ones before all others, each in their order, in a pause only these", async () => {
      const stage = await paused();
      stage.places = 0;
      await accepted(stage, {}, urgent, {}, anytime, urgent, {});
      stage.places = 1;
      stage.backlog.dispatch();
      await begins(stage, "2");
      stage.places = 9;
      stage.backlog.dispatch();
      await begins(stage, "2", "5");
      await accepted(stage, urgent);
      await begins(stage, "2", "5", "7");
      stage.places = 3;
      stage.backlog.resume();
      await begins(stage, "2", "5", "7", "1", "3", "4");
    });

    it("urgent ones not while starts are closed, or held", async () => {
      const stage = await staged();
      stage.isOpen = false;
      await accepted(stage, {}, urgent, anytime);
      await begins(stage, "3");
      stage.waitsForService();
      void stage.backlog.service.observe({ kind: "stops", code: "ERR_CONNECT", retryAfterMs: 60_000 });
      stage.isOpen = true;
      await accepted(stage, alarm);
      assert.deepEqual([stage.begun, stage.backlog.counts.waiting], [["3"], 3]);
      stage.backlog.resume();
      void stage.backlog.service.observe({ kind: "fine" });
      await begins(stage, "3", "2", "4", "1");
    });

    it("nothing while it is paused or held; resume ends both", async () => {
      const stage = await paused();
      stage.waitsForService();
      await accepted(stage, {});
      // Only now: a call has met trouble where the clock of the group is known.
      void stage.backlog.service.observe({ kind: "stops", code: "ERR_CONNECT", retryAfterMs: 60_000 });
      const { paused: isPaused, heldUntil, waiting } = stage.backlog.counts;
      assert.deepEqual([isPaused, heldUntil !== undefined, waiting, stage.begun], [true, true, 1, []]);
      stage.backlog.resume();
      await begins(stage, "1");
      assert.deepEqual([stage.backlog.counts.paused, stage.backlog.counts.heldUntil], [false, undefined]);
    });
  });

  describe("room", () => {
    it("for as many entries and bytes as may wait, and for one that begins at once", async () => {
      const stage = await staged({ entries: 2, bytes: 10 });
      await accepted(stage, { size: 100 });
      await begins(stage, "1");
      stage.places = 0;
      await accepted(stage, { size: 9 });
      assert.deepEqual(await stage.accept({ size: 2 }), { kind: "full" });
      await accepted(stage, { size: 1 });
      assert.deepEqual(await stage.accept({ size: 0 }), { kind: "full" });
    });

    it("always for an alarm", async () => {
      const stage = await staged({ entries: 1, bytes: 2 });
      stage.places = 0;
      await accepted(stage, {}, alarm, { ...alarm, size: 3 });
      assert.deepEqual(await stage.accept(urgent), { kind: "full" });
    });

    it("beside what waits elsewhere in the process", async () => {
      const stage = await paused({ entries: 2 });
      stage.waitingElsewhere = { waiting: 1, bytes: 0 };
      await accepted(stage, {});
      assert.deepEqual(await stage.accept(), { kind: "full" });
    });

    it("not for one that begins at once while starts are closed", async () => {
      const stage = await staged({ entries: 1 });
      stage.isOpen = false;
      await accepted(stage, {});
      assert.deepEqual(await stage.accept(), { kind: "full" });
      stage.places = 1;
      assert.deepEqual(await stage.accept(anytime), { kind: "full" });
    });
  });

  describe("keys", () => {
    it("are taken once, and the second one learns of the first", async () => {
      const stage = await staged();
      await accepted(stage, { keys: [key] });
      await begins(stage, "1");
      const second = await stage.accept({ keys: [key] });
      assert.ok(second.kind === "duplicate" && second.first.outcome === "pending", JSON.stringify(second));
      stage.runs[0]?.settle("unknown", null);
      await ends(stage, 1);
      const third = await stage.accept({ keys: [key] });
      assert.ok(third.kind === "duplicate" && third.first.outcome === "unknown", JSON.stringify(third));
      assert.deepEqual(stage.begun, ["1"]);
    });

    it("are given back by what was not applied, or was dropped", async () => {
      const stage = await staged();
      await accepted(stage, { keys: [key] });
      await begins(stage, "1");
      stage.runs[0]?.settle("rejected", null);
      await ends(stage, 1);
      stage.backlog.pause();
      await accepted(stage, { keys: [key] });
      assert.equal(await stage.backlog.drop(), 1);
      await accepted(stage, { keys: [key] });
    });

    it("are shared with requests that do not wait in the backlog", async () => {
      const stage = await staged();
      assert.deepEqual(await stage.backlog.keys.take(key), { kind: "accepted" });
      assert.equal((await stage.accept({ keys: [key] })).kind, "duplicate");
      stage.backlog.keys.settle(key, "not-applied");
      await until(async () => (await stage.backlog.keys.try(key)).kind === "accepted");
      await accepted(stage, { keys: [key] });
    });

    it("are kept as if they were used now, until they are given back", async () => {
      const stage = await staged();
      const { keys } = stage.backlog;
      assert.equal((await keys.take(key)).kind, "accepted");
      await keys.keep({ ...key, forMs: 3_600_000 });
      const taken = await keys.try(key);
      assert.ok(taken.kind === "duplicate" && taken.first.outcome === "applied", JSON.stringify(taken));
      await keys.keep({ ...key, forMs: 0 });
      assert.equal((await keys.try(key)).kind, "accepted");
      await keys.keep({ ...key, forMs: 1 });
      await until(async () => (await keys.try(key)).kind === "accepted");
    });

    it("are all taken, or none", async () => {
      const stage = await paused();
      const once = { hash: "once", forMs: 3_600_000 };
      await accepted(stage, { keys: [number] }, { keys: [number] });
      assert.deepEqual(await stage.accept({ keys: [once, number] }), { kind: "usedUp", retryAfterMs: 3_600_000 });
      assert.deepEqual(await stage.backlog.keys.try(once), { kind: "accepted" });
      await accepted(stage, { keys: [once] });
      const other = { ...number, hash: "other", uses: 1 };
      assert.equal((await stage.accept({ keys: [other, once] })).kind, "duplicate");
      assert.deepEqual(await stage.backlog.keys.try(other), { kind: "accepted" });
    });

    it("of several uses are counted, and given back one by one", async () => {
      const stage = await staged();
      await accepted(stage, { keys: [number] }, { keys: [number] });
      await until(() => stage.runs.length === 2);
      stage.runs[0]?.settle("applied", null);
      stage.runs[1]?.settle("rejected", null);
      await ends(stage, 2);
      stage.backlog.pause();
      await accepted(stage, { keys: [number] });
      assert.equal((await stage.backlog.keys.try(number)).kind, "usedUp");
      assert.equal(await stage.backlog.drop(), 1);
      assert.deepEqual(await stage.backlog.keys.try(number), { kind: "accepted" });
    });
  });

  describe("an end", () => {
    it("is reported once, with the result of the run", async () => {
      const stage = await staged();
      await accepted(stage, {});
      await begins(stage, "1");
      stage.runs[0]?.settle("applied", "result");
      await ends(stage, 1);
      assert.deepEqual(stage.ends, [["1", { result: "result" }]]);
    });

    it("expired: what its time has passed for uses no start", async () => {
      const stage = await paused({ rate: 0.001 });
      const late = { notAfter: Date.now() - 1000 };
      await accepted(stage, late, late, {});
      stage.backlog.resume();
      await begins(stage, "3");
      await ends(stage, 2);
      assert.deepEqual(
        stage.ends.map(([, end]) => end),
        [{ cut: "expired" }, { cut: "expired" }],
      );
    });

    it("dropped: of one node, and the others keep their order", async () => {
      const stage = await paused();
      for (const nodeId of ["a", "b", "a", "b"]) await accepted(stage, { nodeId });
      assert.equal(await stage.backlog.drop({ nodeId: "a" }), 2);
      assert.deepEqual(stage.ends, [
        ["1", { cut: "dropped" }],
        ["3", { cut: "dropped" }],
      ]);
      stage.backlog.resume();
      await begins(stage, "2", "4");
    });

    it("dropped: all, or all that is held back, but alarms only with their node", async () => {
      const stage = await staged();
      stage.places = 0;
      await accepted(stage, {}, alarm, { ...alarm, heldBack: true }, { heldBack: true });
      assert.deepEqual([await stage.backlog.drop({ only: "held-back" }), await stage.backlog.drop()], [1, 1]);
      assert.deepEqual(stage.ended, ["4", "1"]);
      assert.equal(await stage.backlog.drop({ nodeId: "a" }), 2);
    });

    it("cancelled: one entry, which gives its keys back, unless it has begun or is unknown", async () => {
      const stage = await staged();
      stage.places = 1;
      await accepted(stage, {}, { keys: [key] }, {});
      await begins(stage, "1");
      assert.deepEqual(
        [await stage.backlog.withdraw("2"), await stage.backlog.withdraw("2"), await stage.backlog.withdraw("1")],
        [true, false, false],
      );
      assert.equal(await stage.backlog.withdraw("unknown"), false);
      assert.deepEqual(stage.ends, [["2", { cut: "dropped" }]]);
      assert.deepEqual(await stage.backlog.keys.try(key), { kind: "accepted" });
      stage.places = 1;
      stage.backlog.dispatch();
      await begins(stage, "1", "3");
    });

    for (const [what, end] of [
      ["dropped", (stage: Stage) => stage.backlog.drop()],
      ["dropped", (stage: Stage) => stage.backlog.drop({ nodeId: "a" })],
      ["givenUp", (stage: Stage) => stage.backlog.failAll()],
    ] as const)
      it(`${what}: also what is just being written down (${end})`, async () => {
        const stage = await staged();
        stage.places = 0;
        const accepting = Array.from({ length: 20 }, () => stage.accept());
        const count = await end(stage);
        assert.ok((await Promise.all(accepting)).every(({ kind }) => kind === "accepted"));
        assert.equal(count, 20);
        stage.places = 20;
        stage.backlog.dispatch();
        await accepted(stage, {});
        await begins(stage, "21");
        assert.deepEqual(
          stage.ends.map(([, settlement]) => settlement),
          Array.from({ length: 20 }, () => ({ cut: what })),
        );
      });
  });

  describe("dates", () => {
    it("are waited for, behind what waits then, and delay nothing", async () => {
      const stage = await staged();
      const later = stage.backlog.now() + 60_000;
      await accepted(stage, { notBefore: later }, {});
      await begins(stage, "2");
      const { waiting, dated, nextDate } = stage.backlog.counts;
      assert.deepEqual([waiting, dated, nextDate], [1, 1, later]);
      stage.places = 0;
      await accepted(stage, {});
      const soon = Date.now() + 100;
      await accepted(stage, { notBefore: soon });
      await until(() => stage.backlog.counts.dated === 1);
      await accepted(stage, {});
      stage.places = 3;
      stage.backlog.dispatch();
      await begins(stage, "2", "3", "4", "5");
      assert.ok((stage.begunAt[2] ?? 0) >= soon);
    });

    it("count towards the room", async () => {
      const stage = await staged({ entries: 1 });
      await accepted(stage, { notBefore: stage.backlog.now() + 60_000 });
      stage.isOpen = false;
      assert.deepEqual(await stage.accept(), { kind: "full" });
    });

    it("take a use of a key when they have come, and end without one if none is left", async () => {
      const stage = await staged();
      const once = { ...number, uses: 1 };
      stage.dueKeys = [once];
      await accepted(stage, { notBefore: stage.backlog.now() + 60_000 });
      assert.deepEqual(await stage.backlog.keys.try(once), { kind: "accepted" });
      await accepted(stage, { notBefore: stage.backlog.now() + 50, keys: [key] });
      await begins(stage, "2");
      assert.equal((await stage.backlog.keys.try(once)).kind, "usedUp");
      await accepted(stage, { notBefore: stage.backlog.now() + 50, keys: [{ ...key, hash: "other" }] });
      await ends(stage, 1);
      assert.deepEqual(stage.ends, [["3", { cut: "usedUp", retryAfterMs: 3_600_000 }]]);
      assert.deepEqual(await stage.backlog.keys.try({ ...key, hash: "other" }), { kind: "accepted" });
      stage.runs[0]?.settle("rejected", null);
      await ends(stage, 2);
      for (const free of [once, key]) assert.deepEqual(await stage.backlog.keys.try(free), { kind: "accepted" });
    });

    it("expired, if the end of their time has passed, too", async () => {
      const stage = await staged();
      stage.places = 0;
      const now = stage.backlog.now();
      await accepted(stage, { notBefore: now + 20, notAfter: now + 40 });
      await until(() => stage.backlog.now() > now + 40 && stage.backlog.counts.dated === 0);
      stage.places = 1;
      stage.backlog.dispatch();
      await ends(stage, 1);
      assert.deepEqual(stage.ends, [["1", { cut: "expired" }]]);
    });
  });

  describe("a name", () => {
    const named = { name: "n", keys: [key] };

    it("cancels what waits with it, of all nodes, and counts what has begun", async () => {
      const stage = await staged();
      stage.places = 1;
      const notBefore = stage.backlog.now() + 60_000;
      await accepted(stage, { name: "n" }, named, { name: "n", nodeId: "b", notBefore }, { name: "other" });
      await begins(stage, "1");
      assert.deepEqual(await stage.backlog.cancel("n"), { cancelled: 2, tooLate: 1 });
      assert.deepEqual(await stage.backlog.cancel("n"), { cancelled: 0, tooLate: 1 });
      assert.deepEqual(await stage.backlog.cancel("unknown"), { cancelled: 0, tooLate: 0 });
      await ends(stage, 2);
      const cancelled = [["2", "3"].map((id) => [id, { cut: "cancelled" }]), { kind: "accepted" }];
      assert.deepEqual(
        [[...stage.ends].sort(([a], [b]) => a.localeCompare(b)), await stage.backlog.keys.try(key)],
        cancelled,
      );
      stage.places = 1;
      stage.backlog.dispatch();
      await begins(stage, "1", "4");
    });

    it("cancels what has begun and may not leave after all", async () => {
      const stage = await staged();
      await accepted(stage, named);
      await begins(stage, "1");
      assert.deepEqual(await stage.backlog.cancel("n"), { cancelled: 0, tooLate: 1 });
      stage.runs[0]?.requeue();
      await ends(stage, 1);
      assert.deepEqual([stage.begun, stage.ends], [["1"], [["1", { cut: "cancelled" }]]]);
    });

    it("cancels or is too late, never both and never neither, in 10,000 races with the start", async () => {
      const stage = await staged({ entries: 20_000 });
      const cancelled = new Set<string>();
      const race = async (id: string) => {
        const notBefore = stage.backlog.now() + 10 + Math.random() * 20;
        await stage.accept({ id, name: id, ...(Math.random() < 0.7 && { notBefore: Math.round(notBefore) }) });
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 40));
        const answer = await stage.backlog.cancel(id);
        assert.equal(answer.cancelled + answer.tooLate, 1, JSON.stringify(answer));
        if (answer.cancelled === 1) cancelled.add(id);
      };
      for (let batch = 0; batch < 10; batch += 1)
        await Promise.all(Array.from({ length: 1000 }, (_, n) => race(`${batch}-${n}`)));
      await until(() => stage.begun.length + stage.ends.length >= 10_000);
      assert.deepEqual(new Set(stage.ended), cancelled);
      assert.equal(new Set(stage.begun).size, stage.begun.length);
      assert.deepEqual(
        stage.begun.filter((id) => cancelled.has(id)),
        [],
      );
      for (const run of stage.runs) run.settle("applied", null);
      await ends(stage, 10_000);
    });
  });

  describe("an entry that replaces", () => {
    const named = { name: "n", keys: [key] };
    const replacing = { ...named, replaces: true } as const;

    it("takes the place of the one that waits with its key, with a date and a turn of its own", async () => {
      const stage = await staged({ entries: 2 });
      const later = stage.backlog.now() + 60_000;
      await accepted(stage, { ...named, notBefore: later });
      assert.deepEqual(await stage.accept({ ...replacing, notBefore: later + 1 }), { kind: "accepted", replaced: "1" });
      assert.deepEqual([stage.ends, stage.backlog.counts.nextDate], [[["1", { cut: "replaced" }]], later + 1]);
      stage.backlog.pause();
      await accepted(stage, {});
      // Although nothing else may wait.
      assert.deepEqual(await stage.accept(replacing), { kind: "accepted", replaced: "2" });
      assert.deepEqual(await stage.accept(replacing), { kind: "accepted", replaced: "4" });
      stage.backlog.resume();
      await begins(stage, "3", "5");
      assert.equal((await stage.accept(replacing)).kind, "duplicate");
      stage.runs[1]?.settle("applied", null);
      await ends(stage, 4);
      assert.equal((await stage.accept(replacing)).kind, "duplicate");
      assert.deepEqual(await stage.backlog.cancel("n"), { cancelled: 0, tooLate: 0 });
    });

    it("leaves one with the key in another scope, although both have a use of one more key", async () => {
      const stage = await paused();
      await accepted(stage, { name: "n", keys: [{ ...key, hash: "elsewhere" }, number] });
      await accepted(stage, { ...replacing, keys: [key, number] });
      assert.deepEqual([stage.ends, stage.backlog.counts.waiting], [[], 2]);
    });

    it("leaves it as it is if it is not accepted, and takes no place where none waits", async () => {
      const stage = await staged({ bytes: 10 });
      const once = { ...number, uses: 1 };
      const notBefore = stage.backlog.now() + 60_000;
      await accepted(stage, { keys: [once] }, { ...named, notBefore });
      assert.equal((await stage.accept({ ...replacing, keys: [key, once] })).kind, "usedUp");
      stage.isOpen = false;
      assert.deepEqual(await stage.accept({ ...replacing, size: 11 }), { kind: "full" });
      assert.equal((await stage.backlog.keys.try(key)).kind, "duplicate");
      assert.deepEqual([stage.ends, stage.backlog.counts.dated], [[], 1]);
      assert.deepEqual(await stage.backlog.cancel("n"), { cancelled: 1, tooLate: 0 });
      stage.isOpen = true;
      await accepted(stage, { name: "m", keys: [{ ...key, hash: "m" }], replaces: true });
    });

    it("one after the other, in the same moment", async () => {
      const stage = await staged();
      const notBefore = stage.backlog.now() + 60_000;
      const accepting = [named, replacing, replacing].map((more) => stage.accept({ ...more, notBefore }));
      const answers = await Promise.all(accepting);
      assert.deepEqual(
        answers.map(({ kind }) => kind),
        ["accepted", "accepted", "accepted"],
      );
      await ends(stage, 2);
      assert.deepEqual(
        [...stage.ends].sort(([a], [b]) => a.localeCompare(b)),
        ["1", "2"].map((id) => [id, { cut: "replaced" }]),
      );
      assert.deepEqual(await stage.backlog.cancel("n"), { cancelled: 1, tooLate: 0 });
    });
  });

  it("lists what waits in the order in which it will begin", async () => {
    const stage = await paused();
    const now = stage.backlog.now();
    stage.places = 0;
    const dated = { notBefore: now + 90_000, ...urgent };
    await accepted(stage, dated, {}, { notBefore: now + 60_000 }, anytime, urgent, {}, urgent);
    const listed = async (offset: number, limit: number) =>
      (await stage.backlog.list(offset, limit)).map(({ entry, waitsFor }) => [entry.id, waitsFor]);
    const all = [
      ["5", "turn"],
      ["7", "turn"],
      ["2", "turn"],
      ["4", "turn"],
      ["6", "turn"],
      ["3", "date"],
      ["1", "date"],
    ];
    assert.deepEqual(await listed(0, 10), all);
    for (let offset = 0; offset < 8; offset += 1)
      assert.deepEqual(await listed(offset, 2), all.slice(offset, offset + 2));
    const [last] = await stage.backlog.list(6, 1);
    assert.deepEqual([last?.entry.notBefore, last?.entry.nodeId], [now + 90_000, "a"]);
  });

  describe("records", () => {
    it("are created once, changed and removed, and hear notes", async () => {
      const stage = await staged();
      const { records } = stage.backlog;
      assert.equal(await records.create("a", 1), true);
      assert.equal(await records.create("a", 2), false);
      assert.equal(await records.update("a", 3), true);
      assert.equal(await records.update("b", 4), false);
      assert.equal(await records.note("a", "note"), true);
      assert.equal(await records.note("b", "note"), false);
      await records.remove("a");
      await records.remove("a");
      assert.equal(await records.update("a", 5), false);
      assert.equal(await records.create("a", 6), true);
      await until(() => stage.notes.length === 1);
      assert.deepEqual(stage.notes, [["note", "a", "note"]]);
    });
  });

  it("each accepted entry ends exactly once, and nothing begins after it was ended, in any order of events", async () => {
    const step = fc.constantFrom(
      "accept",
      "accept any",
      "accept urgent",
      "accept dated",
      "cancel named",
      "drop",
      "drop a",
      "cancel",
      "pause",
      "resume",
      "close",
      "open",
      "settle",
      "requeue",
      "wait",
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const stage = await staged();
        stage.places = 3;
        const { backlog, runs } = stage;
        const accepting: Promise<unknown>[] = [];
        let expected = 0;
        /** What must not begin any more: the number of its starts when it was ended. */
        const cut = new Map<string, number>();
        const starts = (id: string) => stage.begun.filter((one) => one === id).length;
        const accept = (more: Partial<Entry>) => {
          expected += 1;
          accepting.push(stage.accept({ id: String(expected), nodeId: expected % 2 ? "a" : "b", ...more }));
        };
        for (const what of steps) {
          const run = runs[0];
          if (what === "accept") accept({});
          else if (what === "accept any") accept(anytime);
          else if (what === "accept urgent") accept(urgent);
          else if (what === "accept dated") accept({ notBefore: backlog.now() + 3, name: "n" });
          else if (what === "cancel named") accepting.push(backlog.cancel("n"));
          else if (what === "drop" || what === "drop a") {
            for (let id = 1; id <= expected; id += 1)
              if ((what === "drop" || id % 2) && !runs.some(({ entry }) => entry.id === String(id)))
                cut.set(String(id), starts(String(id)));
            accepting.push(what === "drop" ? backlog.drop() : backlog.drop({ nodeId: "a" }));
          } else if (what === "cancel") accepting.push(backlog.withdraw(String(expected)));
          else if (what === "pause") backlog.pause();
          else if (what === "resume") backlog.resume();
          else if (what === "close" || what === "open") {
            stage.isOpen = what === "open";
            backlog.dispatch();
          } else if (what === "wait") await new Promise((resolve) => setTimeout(resolve, 2));
          else if (run) {
            runs.shift();
            stage.places += 1;
            if (what === "settle") run.settle("applied", null);
            else run.requeue();
            backlog.dispatch();
          }
        }
        await Promise.all(accepting);
        stage.isOpen = true;
        backlog.resume();
        await until(() => {
          for (const run of runs.splice(0)) {
            stage.places += 1;
            run.settle("applied", null);
          }
          backlog.dispatch();
          return stage.ends.length >= expected;
        });
        assert.deepEqual([...stage.ended].sort(), Array.from({ length: expected }, (_, n) => String(n + 1)).sort());
        for (const [id, count] of cut) assert.equal(starts(id), count, `${id} began after it was dropped`);
      }),
      { numRuns: 40 },
    );
  });

  if (!engine.reopen) return;
  const restarted = async (...gone: string[]) => {
    const stage = new Stage((await engine.reopen?.()) as Store, null);
    open.push(stage);
    for (const nodeId of gone) stage.gone.add(nodeId);
    stage.serve();
    return stage;
  };
  const closed = async (stage: Stage) => {
    open.splice(open.indexOf(stage), 1);
    await stage.backlog.close();
  };

  describe("after a restart", () => {
    it("what waited goes on in order, and what had begun is lost", async () => {
      const first = await staged();
      first.places = 2;
      await accepted(first, {}, {}, {}, anytime, { keys: [number] }, urgent);
      await begins(first, "1", "2");
      first.runs[1]?.settle("applied", null);
      await ends(first, 1);
      await closed(first);
      const second = await restarted();
      await until(() => second.begun.length === 4 && second.ends.length === 1);
      assert.deepEqual([second.begun, second.ends], [["6", "3", "4", "5"], [["1", { cut: "lost" }]]]);
      assert.equal(second.backlog.counts.restored, 4);
      for (const run of second.runs) run.settle("rejected", null);
      await ends(second, 5);
      assert.equal(second.backlog.counts.restored, 0);
      assert.deepEqual(await second.backlog.keys.try({ ...number, uses: 1 }), { kind: "accepted" });
    });

    it("what waited for a node that is gone is dropped, also while the backlog is paused", async () => {
      const first = await paused();
      for (const nodeId of ["gone", "there", "gone"]) await accepted(first, { nodeId });
      await closed(first);
      const second = await restarted("gone");
      await ends(second, 2);
      assert.deepEqual(second.ends, [
        ["1", { cut: "dropped" }],
        ["3", { cut: "dropped" }],
      ]);
      assert.deepEqual([second.begun, second.backlog.counts.waiting, second.backlog.counts.paused], [[], 1, true]);
    });

    it("dates are waited for, keys of what waits for them are taken, and what was replaced is gone", async () => {
      const first = await staged();
      first.places = 0;
      const notBefore = Date.now() + 1000;
      await accepted(first, { notBefore: notBefore + 60_000, name: "n", keys: [key] }, { notBefore });
      const third = { notBefore: notBefore + 1, name: "n", keys: [key], replaces: true } as const;
      assert.equal((await first.accept(third)).kind, "accepted");
      await ends(first, 1);
      await closed(first);
      const second = await restarted();
      await until(() => second.backlog.counts.waiting + second.begun.length === 2);
      assert.equal((await second.accept({ id: "again", keys: [key] })).kind, "duplicate");
      await begins(second, "2", "3");
      assert.ok((second.begunAt[0] ?? 0) >= notBefore);
      assert.deepEqual(second.ends, []);
    });

    it("what was cancelled or taken back is as it was", async () => {
      const first = await staged();
      first.places = 1;
      await accepted(first, {}, {}, {});
      await begins(first, "1");
      first.runs[0]?.requeue();
      assert.equal(await first.backlog.withdraw("2"), true);
      await until(() => first.backlog.counts.waiting === 2);
      await closed(first);
      const second = await restarted();
      await begins(second, "1", "3");
      assert.deepEqual(second.ends, []);
    });

    it("keys are still taken, and records restored before anything begins", async () => {
      const first = await staged();
      await accepted(first, { keys: [key] });
      await begins(first, "1");
      first.runs[0]?.settle("applied", null);
      await ends(first, 1);
      await first.backlog.records.create("a", { n: 1 });
      await first.backlog.records.update("a", { n: 2 });
      await first.backlog.records.create("b", 1);
      await first.backlog.records.remove("b");
      await closed(first);
      const second = await restarted();
      await until(() => second.notes.length > 0);
      assert.deepEqual(second.notes, [["restored", "a", { n: 2 }]]);
      assert.equal((await second.accept({ id: "again", keys: [key] })).kind, "duplicate");
      assert.deepEqual(
        [await second.backlog.records.create("a", 3), await second.backlog.records.create("b", 3)],
        [false, true],
      );
    });
  });
}
