import assert from "node:assert/strict";
import fc from "fast-check";
import { dropped, notSent, type Outcome, TenantError } from "../../../src/client";
import type { Code } from "../../../src/client/errors";
import { END, newPlan, next, outcomeSoFar, restoredPlan } from "../../../src/runtime/nodes/escalate/escalation-plan";
import type { Command, Event, Plan } from "../../../src/runtime/nodes/escalate/plan";
import { type CallAttempt, pendingOf } from "../../../src/runtime/nodes/escalate/progress";
import { casesOf } from "../../support/until";

const RING_FOR = 60_000;
const callees = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ number: `000000000${index}`, name: null }));
const failed = (outcome: Outcome, code = "ERR_TIMEOUT", sentAt?: number) => {
  const at = sentAt !== undefined && { sentAt: new Date(sentAt).toISOString() };
  return new TenantError(code as Code, "request", { sent: "maybe", outcome, retryable: false, ...at });
};
const shown = ({ number, outcome, round }: CallAttempt) => `${round}.${number.at(-1)} ${outcome}`;
const droppedCall = (id: string): Event => ({ type: "result", id, outcome: "not-applied", error: dropped() });
const json = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** A plan with a clock that a test moves, and the commands that were not carried out yet. */
class Stage {
  now = 1_000_000;
  plan: Plan = newPlan("id", false);
  due: Command[] = [];
  /** Whether the store works: then the record has an end as soon as that is to be saved. */
  stores = true;
  /** The id of the call attempt that is pending, or of the last one. */
  pending = "";

  constructor(people: number, rounds: number) {
    this.apply({ type: "attached" });
    this.read(people, rounds);
  }

  read(people = 1, rounds = 1): void {
    this.apply({ type: "read", people: callees(people), ringForMs: RING_FOR, rounds, quietForMs: 0 });
  }

  apply(event: Event): void {
    const { plan, commands } = next(this.plan, event, this.now);
    this.plan = plan;
    const isEnd = (command: Command) => this.stores && command.do === "save" && command.id === END;
    this.due.push(...commands.filter((command) => !isEnd(command)));
    if (commands.some(isEnd)) this.saved(true, END);
    this.pending = pendingOf(plan.progress)?.id ?? this.pending;
  }

  /** Takes the commands that are due, in short. */
  take(): string[] {
    return this.due.splice(0).map((command) => {
      if (command.do === "end") return command.ending.as === "failed" ? command.ending.error.code : command.ending.as;
      return command.do === "call" ? `call ${command.person}` : command.do;
    });
  }

  /** Saves the call attempt that is due, and makes it. Returns the index of the person. */
  call(): number {
    const isSaved = this.due.some((command) => command.do === "save" && command.id !== null);
    assert.ok(isSaved, "a call attempt is saved");
    this.due = [];
    this.saved(true);
    const [call] = this.due.splice(0);
    assert.ok(call?.do === "call", "the call is made");
    return call.person;
  }

  saved(isOwn: boolean, id = pendingOf(this.plan.progress)?.id ?? null): void {
    this.apply({ type: "saved", id, isOwn });
  }

  /** The call that is pending ends, or more becomes known of the last one. */
  end(outcome: Outcome, error = outcome === "applied" ? undefined : failed(outcome)): void {
    this.apply({ type: "result", id: this.pending, outcome, error });
  }

  /** Plays what happens, one after the other; behind an arrow, the commands that are due by then. */
  play(trace: string): void {
    for (const step of trace.split(/,\s+/)) {
      const [what = "", follows] = step.split(" → ");
      const [, word = "", more = ""] = /^(\S+) ?(.*)$/.exec(what) ?? [];
      const happen = STEPS[word];
      assert.ok(happen, word);
      happen(this, more);
      if (follows !== undefined) assert.equal(this.take().join(" ") || "nothing", follows, `${step} of ${trace}`);
    }
  }
}

type Step = (stage: Stage, more: string) => void;
const OUTCOMES = ["applied", "rejected", "not-applied", "unknown"] as const;
const stepsOf = <Name extends string>(names: readonly Name[], step: (name: Name) => Step) =>
  Object.fromEntries(names.map((name) => [name, step(name)]));
function shows(what: (stage: Stage) => unknown): Step {
  return (stage, expected) => assert.equal(String(what(stage)) || "nothing", expected);
}

/** The words of a trace: first what may happen to a plan, then what it shows. */
const STEPS: Readonly<Record<string, Step>> = {
  ...stepsOf(["attached", "detached", "stopped", "over", "due", "again"], (type) => (stage) => stage.apply({ type })),
  ...stepsOf(OUTCOMES, (outcome) => (stage, code) => stage.end(outcome, code ? failed(outcome, code) : undefined)),
  dropped: (stage) => stage.end("not-applied", dropped()),
  /** Loses the answer to a call that left so long after it was tried. */
  "left-at": (stage, ms) =>
    stage.end("unknown", failed("unknown", "ERR_TIMEOUT", Number(ms) + (stage.plan.progress.rung.at(-1)?.at ?? 0))),
  lost: (stage) => stage.apply({ type: "notFound", id: stage.pending }),
  call: (stage, person) => assert.equal(stage.call(), Number(person)),
  own: (stage) => stage.saved(true),
  foreign: (stage) => stage.saved(false),
  unsaved: (stage, id) =>
    stage.apply({ type: "saveFailed", id: id || stage.pending || null, error: notSent("ERR_ENGINE", "queue") }),
  deleted: (stage) => stage.apply({ type: "failed", error: dropped() }),
  away: (stage) => Object.assign(stage, { stores: false }),
  "own-end": (stage) => stage.saved(true, END),
  "foreign-end": (stage) => stage.saved(false, END),
  /** Acknowledges it, by somebody or by nobody who is named. */
  acknowledged: (stage, by) => stage.apply({ type: "acknowledged", by: by || true }),
  trouble: (stage, code) => stage.apply({ type: "trouble", error: failed("not-applied", code) }),
  works: (stage) => stage.apply({ type: "trouble", error: undefined }),
  /** Lets time pass, without a timer or with one. */
  wait: (stage, ms) => Object.assign(stage, { now: stage.now + Number(ms) }),
  pass: (stage, ms) => stage.play(`wait ${ms}, due`),
  ring: (stage) => stage.play(`pass ${RING_FOR}`),
  /** A plan of nothing yet, of one instance or shared by several. */
  new: (stage, shared) => Object.assign(stage, { plan: newPlan("id", shared === "shared"), due: [] }),
  read: (stage) => stage.read(),
  /** Continues in another process with the saved progress. */
  restart: (stage) => Object.assign(stage, { plan: restoredPlan(json(stage.plan.progress), "next", false, stage.now) }),
  rung: shows(({ plan }) => plan.progress.rung.map(shown).join(" + ")),
  codes: shows(({ plan }) => plan.progress.rung.map(({ code }) => code).join(" ")),
  resolution: shows(({ plan }) => Object.values(plan.progress.resolution ?? {}).join(" ")),
  failure: shows(({ plan }) => plan.progress.lastFailure?.key),
  "so-far": shows(({ plan }) => outcomeSoFar(plan)),
  "rings-on": shows(({ plan, now }) => plan.progress.until - now),
};

/** The events of a plan of so many people and rounds, and what follows. */
const SCENARIOS: Readonly<Record<string, readonly string[]>> = {
  "makes a call anew that waits since before a start, with a further message": [
    "1x1: call 0, again → recall, dropped, call 0, applied → save wake, again → nothing, acknowledged → resolved",
    "1x1: call 0, again → recall, applied → save wake",
    "1x1: call 0, acknowledged → save withdraw, again → nothing, dropped → resolved",
  ],
  "calls one after the other, each after its pause, round after round": [
    `2x2: call 0, wait 500, applied → save wake, pass 59999 → wake, pass 1,
     call 1, wait 500, applied → save wake, pass 59999 → wake, pass 1,
     call 0, wait 500, applied → save wake, pass 59999 → wake, pass 1,
     call 1, wait 500, applied → save wake, pass 59999 → wake, pass 1 → nobody,
     rung 1.0 applied + 1.1 applied + 2.0 applied + 2.1 applied`,
  ],
  "ends only while its node is there: until then its record has the acknowledgement": [
    `1x1: call 0, applied → save wake, detached, acknowledged Lan → save,
     restart, ring → nothing, attached → resolved`,
  ],
  "lets a call with an unknown outcome ring from when it left, or else from when it was tried": [
    // It waited for a quarter of its pause, and its answer did not come for another one.
    "2x1: call 0, wait 30000, left-at 15000 → save wake, rings-on 45000",
    "2x1: call 0, wait 30000, left-at -60000 → save wake, rings-on 30000",
    "2x1: call 0, wait 30000, left-at 600000 → save wake, rings-on 60000",
    "2x1: call 0, wait 30000, unknown → save wake, rings-on 30000",
  ],
  "goes to the next person at once after a refusal, and does not pause after a round that ends with one": [
    "2x1: call 0, rejected, call 1",
    "2x1: call 0, not-applied, call 1",
    "2x2: call 0, applied, ring, call 1, rejected, call 0",
  ],
  "pauses after a round in which nobody could be called, and fails after the last one as the last call did": [
    `2x2: call 0, not-applied ERR_AUTH, call 1, not-applied ERR_BLOCKED → save wake, ring,
     call 0, not-applied ERR_AUTH, call 1, not-applied ERR_BLOCKED → ERR_BLOCKED,
     codes ERR_AUTH ERR_BLOCKED ERR_AUTH ERR_BLOCKED`,
  ],
  "ends without an acknowledgement if a call was accepted, also in trouble, or else as the last that may have rung": [
    "2x1: call 0, applied, ring, call 1, rejected → nobody",
    "2x1: call 0, unknown, ring, call 1, rejected → ERR_TIMEOUT",
    "2x1: call 0, unknown, ring, call 1, unknown → save wake, ring → ERR_TIMEOUT",
    `2x1: call 0, applied, ring, call 1, trouble ERR_CONNECT → wake, pass 300000 → save withdraw,
     applied → save wake, ring → nobody, rung 1.0 applied + 1.1 applied`,
  ],
  "says that nothing was sent only if that is true of all calls": [
    "2x1: call 0, unknown ERR_SERVER, ring, call 1, trouble ERR_CONNECT, pass 300000, failure serviceFailsMeanwhile",
    "2x1: call 0, not-applied ERR_SERVER, ring, call 1, trouble ERR_CONNECT, pass 300000, failure ERR_CONNECT",
  ],
  // What it takes without trouble is not counted.
  "gives up after as long as the plan takes, at least five minutes, all its troubles together": [
    ["1x1", 5],
    ["4x2", 8],
    ["100x20", 24 * 60],
  ].map(
    ([plan, minutes]) =>
      `${plan}: call 0, trouble ERR_CONNECT, wait 120000, works, wait 2400000, trouble ERR_CONNECT, pass 120000,
       restart, attached, dropped, trouble ERR_RATE_LIMITED, call 0,
       pass ${Number(minutes) * 60_000 - 240_001} → save wake, pass 1 → save withdraw,
       dropped → ERR_RATE_LIMITED, rung nothing`,
  ),
  "takes back the call of what is acknowledged or over, also in trouble, and ends once its outcome is known": [
    "2x1: trouble ERR_CONNECT, call 0, pass 60000 → save wake, acknowledged → save withdraw, dropped → resolved",
    `3x1: call 0, acknowledged Jane, acknowledged Ali → save withdraw, applied → resolved,
     resolution acknowledged Jane, rung 1.0 applied`,
    "3x1: call 0, acknowledged → save withdraw, dropped → resolved, rung nothing",
    "3x1: call 0, over, over, acknowledged late → save withdraw, applied → resolved, resolution over",
    "1x1: new, attached, over, read → resolved",
  ],
  "ends with an error that every number would meet": ["3x1: call 0, dropped → ERR_DROPPED"],
  "asks whose incident it is before an acknowledgement ends it, where instances share incidents": [
    "1x1: new shared, attached → nothing, acknowledged, read → save, own → resolved",
    "1x1: new shared, attached → nothing, acknowledged, read → save, foreign → elsewhere",
  ],
  "leaves what another process has, fails what has no record, and removes that of what is listed as unfinished": [
    "2x1: foreign → save elsewhere",
    "2x1: unsaved → save ERR_ENGINE, rung nothing",
    "2x1: stopped, so-far not-applied, own → save removeRecord",
  ],
  "calls nobody and does not end while its record cannot be written, and makes no row of that": [
    `2x1: call 0, applied, ring, unsaved → save wake save wake, rung 1.0 applied + 1.1 pending, pass 1000 → save, unsaved → wake,
     acknowledged → save, pass 1000 → save, own → resolved, rung 1.0 applied`,
    `2x1: call 0, not-applied ERR_ENGINE → save wake, rung nothing, pass 1000 → save, own → call 0,
     acknowledged → save withdraw, not-applied ERR_ENGINE → resolved, rung nothing`,
    `1x1: call 0, applied, away, ring → save wake save, unsaved end → wake, pass 1000 → save, unsaved end → wake,
     pass 1000 → save, own-end → nobody`,
    "1x1: call 0, applied, away, ring → save wake save, acknowledged Jane → save, own-end → save, own-end → resolved",
    "1x1: call 0, away, acknowledged → save withdraw, applied → save, foreign-end → elsewhere",
    "1x1: call 0, applied, away, ring, unsaved end, deleted → save wake save wake, pass 1000, unsaved end → save ERR_DROPPED",
    "1x1: new shared, attached, acknowledged, read → save, unsaved → wake, pass 1000 → save, own → resolved",
  ],
  "takes back a call that an earlier process has left, and makes it again, without a longer pause": [
    "2x1: call 0, restart, attached → recall, dropped, call 0, applied, wait -1000000, restart, rings-on 60000",
  ],
  "takes a call of an earlier process of which nothing is known for unknown, until its outcome becomes known": [
    "2x1: call 0, restart, attached, lost, rung 1.0 unknown",
    "2x1: call 0, restart, attached, applied, lost, rung 1.0 applied",
    "2x1: call 0, unknown, applied, rung 1.0 applied, ring, call 1",
  ],
};

describe("the plan of an escalation", () => {
  for (const [title, traces] of Object.entries(SCENARIOS))
    it(title, () => {
      for (const trace of traces) {
        const [, people, rounds, steps = ""] = /^(\d+)x(\d+): (.*)$/s.exec(trace) ?? [];
        new Stage(Number(people), Number(rounds)).play(steps);
      }
    });

  const OUTSIDE = ["attached", "detached", "acknowledged", "over", "trouble ERR_CONNECT", "works"];
  /** The events that may happen next: how a save or a call ends, or something from outside. */
  const happening = fc.record({
    what: fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom("saves", "calls") },
      { weight: 3, arbitrary: fc.constant("due") },
      { weight: 1, arbitrary: fc.constantFrom("saveFails", "again", "restart", ...OUTSIDE) },
    ),
    outcome: fc.constantFrom(...OUTCOMES),
    isDropped: fc.boolean(),
    passes: fc.integer({ min: 0, max: 2 * RING_FOR }),
  });

  it("calls nobody after an acknowledgement, each person once a round, and only what is saved, in any order of events", () => {
    const size = [fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 3 })] as const;
    const happenings = fc.array(happening, { minLength: 80, maxLength: 80 });
    const property = fc.property(...size, happenings, (people, rounds, all) => {
      const stage = new Stage(people, rounds);
      stage.stores = false;
      /** The record as it is stored, saves that have not ended, and calls under way. */
      let stored: Plan["progress"] | undefined;
      let saves: { id: string | null; progress: Plan["progress"] }[] = [];
      const calls = new Set<string>();
      const settled: string[] = [];
      let [isResolved, endings] = [false, 0];
      const carryOut = () => {
        for (const command of stage.due.splice(0)) {
          if (command.do === "end") endings += 1;
          assert.ok(endings <= 1, "it ends once");
          if (command.do === "end" && stage.plan.record === "own" && command.ending.as !== "failed")
            assert.deepEqual(stored, json(stage.plan.progress), "an end is saved before it is reported");
          if (command.do === "save") saves.push({ id: command.id, progress: stage.plan.progress });
          if (command.do !== "call") continue;
          assert.ok(!isResolved, "nobody is called after an acknowledgement");
          const isSaved = stored?.rung.some(({ id }) => id === command.id);
          assert.ok(isSaved, "a call is saved before it is made");
          assert.ok(!calls.has(command.id) && !settled.includes(command.id), "a call attempt is made once");
          calls.add(command.id);
        }
      };
      const apply = (event: Event) => stage.apply(event);
      carryOut();
      for (const [index, { what, outcome, isDropped, passes }] of all.entries()) {
        const save = what === "saves" || what === "saveFails" ? saves.shift() : undefined;
        const [call] = calls;
        if (save && what === "saves") {
          stored = json(save.progress);
          apply({ type: "saved", id: save.id, isOwn: true });
        } else if (save) apply({ type: "saveFailed", id: save.id, error: notSent("ERR_ENGINE", "queue") });
        else if (what === "calls" && call !== undefined) {
          calls.delete(call);
          settled.push(call);
          apply(outcome === "not-applied" && isDropped ? droppedCall(call) : { type: "result", id: call, outcome });
        } else if (what === "again" && settled.length > 0) apply({ type: "result", id: `${settled.at(-1)}`, outcome });
        else if (what === "restart" && stored && stage.plan.phase !== "ended") {
          // The process is killed: what it did not save is gone, and its calls are under way or wait.
          saves = [];
          stage.plan = restoredPlan(stored, `next${index}`, false, stage.now);
          isResolved = stored.resolution !== null;
          const id = pendingOf(stored)?.id;
          apply({ type: "attached" });
          carryOut();
          if (id !== undefined && calls.has(id)) apply({ type: "result", id, outcome: "unknown" });
          else if (id !== undefined) apply(isDropped ? droppedCall(id) : { type: "notFound", id });
          calls.clear();
        } else if (what === "due" || OUTSIDE.includes(what)) {
          isResolved ||= what === "acknowledged" || what === "over";
          stage.play(what);
        }
        carryOut();
        stage.now += passes;
        const { rung, round } = stage.plan.progress;
        assert.ok(round <= rounds);
        const places = rung.map((each) => each.round * 10 + Number(each.number.at(-1)));
        assert.ok(places.every((place, n) => n === 0 || place > Number(places[n - 1])));
        assert.ok(rung.filter((each) => each.outcome === "pending").length <= 1);
      }
    });
    fc.assert(property, { numRuns: casesOf(2000) });
  });
});
