import assert from "node:assert/strict";
import fc from "fast-check";
import { Queue } from "../../../src/backlog/queue";
import { Turn, type TurnOwner } from "../../../src/backlog/turn";

const OWNER = {} as TurnOwner;

describe("what a queue decides", () => {
  it("begins each turn once, in order, at its date and within its time, as far as places and rate allow, in any order of events", () => {
    const entry = fc.record({
      notBefore: fc.option(fc.nat(40), { nil: undefined }),
      notAfter: fc.option(fc.nat(60), { nil: undefined }),
      anytime: fc.option(fc.constant(true as const), { nil: undefined }),
      urgent: fc.option(fc.constant(true as const), { nil: undefined }),
    });
    const event = fc.oneof(
      entry,
      fc.record({ tick: fc.nat(20) }),
      fc.constantFrom("pause", "resume", "open", "close", "hold back", "release", "requeue"),
    );
    const check = fc.property(fc.array(event, { maxLength: 60 }), fc.constantFrom(0, 100), (events, rate) => {
      const queue = new Queue();
      queue.pacer.rate = rate;
      const [begun, starts, gone]: [Turn[], number[], Turn[]] = [[], [], []];
      const conditions = { now: 0, date: 0, steady: 0, fineAt: 0, leadMs: 0, places: 3, isOpen: true };
      let place = 0;
      const run = () => {
        let step = queue.next(conditions);
        for (; step.kind !== "wait"; step = queue.next(conditions)) {
          if (!("turn" in step)) throw new Error(step.kind);
          const { kind, turn } = step;
          const { entry } = turn;
          assert.ok(turn.isAtRest);
          if (kind === "due") {
            assert.ok(turn.date <= conditions.date);
            [turn.date, turn.place] = [-Infinity, ++place];
            queue.wait(turn);
          } else if (kind === "expired") {
            assert.ok(conditions.date > Number(entry.notAfter));
            queue.remove(turn);
            gone.push(turn);
          } else {
            assert.ok((!queue.paused || entry.urgent) && conditions.places > 0 && (conditions.isOpen || entry.anytime));
            assert.ok(conditions.date >= (entry.notBefore ?? 0) && conditions.date <= (entry.notAfter ?? Infinity));
            const isBefore = (other: Turn) =>
              other.entry.urgent === entry.urgent ? other.place < turn.place : other.entry.urgent;
            const passed = queue.filter((other) => other.state === "waiting" && isBefore(other) === true);
            assert.ok(passed.every((other) => !conditions.isOpen && !other.entry.anytime));
            queue.to(turn, "beginning");
            queue.to(turn, "begun");
            starts.push(queue.pacer.plan(conditions.now));
            assert.ok(!held.has(turn) && Number(starts.at(-1)) <= conditions.now);
            begun.push(turn);
            conditions.places -= 1;
          }
        }
        return step.ms;
      };
      const [turns, held] = [new Set<Turn>(), new Set<Turn>()];
      const release = () => {
        held.clear();
        queue.release();
      };
      const advance = (ms: number) => {
        conditions.now += ms;
        conditions.date += ms;
      };
      for (const one of events) {
        if (one === "pause" || one === "resume") queue.paused = one === "pause";
        else if (one === "open" || one === "close") conditions.isOpen = one === "open";
        else if (one === "release") release();
        else if (one === "requeue") {
          const turn = begun.shift();
          if (turn) queue.wait(turn);
          if (turn) conditions.places += 1;
        } else if (typeof one === "object" && "tick" in one) advance(one.tick);
        else if (typeof one === "object" || one === "hold back") {
          const more = typeof one === "object" ? JSON.parse(JSON.stringify(one)) : {};
          const turn = new Turn(OWNER, { id: "", nodeId: "a", size: 1, content: null, ...more }, ++place, 0, false);
          turns.add(turn);
          queue.add(turn);
          if (one === "hold back") {
            queue.holdBack(turn);
            held.add(turn);
          }
          queue.wait(turn);
        }
        run();
      }
      release();
      queue.paused = false;
      Object.assign(conditions, { isOpen: true, places: Infinity });
      for (let ms = run(); ms !== undefined; ms = run()) advance(ms);
      assert.equal(new Set([...begun, ...gone]).size, turns.size);
      assert.equal(begun.length + gone.length, turns.size);
      if (rate > 0) assert.ok(starts.every((at, n) => n === 0 || at - Number(starts[n - 1]) >= 10));
      assert.deepEqual([queue.waiting, queue.dated, queue.heldBack, queue.queued, queue.beginning], [0, 0, 0, 0, 0]);
    });
    fc.assert(check, { numRuns: 500 });
  });
});
