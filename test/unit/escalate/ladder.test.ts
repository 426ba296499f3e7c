import assert from "node:assert/strict";
import fc from "fast-check";
import { Ladder, type Rung } from "../../../src/runtime/nodes/escalate/escalation-plan";

const RING_FOR = 60_000;
const called = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ number: `000000000${index}`, name: null }));

/** A ladder with a clock that a test moves. */
class Stage {
  now = 1_000_000;
  ladder: Ladder;
  #ids = 0;

  constructor(people: number, rounds: number) {
    this.ladder = Ladder.begin(called(people), RING_FOR, rounds);
  }

  /** Makes the call that is due. Returns the index of the person. */
  call(): number {
    const step = this.ladder.step(this.now);
    assert.equal(step.do, "call");
    this.#ids += 1;
    this.ladder.call(`${this.#ids}`, this.now);
    return step.do === "call" ? step.person : -1;
  }

  end(outcome: "applied" | "rejected" | "not-applied" | "unknown", wasCutOff?: boolean): void {
    this.ladder.ended(`${this.#ids}`, outcome, this.now, wasCutOff);
  }

  get due(): string {
    return this.ladder.step(this.now).do;
  }

  get outcomes(): string[] {
    return this.ladder.progress.rung.map(({ number, outcome, round }) => `${round} ${number.at(-1)} ${outcome}`);
  }
}

describe("the ladder of an incident", () => {
  it("calls one after the other, each after its pause, round after round", () => {
    const stage = new Stage(2, 2);
    for (const person of [0, 1, 0, 1]) {
      assert.equal(stage.call(), person);
      assert.equal(stage.due, "await");
      stage.now += 500;
      stage.end("applied");
      stage.now += RING_FOR - 1;
      assert.equal(stage.due, "wait");
      stage.now += 1;
    }
    assert.deepEqual(stage.ladder.step(stage.now), { do: "end", acknowledged: false });
    assert.deepEqual(stage.outcomes, ["1 0 applied", "1 1 applied", "2 0 applied", "2 1 applied"]);
  });

  for (const outcome of ["rejected", "not-applied"] as const)
    it(`goes to the next person at once after ${outcome}`, () => {
      const stage = new Stage(2, 1);
      stage.call();
      stage.end(outcome);
      assert.equal(stage.call(), 1);
    });

  it("takes an unknown outcome for a call", () => {
    const stage = new Stage(2, 1);
    stage.call();
    stage.end("unknown");
    assert.equal(stage.due, "wait");
    stage.now += RING_FOR;
    assert.equal(stage.call(), 1);
  });

  it("lets a call ring that has waited long for its turn, and whose answer was lost", () => {
    const stage = new Stage(2, 1);
    stage.call();
    stage.now += 10 * RING_FOR;
    stage.end("unknown");
    assert.equal(stage.due, "wait");
    const cutOff = new Stage(2, 1);
    cutOff.call();
    cutOff.now += 10 * RING_FOR;
    cutOff.end("unknown", true);
    assert.equal(cutOff.call(), 1);
  });

  it("pauses after a round in which nobody could be called, and ends after the last one", () => {
    const stage = new Stage(2, 2);
    for (const person of [0, 1]) {
      assert.equal(stage.call(), person);
      stage.end("not-applied");
    }
    assert.equal(stage.due, "wait");
    stage.now += RING_FOR;
    for (const person of [0, 1]) {
      assert.equal(stage.call(), person);
      stage.end("not-applied");
    }
    assert.equal(stage.due, "end");
  });

  it("does not pause after a round whose last person could not be called", () => {
    const stage = new Stage(2, 2);
    stage.call();
    stage.end("applied");
    stage.now += RING_FOR;
    stage.call();
    stage.end("rejected");
    assert.equal(stage.call(), 0);
  });

  it("ends an acknowledged incident once the outcome of its last call is known", () => {
    const stage = new Stage(3, 1);
    stage.call();
    stage.ladder.acknowledge("Jane");
    stage.ladder.acknowledge("Ali");
    assert.equal(stage.due, "await");
    stage.end("applied");
    assert.deepEqual(stage.ladder.step(stage.now), { do: "end", acknowledged: true });
    assert.equal(stage.ladder.progress.acknowledgedBy, "Jane");
  });

  it("does not list a call that was taken back, and makes it again", () => {
    const stage = new Stage(1, 1);
    stage.call();
    stage.ladder.takeBack("1");
    assert.deepEqual(stage.outcomes, []);
    assert.equal(stage.call(), 0);
  });

  it("goes on from its JSON, without a longer pause where the clock was put back", () => {
    const stage = new Stage(2, 1);
    stage.call();
    stage.end("applied");
    const json = JSON.parse(JSON.stringify(stage.ladder.progress));
    stage.now += RING_FOR / 2;
    assert.deepEqual(Ladder.resume(json, stage.now).step(stage.now), { do: "wait", until: 1_000_000 + RING_FOR });
    stage.now = 0;
    assert.deepEqual(Ladder.resume(json, stage.now).step(stage.now), { do: "wait", until: RING_FOR });
  });

  it("takes the outcome of an earlier call when it becomes known", () => {
    const stage = new Stage(2, 1);
    stage.call();
    stage.end("unknown");
    stage.end("applied");
    assert.deepEqual(stage.outcomes, ["1 0 applied"]);
    stage.now += RING_FOR;
    assert.equal(stage.call(), 1);
  });

  it("calls each person at most once a round, and nobody once it is acknowledged, whatever happens", () => {
    const action = fc.record({
      outcome: fc.constantFrom("applied", "rejected", "not-applied", "unknown", "taken back"),
      passes: fc.integer({ min: 0, max: 2 * RING_FOR }),
      restarts: fc.boolean(),
    });
    const property = fc.property(
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 1, max: 3 }),
      fc.array(action, { minLength: 60, maxLength: 60 }),
      fc.integer({ min: 0, max: 60 }),
      (people, rounds, actions, acknowledgedAt) => {
        const stage = new Stage(people, rounds);
        let calls = 0;
        for (const [index, { outcome, passes, restarts }] of actions.entries()) {
          if (index === acknowledgedAt) {
            stage.ladder.acknowledge(true);
            calls = stage.ladder.progress.rung.length;
          }
          if (restarts) stage.ladder = Ladder.resume(JSON.parse(JSON.stringify(stage.ladder.progress)), stage.now);
          const { due } = stage;
          if (due === "end") break;
          if (due === "call") stage.call();
          else if (due === "await" && outcome === "taken back") stage.ladder.takeBack(`${stage.ladder.pending?.id}`);
          else if (due === "await") stage.end(outcome as "applied");
          stage.now += passes;
          const { rung, round } = stage.ladder.progress;
          if (index >= acknowledgedAt) assert.ok(rung.length <= calls);
          assert.ok(round <= rounds);
          assert.equal(new Set(rung.map((each: Rung) => `${each.round} ${each.number}`)).size, rung.length);
        }
        const places = stage.ladder.progress.rung.map((each) => each.round * 10 + Number(each.number.at(-1)));
        assert.deepEqual(
          places,
          places.toSorted((one, other) => one - other),
        );
        if (stage.due === "end" && !stage.ladder.isAcknowledged) assert.equal(places.length, people * rounds);
      },
    );
    fc.assert(property, { numRuns: 1000 });
  });
});
