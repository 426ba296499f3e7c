import assert from "node:assert/strict";
import fc from "fast-check";
import type { Entry, Limits } from "../../../src/backlog";
import { casesOf, until } from "../until";
import { losing } from "./away";
import { FAILURES, PROMISES, RESTARTS, type Traces } from "./promises";
import { type Engine, Stage } from "./stage";
import { Traced, type Word, type Words, wordsFor } from "./traces";

const RACES = casesOf(10_000);

/** A trace of one backlog, with its limits. */
const begun = (trace: string) => (trace.startsWith("with") ? trace.replace(",", ", opens it,") : `opens it, ${trace}`);

/** The entries that may be accepted in any order of events. */
const ACCEPTED: Readonly<Record<string, (now: number) => Partial<Entry>>> = {
  plain: () => ({}),
  anytime: () => ({ anytime: true }),
  urgent: () => ({ urgent: true }),
  row: () => ({ list: "l" }),
  dated: (now) => ({ notBefore: now + 3, name: "n" }),
};

/** The promises of a backlog with any engine. */
export function backlogContract(engine: Engine): void {
  const open: Stage[] = [];
  const words = wordsFor(engine, (stage) => open.push(stage));
  const plays = (traces: Traces[string], more: Words = {}) => {
    for (const [promise, trace] of Object.entries(traces))
      it(promise, () => new Traced({ ...words, ...more }).play(begun(trace)));
  };
  const staged = async (limits: Partial<Limits> = {}) => {
    const stage = new Stage(await engine.open(), limits);
    open.push(stage);
    return stage;
  };

  afterEach(() => Promise.all(open.splice(0).map(({ backlog }) => backlog.close())));

  for (const [subject, traces] of Object.entries(PROMISES)) describe(subject, () => plays(traces));

  it(`${engine.durable ? "writes" : "does not write"} down what waits`, async () =>
    assert.equal((await staged()).backlog.isDurable, engine.durable !== null));

  if (engine.durable) {
    describe("after a restart", () => plays(RESTARTS));
    describe("after a kill", () => plays(RESTARTS, { restart: words["kill"] as Word }));
    describe("a write that fails", () => plays(FAILURES));
  }

  for (const [what, end] of [
    ["dropped", (stage: Stage) => stage.backlog.drop()],
    ["dropped", (stage: Stage) => stage.dropDeleted("a")],
    ["givenUp", (stage: Stage) => stage.backlog.failAll()],
  ] as const)
    it(`${what}: also what is just being written down (${end})`, async () => {
      const stage = await staged();
      stage.slots = 0;
      const accepting = Array.from({ length: 20 }, () => stage.accept());
      const count = await end(stage);
      assert.ok((await Promise.all(accepting)).every(({ kind }) => kind === "accepted"));
      assert.equal(count, 20);
      stage.slots = 20;
      stage.backlog.loop.dispatch();
      assert.equal((await stage.accept()).kind, "accepted");
      await until(() => stage.begun.length > 0);
      assert.deepEqual(stage.begun, ["21"]);
      assert.deepEqual(
        stage.ends.map(([, settlement]) => settlement),
        Array.from({ length: 20 }, () => ({ cut: what })),
      );
    });

  it("keeps a thousand that may have been performed, and says when the oldest goes", async () => {
    const stage = await staged();
    for (const round of [1, 2]) {
      await Promise.all(Array.from({ length: 501 }, () => stage.accept()));
      await until(() => stage.runs.length === 501, "all have begun");
      for (const run of stage.runs.splice(0)) run.settle("unknown", null);
      await until(() => stage.ends.length === 501 * round, "all have ended");
    }
    await until(async () => (await stage.backlog.decisions.list()).length === 1000, "a thousand");
    await until(() => stage.unknownFull > 0, "it says so");
    await until(() => stage.backlog.counts.unknown === 1000, "they are counted");
  });

  for (const [step, retryAfterMs] of Object.entries({ "a probe": 1000, "a hurry": 3_600_000 }))
    it(`pauses before it tries ${step} again while the store fails at once, and goes on when it is back`, async () => {
      const store = await engine.open();
      const away = losing(store);
      const stage = new Stage(store);
      open.push(stage);
      stage.slots = 0;
      for (const more of [{}, { urgent: true }, { alarm: true }] as const) await stage.accept(more);
      stage.slots = 3;
      let probes = 0;
      const probe = async () => {
        probes += 1;
        return { isAnswered: true };
      };
      stage.waitsForService({ probe });
      away.after = away.changes + 1;
      void stage.backlog.service.observe({ kind: "stops", code: "ERR_SERVER", retryAfterMs });
      await until(() => away.changes >= away.after + 2);
      assert.deepEqual([away.changes - away.after, probes, stage.begun], [2, 0, []]);
      away.after = Infinity;
      void stage.backlog.service.observe({ kind: "fine", isFree: true });
      await until(() => stage.begun.length === 3);
    });

  it(`cancels or is too late, never both and never neither, in ${RACES} races with the start`, async () => {
    const stage = await staged({ entries: 20_000 });
    const cancelled = new Set<string>();
    const race = async (id: string) => {
      const notBefore = stage.backlog.loop.now() + 10 + Math.random() * 20;
      await stage.accept({ id, name: id, ...(Math.random() < 0.7 && { notBefore: Math.round(notBefore) }) });
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 40));
      const answer = await stage.backlog.cancel(id);
      assert.equal(answer.cancelled + answer.tooLate, 1, JSON.stringify(answer));
      if (answer.cancelled === 1) cancelled.add(id);
    };
    for (let batch = 0; batch < RACES / 1000; batch += 1)
      await Promise.all(Array.from({ length: 1000 }, (_, n) => race(`${batch}-${n}`)));
    await until(() => stage.begun.length + stage.ends.length >= RACES);
    assert.deepEqual(new Set(stage.ended), cancelled);
    assert.equal(new Set(stage.begun).size, stage.begun.length);
    assert.deepEqual(
      stage.begun.filter((id) => cancelled.has(id)),
      [],
    );
    for (const run of stage.runs) run.settle("applied", null);
    await until(() => stage.ends.length === RACES);
  });

  it("each accepted entry ends exactly once, and nothing begins after it was ended, in any order of events", async () => {
    const outside = ["drop", "drop a", "withdraw", "cancel", "pause", "resume", "close", "open", "wait"];
    const step = fc.constantFrom(...Object.keys(ACCEPTED), ...outside, "settle", "requeue");
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const stage = await staged();
        stage.slots = 3;
        const { backlog, runs } = stage;
        const accepting: Promise<unknown>[] = [];
        let expected = 0;
        /** The calls that must not begin any more: the number of its starts when it was ended. */
        const cut = new Map<string, number>();
        const starts = (id: string) => stage.begun.filter((one) => one === id).length;
        const accept = (more: Partial<Entry>) => {
          expected += 1;
          accepting.push(stage.accept({ id: String(expected), nodeId: expected % 2 ? "a" : "b", ...more }));
        };
        for (const what of steps) {
          const run = runs[0];
          const accepted = ACCEPTED[what];
          if (accepted) accept(accepted(backlog.loop.now()));
          else if (what === "cancel") accepting.push(backlog.cancel("n"));
          else if (what === "drop" || what === "drop a") {
            for (let id = 1; id <= expected; id += 1)
              if ((what === "drop" || id % 2) && !runs.some(({ entry }) => entry.id === String(id)))
                cut.set(String(id), starts(String(id)));
            accepting.push(what === "drop" ? backlog.drop() : stage.dropDeleted("a"));
          } else if (what === "withdraw") accepting.push(backlog.withdraw(String(expected)));
          else if (what === "pause") backlog.pause();
          else if (what === "resume") backlog.resume();
          else if (what === "close" || what === "open") {
            stage.isOpen = what === "open";
            backlog.loop.dispatch();
          } else if (what === "wait") await new Promise((resolve) => setTimeout(resolve, 2));
          else if (run) {
            runs.shift();
            stage.slots += 1;
            if (what === "settle") run.settle("applied", null);
            else run.requeue();
            backlog.loop.dispatch();
          }
        }
        await Promise.all(accepting);
        stage.isOpen = true;
        backlog.resume();
        await until(() => {
          for (const run of runs.splice(0)) {
            stage.slots += 1;
            run.settle("applied", null);
          }
          backlog.loop.dispatch();
          return stage.ends.length >= expected;
        });
        assert.deepEqual([...stage.ended].sort(), Array.from({ length: expected }, (_, n) => String(n + 1)).sort());
        for (const [id, count] of cut) assert.equal(starts(id), count, `${id} began after it was dropped`);
      }),
      { numRuns: 40 },
    );
  });
}
