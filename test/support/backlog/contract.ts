import assert from "node:assert/strict";
import fc from "fast-check";
import type { Entry, Limits } from "../../../src/backlog";
import { casesOf, until } from "../until";
import { losing } from "./away";
import { type Engine, Stage } from "./stage";
import { Traced, wordsFor } from "./traces";

const RACES = casesOf(10_000);

type Traces = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** What any engine promises, in the words of `traces.ts`. */
const PROMISES: Traces = {
  order: {
    "first in, first out, as many as there are places":
      "places 2, accept - - - - -, begun 1 2, counts waiting 3, places 2, begun 1 2 3 4",
    "while starts are closed, only what begins at any time, and the others in order once they open":
      "close, accept - anytime - anytime, begun 2 4, counts waiting 2, open, begun 2 4 1 3",
    "of all while starts are open": "pause, accept - anytime - anytime, resume, begun 1 2 3 4",
    "runs that may not leave wait again, in front of the others": `places 2, accept - - - anytime, begun 1 2, close,
      requeue 2 1, counts waiting 4, places 2, begun 1 2 4, places 3, open, begun 1 2 4 1 2 3`,
    "urgent ones before all others, each in their order, in a pause only these": `pause, places 0,
      accept - urgent - anytime urgent -, places 1, begun 2, places 9, begun 2 5, accept urgent, begun 2 5 7,
      places 3, resume, begun 2 5 7 1 3 4`,
    "urgent ones not while starts are closed, or held": `close, accept - urgent anytime, begun 3,
      patient, fails, is-held, open, accept alarm, begun 3, counts waiting 3, resume, works, begun 3 2 4 1`,
    "nothing while it is paused or held; resume ends both": `pause, patient, accept -, fails, is-held,
      counts paused true waiting 1, begun, resume, begun 1, counts paused false heldUntil undefined`,
  },
  room: {
    "for as many entries and bytes as may wait, and for one that begins at once": `with entries 2 bytes 10,
      accept size:100, begun 1, places 0, accept size:9, accept size:2 → full, accept size:1, accept size:0 → full`,
    "always for an alarm": "with entries 1 bytes 2, places 0, accept - alarm alarm+size:3, accept urgent → full",
    "for one that does not wait for the service": "with entries 0, fails, accept -, begun 1",
    "beside what waits elsewhere in the process": "with entries 2, pause, elsewhere 1, accept -, accept - → full",
    "not for one that begins at once while starts are closed":
      "with entries 1, close, accept -, accept - → full, places 1, accept anytime → full",
  },
  keys: {
    "are taken once, and the second one learns of the first": `accept key, begun 1, accept key → duplicate pending,
      settle 1 unknown, ends 1:unknown, accept key → duplicate unknown, begun 1`,
    "are given back by what was not applied, or was dropped": `accept key, begun 1, settle 1 rejected,
      ends 1:rejected, pause, accept key, drop → 1, accept key`,
    "are shared with requests that do not wait in the backlog":
      "take key → accepted, accept key → duplicate, settle-key key not-applied, is-free key, accept key",
    "are kept as if they were used now, until they are given back": `take key → accepted, keep key 3600000,
      try key → duplicate applied, keep key 0, try key → accepted, keep key 1, is-free key`,
    "are all taken, or none": `pause, accept number number, accept key:once+number → usedUp 60,
      try key:once → accepted, accept key:once, accept use:other+key:once → duplicate, try use:other → accepted`,
    "of several uses are counted, and given back one by one": `accept number number, begun 1 2, settle 1 applied,
      settle 2 rejected, ends 1:applied 2:rejected, pause, accept number, try number → usedUp, drop → 1,
      try number → accepted`,
  },
  "an end": {
    "is reported once, with the result of the run": "accept -, begun 1, settle 1 applied, ends 1:applied",
    "expired: what its time has passed for uses no start":
      "with rate 0.001, pause, accept until:-1000 until:-1000 -, resume, begun 3, ends 1:expired 2:expired",
    "dropped: of one node, and the others keep their order":
      "pause, accept of:a of:b of:a of:b, drop a → 2, ends 1:dropped 3:dropped, resume, begun 2 4",
    "dropped: all, or all that is held back, but alarms only with their node": `places 0,
      accept - alarm alarm+held-back held-back, drop held-back → 1, ends 4:dropped, drop → 1,
      ends 4:dropped 1:dropped, drop a → 2`,
    "cancelled: one entry, which gives its keys back, unless it has begun or is unknown": `places 1, accept - key -,
      begun 1, withdraw 2 → true, withdraw 2 → false, withdraw 1 → true, withdraw unknown → false, ends 2:dropped,
      try key → accepted, places 1, begun 1 3`,
  },
  dates: {
    "are waited for, behind what waits then, and delay nothing": `accept in:60000 -, begun 2,
      counts waiting 1 dated 1, next-date 1, places 0, accept - in:100, counts dated 1, accept -, places 3,
      begun 2 3 4 5`,
    "count towards the room": "with entries 1, accept in:60000, close, accept - → full",
    "take a use of a key when they have come, and end without one if none is left": `due-key use, accept in:60000,
      try use → accepted, accept in:50+key:a, begun 2, try use → usedUp, accept in:50+key:b, ends 3:usedUp/60,
      try key:b → accepted, settle 2 rejected, ends 2:rejected 3:usedUp/60, try use → accepted,
      try key:a → accepted`,
    "expired, if the end of their time has passed, too":
      "places 0, accept in:20+until:40, is-over 1, counts dated 0, places 1, ends 1:expired",
  },
  "a name": {
    "cancels what waits with it, of all nodes, and counts what has begun": `places 1,
      accept name name+key name+of:b+in:60000 name:other, begun 1, cancel n → 2/1, cancel n → 0/1,
      cancel unknown → 0/0, ends 2:cancelled 3:cancelled, try key → accepted, places 1, begun 1 4`,
    "cancels what has begun and may not leave after all":
      "accept name+key, begun 1, cancel n → 0/1, requeue 1, ends 1:cancelled, begun 1",
  },
  "an entry that replaces": {
    // The third and the fifth one are accepted although nothing else may wait.
    "takes the place of the one that waits with its key, with a date and a turn of its own": `with entries 2,
      accept name+key+in:60000, accept name+key+replaces+in:61000 → replaced 1, ends 1:replaced, next-date 2, pause,
      accept -, accept name+key+replaces → replaced 2, accept name+key+replaces → replaced 4, resume, begun 3 5,
      accept name+key+replaces → duplicate pending, settle 5 applied, ends 1:replaced 2:replaced 4:replaced 5:applied,
      accept name+key+replaces → duplicate applied, cancel n → 0/0`,
    "leaves one with the key in another scope, although both have a use of one more key": `pause,
      accept name+key:elsewhere+number name+key+number+replaces, counts waiting 2, ends`,
    "leaves it as it is if it is not accepted, and takes no place where none waits": `with bytes 10, accept use,
      accept name+key+in:60000, accept name+key+use+replaces → usedUp, close,
      accept name+key+replaces+size:11 → full, try key → duplicate, ends, counts dated 1, cancel n → 1/0, open,
      accept name:m+key:m+replaces`,
    "one after the other, in the same moment": `accept-at-once name+key+in:60000 name+key+replaces+in:60000
      name+key+replaces+in:60000 → accepted replaced 1 replaced 2, ends 1:replaced 2:replaced, cancel n → 1/0`,
  },
  list: {
    "has what waits in the order in which it will begin": `pause, places 0,
      accept in:90000+urgent - in:60000 anytime urgent - urgent, lists 5:turn 7:turn 2:turn 4:turn 6:turn 3:date 1:date`,
  },
  records: {
    "are created once, changed and removed, and hear notes": `create a 1 → true, create a 2 → false,
      update a 3 → true, update b 4 → false, note a note → true, note b note → false, remove a, remove a,
      update a 5 → false, create a 6 → true, notes note:a:note`,
  },
};

/** What any engine promises that outlives a process. */
const RESTARTS: Traces = {
  "after a restart": {
    "what waited goes on in order, and what had begun is lost": `places 2, accept - - - anytime number urgent,
      begun 1 2, settle 2 applied, ends 2:applied, restart, begun 6 3 4 5, ends 1:lost, counts restored 4,
      settle 6 rejected, settle 3 rejected, settle 4 rejected, settle 5 rejected,
      ends 1:lost 6:rejected 3:rejected 4:rejected 5:rejected, counts restored 0, try use → accepted`,
    "what waited for a node that is gone is dropped, also while the backlog is paused": `pause,
      accept of:gone of:there of:gone, restart gone, ends 1:dropped 3:dropped, begun, counts waiting 1 paused true`,
    "dates are waited for, keys of what waits for them are taken, and what was replaced is gone": `places 0,
      accept name+key+in:60000 in:1000, accept name+key+replaces+in:1100 → replaced 1, ends 1:replaced, restart,
      accept key → duplicate, begun 2 3, ends`,
    "what was cancelled or taken back is as it was": `places 1, accept - - -, begun 1, requeue 1, withdraw 2 → true,
      counts waiting 2, restart, begun 1 3, ends`,
    "keys are still taken, and records restored before anything begins": `accept key, begun 1, settle 1 applied,
      ends 1:applied, create a 1 → true, update a 2 → true, create b 1 → true, remove b, keep key:kept 3600000,
      restart, notes restored:a:2, accept key → duplicate, try key:kept → duplicate applied, create a 3 → false, create b 3 → true`,
  },
};

/** A trace of one backlog, with its limits. */
const begun = (trace: string) => (trace.startsWith("with") ? trace.replace(",", ", opens it,") : `opens it, ${trace}`);

/** What may be accepted in any order of events. */
const ACCEPTED: Readonly<Record<string, (now: number) => Partial<Entry>>> = {
  plain: () => ({}),
  anytime: () => ({ anytime: true }),
  urgent: () => ({ urgent: true }),
  dated: (now) => ({ notBefore: now + 3, name: "n" }),
};

/** The promises of a backlog with any engine. */
export function backlogContract(engine: Engine): void {
  const open: Stage[] = [];
  const words = wordsFor(engine, (stage) => open.push(stage));
  const staged = async (limits: Partial<Limits> = {}) => {
    const stage = new Stage(await engine.open(), limits);
    open.push(stage);
    return stage;
  };

  afterEach(() => Promise.all(open.splice(0).map(({ backlog }) => backlog.close())));

  for (const [subject, traces] of Object.entries({ ...PROMISES, ...(engine.reopen && RESTARTS) }))
    describe(subject, () => {
      for (const [promise, trace] of Object.entries(traces)) it(promise, () => new Traced(words).play(begun(trace)));
    });

  for (const [what, end] of [
    ["dropped", (stage: Stage) => stage.backlog.drop()],
    ["dropped", (stage: Stage) => stage.dropDeleted("a")],
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
      assert.equal((await stage.accept()).kind, "accepted");
      await until(() => stage.begun.length > 0);
      assert.deepEqual(stage.begun, ["21"]);
      assert.deepEqual(
        stage.ends.map(([, settlement]) => settlement),
        Array.from({ length: 20 }, () => ({ cut: what })),
      );
    });

  for (const [step, retryAfterMs] of Object.entries({ "a probe": 1000, "a hurry": 3_600_000 }))
    it(`pauses before it tries ${step} again while the store fails at once, and goes on when it is back`, async () => {
      const store = await engine.open();
      const away = losing(store);
      const stage = new Stage(store);
      open.push(stage);
      stage.places = 0;
      for (const more of [{}, { urgent: true }, { alarm: true }] as const) await stage.accept(more);
      stage.places = 3;
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
      const notBefore = stage.backlog.now() + 10 + Math.random() * 20;
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
          const accepted = ACCEPTED[what];
          if (accepted) accept(accepted(backlog.now()));
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
}
