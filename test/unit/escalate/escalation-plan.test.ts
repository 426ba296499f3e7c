import assert from "node:assert/strict";
import fc from "fast-check";
import { dropped, notSent, type Outcome, TenantError } from "../../../src/client";
import type { Code } from "../../../src/client/errors";
import {
  type Command,
  type Event,
  newPlan,
  next,
  outcomeSoFar,
  type Plan,
  restoredPlan,
} from "../../../src/runtime/nodes/escalate/escalation-plan";
import { pendingOf } from "../../../src/runtime/nodes/escalate/progress";

const RING_FOR = 60_000;
const callees = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ number: `000000000${index}`, name: null }));
const failed = (outcome: Outcome, code: Code = "ERR_TIMEOUT", sentAt?: number) => {
  const at = sentAt !== undefined && { sentAt: new Date(sentAt).toISOString() };
  return new TenantError(code, "request", { sent: "maybe", outcome, retryable: false, ...at });
};
const json = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** A plan with a clock that a test moves, and the commands that were not carried out yet. */
class Stage {
  now = 1_000_000;
  plan: Plan;
  due: Command[] = [];

  constructor(people: number, rounds: number, isShared = false) {
    this.plan = newPlan("id", isShared);
    this.apply({ type: "attached" });
    this.apply({ type: "read", people: callees(people), ringForMs: RING_FOR, rounds, quietForMs: 0 });
  }

  apply(event: Event): void {
    const { plan, commands } = next(this.plan, event, this.now);
    this.plan = plan;
    this.due.push(...commands);
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
    const save = this.due.find((command) => command.do === "save" && command.id !== null);
    assert.ok(save, "a call attempt is saved");
    this.due = [];
    this.apply({ type: "saved", id: this.pending, isOwn: true });
    const [call] = this.due.splice(0);
    assert.ok(call?.do === "call", "the call is made");
    return call.person;
  }

  get pending(): string {
    return `${pendingOf(this.plan.progress)?.id}`;
  }

  end(outcome: Outcome, error = outcome === "applied" ? undefined : failed(outcome)): void {
    this.apply({ type: "result", id: this.pending, outcome, error });
  }

  pass(ms: number): void {
    this.now += ms;
    this.apply({ type: "due" });
  }

  get outcomes(): string[] {
    return this.plan.progress.rung.map(({ number, outcome, round }) => `${round} ${number.at(-1)} ${outcome}`);
  }
}

describe("the plan of an escalation", () => {
  it("calls one after the other, each after its pause, round after round", () => {
    const stage = new Stage(2, 2);
    for (const person of [0, 1, 0, 1]) {
      assert.equal(stage.call(), person);
      stage.now += 500;
      stage.end("applied");
      assert.deepEqual(stage.take(), ["save", "wake"]);
      stage.pass(RING_FOR - 1);
      assert.deepEqual(stage.take(), ["wake"]);
      stage.pass(1);
    }
    assert.deepEqual(stage.take(), ["nobody"]);
    assert.deepEqual(stage.outcomes, ["1 0 applied", "1 1 applied", "2 0 applied", "2 1 applied"]);
  });

  it("ends only while its node is there: until then its record has the acknowledgement", () => {
    const stage = new Stage(1, 1);
    stage.call();
    stage.end("applied");
    stage.take();
    stage.apply({ type: "detached" });
    stage.apply({ type: "acknowledged", by: "Lan" });
    assert.deepEqual(stage.take(), ["save"]);
    stage.plan = restoredPlan(json(stage.plan.progress), "next", false, stage.now);
    stage.pass(RING_FOR);
    assert.deepEqual(stage.take(), []);
    stage.apply({ type: "attached" });
    assert.deepEqual(stage.take(), ["resolved"]);
  });

  for (const outcome of ["rejected", "not-applied"] as const)
    it(`goes to the next person at once after ${outcome}`, () => {
      const stage = new Stage(2, 1);
      stage.call();
      stage.end(outcome);
      assert.equal(stage.call(), 1);
    });

  it("lets a call with an unknown outcome ring from when it left, or else from when it was tried", () => {
    // It waited for a quarter of its pause, and its answer did not come for another one.
    for (const [sentAt, left] of [
      [RING_FOR / 4, (RING_FOR * 3) / 4],
      [-RING_FOR, RING_FOR / 2],
      [10 * RING_FOR, RING_FOR],
      [undefined, RING_FOR / 2],
    ] as const) {
      const stage = new Stage(2, 1);
      stage.call();
      const triedAt = stage.now;
      stage.now += RING_FOR / 2;
      stage.end("unknown", failed("unknown", "ERR_TIMEOUT", sentAt === undefined ? undefined : triedAt + sentAt));
      assert.equal(stage.plan.progress.until - stage.now, left);
      assert.deepEqual(stage.take(), ["save", "wake"]);
    }
  });

  it("pauses after a round in which nobody could be called, and fails after the last one as the last call did", () => {
    const stage = new Stage(2, 2);
    for (const follows of [["save", "wake"], ["ERR_BLOCKED"]]) {
      for (const [person, code] of [
        [0, "ERR_AUTH"],
        [1, "ERR_BLOCKED"],
      ] as const) {
        assert.equal(stage.call(), person);
        stage.end("not-applied", failed("not-applied", code));
      }
      assert.deepEqual(stage.take(), follows);
      stage.plan = { ...stage.plan, progress: json(stage.plan.progress) };
      stage.pass(RING_FOR);
    }
    const codes = stage.plan.progress.rung.map(({ code }) => code);
    assert.deepEqual(codes, ["ERR_AUTH", "ERR_BLOCKED", "ERR_AUTH", "ERR_BLOCKED"]);
  });

  for (const [outcomes, ending] of [
    [["applied", "rejected"], "nobody"],
    [["unknown", "rejected"], "ERR_TIMEOUT"],
    [["unknown", "unknown"], "ERR_TIMEOUT"],
  ] as const)
    it(`ends as ${ending} when its calls were ${outcomes}`, () => {
      const stage = new Stage(2, 1);
      for (const outcome of outcomes) {
        stage.call();
        stage.end(outcome);
        stage.pass(RING_FOR);
      }
      assert.equal(stage.take().at(-1), ending);
    });

  describe("while trouble of the service keeps a call", () => {
    const trouble = (code?: Code): Event => ({ type: "trouble", error: code && failed("not-applied", code) });

    it("gives up after as long as the plan takes, at least five minutes, all its troubles together", () => {
      for (const [people, rounds, minutes] of [
        [1, 1, 5],
        [4, 2, 8],
        [100, 20, 24 * 60],
      ] as const) {
        const stage = new Stage(people, rounds);
        const first = 4 * 60_000;
        stage.call();
        stage.apply(trouble("ERR_CONNECT"));
        stage.now += first;
        stage.apply(trouble());
        // Not what it takes without trouble.
        stage.now += 10 * first;
        stage.plan = restoredPlan(json(stage.plan.progress), "next", false, stage.now);
        stage.apply({ type: "attached" });
        stage.apply({ type: "result", id: stage.pending, outcome: "not-applied", error: dropped() });
        stage.apply(trouble("ERR_RATE_LIMITED"));
        stage.call();
        stage.pass(minutes * 60_000 - first - 1);
        assert.deepEqual(stage.take(), ["wake"]);
        stage.pass(1);
        assert.deepEqual(stage.take(), ["save", "withdraw"]);
        stage.end("not-applied", dropped());
        assert.deepEqual([stage.take(), stage.outcomes], [["ERR_RATE_LIMITED"], []]);
      }
    });

    it("ends without an acknowledgement if somebody was called before, or the call got through after all", () => {
      const stage = new Stage(2, 1);
      stage.call();
      stage.end("applied");
      stage.pass(RING_FOR);
      stage.call();
      stage.apply(trouble("ERR_CONNECT"));
      stage.pass(300_000);
      stage.take();
      stage.end("applied");
      stage.pass(RING_FOR);
      assert.deepEqual(
        [stage.take(), stage.outcomes],
        [
          ["save", "wake", "nobody"],
          ["1 0 applied", "1 1 applied"],
        ],
      );
    });

    it("says that nothing was sent only if that is true of all calls", () => {
      const keys = (["unknown", "not-applied"] as const).map((outcome) => {
        const stage = new Stage(2, 1);
        stage.call();
        stage.end(outcome, failed(outcome, "ERR_SERVER"));
        stage.pass(RING_FOR);
        stage.call();
        stage.apply(trouble("ERR_CONNECT"));
        stage.pass(300_000);
        return stage.plan.progress.lastFailure?.key;
      });
      assert.deepEqual(keys, ["serviceFailsMeanwhile", "ERR_CONNECT"]);
    });

    it("uses up no turn, and an acknowledgement ends it", () => {
      const stage = new Stage(2, 1);
      stage.apply(trouble("ERR_CONNECT"));
      stage.call();
      stage.pass(60_000);
      stage.apply({ type: "acknowledged", by: true });
      stage.end("not-applied", dropped());
      assert.deepEqual(stage.take(), ["wake", "save", "withdraw", "resolved"]);
    });
  });

  it("does not pause after a round whose last person could not be called", () => {
    const stage = new Stage(2, 2);
    stage.call();
    stage.end("applied");
    stage.pass(RING_FOR);
    stage.call();
    stage.end("rejected");
    assert.equal(stage.call(), 0);
  });

  it("takes back the call of an acknowledged incident, and ends once its outcome is known", () => {
    const stage = new Stage(3, 1);
    stage.call();
    for (const by of ["Jane", "Ali"]) stage.apply({ type: "acknowledged", by });
    assert.deepEqual(stage.take(), ["save", "withdraw"]);
    stage.end("applied");
    assert.deepEqual(stage.take(), ["resolved"]);
    const { resolution } = stage.plan.progress;
    assert.deepEqual([resolution, stage.outcomes], [{ type: "acknowledged", by: "Jane" }, ["1 0 applied"]]);
  });

  it("ends what is over as what is acknowledged, also while the message is read", () => {
    const stage = new Stage(3, 1);
    stage.call();
    for (let n = 0; n < 2; n += 1) stage.apply({ type: "over" });
    stage.apply({ type: "acknowledged", by: "too late" });
    assert.deepEqual(stage.take(), ["save", "withdraw"]);
    stage.end("applied");
    assert.deepEqual([stage.take(), stage.plan.progress.resolution], [["resolved"], { type: "over" }]);
    stage.plan = newPlan("id", false);
    for (const type of ["attached", "over"] as const) stage.apply({ type });
    stage.apply({ type: "read", people: callees(1), ringForMs: RING_FOR, rounds: 1, quietForMs: 0 });
    assert.deepEqual(stage.take(), ["resolved"]);
  });

  it("does not list a call that was taken back", () => {
    const stage = new Stage(3, 1);
    stage.call();
    stage.apply({ type: "acknowledged", by: true });
    stage.apply({ type: "result", id: stage.pending, outcome: "not-applied", error: dropped() });
    assert.deepEqual(stage.outcomes, []);
  });

  it("ends with an error that every number would meet", () => {
    const stage = new Stage(3, 1);
    stage.call();
    stage.end("not-applied", dropped());
    assert.deepEqual(stage.take(), ["ERR_DROPPED"]);
  });

  it("asks whose incident it is before an acknowledgement ends it, where instances share incidents", () => {
    for (const [isOwn, ending] of [
      [true, "resolved"],
      [false, "elsewhere"],
    ] as const) {
      const stage = new Stage(0, 1, true);
      stage.plan = newPlan("id", true);
      stage.apply({ type: "attached" });
      stage.take();
      stage.apply({ type: "acknowledged", by: true });
      stage.apply({ type: "read", people: callees(1), ringForMs: RING_FOR, rounds: 1, quietForMs: 0 });
      assert.deepEqual(stage.take(), ["save"]);
      stage.apply({ type: "saved", id: null, isOwn });
      assert.deepEqual(stage.take(), [ending]);
    }
  });

  it("leaves an incident of another process to it, and fails one that cannot be recorded", () => {
    const other = new Stage(2, 1);
    other.apply({ type: "saved", id: other.pending, isOwn: false });
    assert.deepEqual(other.take(), ["save", "elsewhere"]);
    const lost = new Stage(2, 1);
    lost.apply({ type: "saveFailed", id: lost.pending, error: notSent("ERR_ENGINE", "queue") });
    assert.deepEqual(lost.take(), ["save", "ERR_ENGINE"]);
  });

  it("removes the record of an incident that is listed as unfinished", () => {
    const stage = new Stage(2, 1);
    stage.apply({ type: "stopped" });
    assert.equal(outcomeSoFar(stage.plan), "not-applied");
    stage.apply({ type: "saved", id: stage.pending, isOwn: true });
    assert.deepEqual(stage.take(), ["save", "removeRecord"]);
  });

  it("takes back a call that an earlier process has left, and makes it again, without a longer pause", () => {
    const stage = new Stage(2, 1);
    stage.call();
    const left = json(stage.plan.progress);
    stage.plan = restoredPlan(left, "next", false, stage.now);
    stage.apply({ type: "attached" });
    assert.deepEqual(stage.take(), ["recall"]);
    stage.apply({ type: "result", id: stage.pending, outcome: "not-applied", error: dropped() });
    assert.equal(stage.call(), 0);
    stage.end("applied");
    const restored = restoredPlan(json(stage.plan.progress), "next", false, 0);
    assert.equal(restored.progress.until, RING_FOR);
  });

  it("takes a call of an earlier process of which nothing is known for unknown, but no known one", () => {
    const stage = new Stage(2, 1);
    stage.call();
    const [left, id] = [json(stage.plan.progress), stage.pending];
    for (const known of [[], [{ type: "result", id, outcome: "applied" }]] as const) {
      stage.plan = restoredPlan(left, "next", false, stage.now);
      stage.apply({ type: "attached" });
      for (const event of known) stage.apply(event);
      stage.apply({ type: "notFound", id });
      assert.deepEqual(stage.outcomes, [known.length > 0 ? "1 0 applied" : "1 0 unknown"]);
    }
  });

  it("takes the outcome of an earlier call when it becomes known", () => {
    const stage = new Stage(2, 1);
    stage.call();
    const id = stage.pending;
    stage.end("unknown");
    stage.apply({ type: "result", id, outcome: "applied" });
    assert.deepEqual(stage.outcomes, ["1 0 applied"]);
    stage.take();
    stage.pass(RING_FOR);
    assert.equal(stage.call(), 1);
  });

  const outcome = fc.constantFrom<Outcome>("applied", "rejected", "not-applied", "unknown");
  /** What may happen next: how a save or a call ends, or something from outside. */
  const happening = fc.record({
    what: fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom("saves", "calls") },
      { weight: 3, arbitrary: fc.constant("due") },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          ...([
            "attached",
            "detached",
            "restart",
            "saveFails",
            "acknowledged",
            "over",
            "again",
            "trouble",
            "works",
          ] as const),
        ),
      },
    ),
    outcome,
    isDropped: fc.boolean(),
    passes: fc.integer({ min: 0, max: 2 * RING_FOR }),
  });

  it("calls nobody after an acknowledgement, each person once a round, and only what is saved, in any order of events", () => {
    const property = fc.property(
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 3 }),
      fc.array(happening, { minLength: 80, maxLength: 80 }),
      (people, rounds, happenings) => {
        const stage = new Stage(people, rounds);
        /** The record as it is stored, saves that have not ended, and calls under way. */
        let stored: Plan["progress"] | undefined;
        let saves: { id: string | null; progress: Plan["progress"] }[] = [];
        const calls = new Set<string>();
        const settled: string[] = [];
        let isAcknowledged = false;
        let endings = 0;
        const carryOut = () => {
          for (const command of stage.due.splice(0)) {
            if (command.do === "end") endings += 1;
            assert.ok(endings <= 1, "it ends once");
            if (command.do === "save") saves.push({ id: command.id, progress: stage.plan.progress });
            if (command.do !== "call") continue;
            assert.ok(!isAcknowledged, "nobody is called after an acknowledgement");
            assert.ok(
              stored?.rung.some(({ id }) => id === command.id),
              "a call is saved before it is made",
            );
            assert.ok(!calls.has(command.id) && !settled.includes(command.id), "a call attempt is made once");
            calls.add(command.id);
          }
        };
        const apply = (event: Event) => {
          stage.apply(event);
          carryOut();
        };
        carryOut();
        for (const [index, { what, outcome: how, isDropped, passes }] of happenings.entries()) {
          const save = what === "saves" || what === "saveFails" ? saves.shift() : undefined;
          const [call] = calls;
          if (save && what === "saves") {
            stored = json(save.progress);
            apply({ type: "saved", id: save.id, isOwn: true });
          } else if (save) apply({ type: "saveFailed", id: save.id, error: notSent("ERR_ENGINE", "queue") });
          else if (what === "calls" && call !== undefined) {
            calls.delete(call);
            settled.push(call);
            const error = how === "not-applied" && isDropped ? dropped() : undefined;
            apply({ type: "result", id: call, outcome: how, error });
          } else if (what === "acknowledged") {
            isAcknowledged = true;
            apply({ type: "acknowledged", by: true });
          } else if (what === "over") {
            isAcknowledged = true;
            apply({ type: "over" });
          } else if (what === "trouble" || what === "works")
            apply({ type: "trouble", error: what === "trouble" ? failed("not-applied", "ERR_CONNECT") : undefined });
          else if (what === "again" && settled.length > 0)
            apply({ type: "result", id: `${settled.at(-1)}`, outcome: how });
          else if (what === "restart" && stored && stage.plan.phase !== "ended") {
            // The process is killed: what it did not save is gone, and its calls are under way or wait.
            saves = [];
            stage.plan = restoredPlan(stored, `next${index}`, false, stage.now);
            isAcknowledged = stored.resolution !== null;
            const id = pendingOf(stored)?.id;
            apply({ type: "attached" });
            if (id !== undefined && calls.has(id)) apply({ type: "result", id, outcome: "unknown" });
            else if (id !== undefined && isDropped)
              apply({ type: "result", id, outcome: "not-applied", error: dropped() });
            else if (id !== undefined) apply({ type: "notFound", id });
            calls.clear();
          } else if (what === "attached" || what === "detached" || what === "due") apply({ type: what });
          stage.now += passes;
          const { rung, round } = stage.plan.progress;
          assert.ok(round <= rounds);
          assert.equal(new Set(rung.map((each) => `${each.round} ${each.number}`)).size, rung.length);
          assert.ok(rung.filter((each) => each.outcome === "pending").length <= 1);
        }
        const places = stage.plan.progress.rung.map((each) => each.round * 10 + Number(each.number.at(-1)));
        assert.deepEqual(
          places,
          places.toSorted((one, other) => one - other),
        );
      },
    );
    fc.assert(property, { numRuns: 2000 });
  });
});
