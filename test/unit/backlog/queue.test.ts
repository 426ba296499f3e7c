import assert from "node:assert/strict";
import fc from "fast-check";
import { Call, move } from "../../../src/backlog/call";
import { Queue } from "../../../src/backlog/queue";

describe("what a queue decides", () => {
  it("begins each call once, in order, at its date and within its time, as far as slots and rate allow, in any order of events", () => {
    const entry = fc.record({
      notBefore: fc.option(fc.nat(40), { nil: undefined }),
      notAfter: fc.option(fc.nat(60), { nil: undefined }),
      anytime: fc.option(fc.constant(true as const), { nil: undefined }),
      urgent: fc.option(fc.constant(true as const), { nil: undefined }),
      list: fc.option(fc.constant("l"), { nil: undefined }),
    });
    const event = fc.oneof(
      entry,
      fc.record({ tick: fc.nat(20) }),
      fc.constantFrom("pause", "resume", "open", "close", "hold back", "release", "requeue"),
    );
    const check = fc.property(fc.array(event, { maxLength: 60 }), fc.constantFrom(0, 100), (events, rate) => {
      const queue = new Queue();
      queue.pacer.rate = rate;
      const [begun, starts, gone]: [Call[], number[], Call[]] = [[], [], []];
      const conditions = { now: 0, date: 0, steady: 0, fineAt: 0, leadMs: 0, slots: 3, isOpen: true };
      let order = 0;
      const run = () => {
        let step = queue.next(conditions);
        for (; step.kind !== "wait"; step = queue.next(conditions)) {
          if (!("call" in step)) throw new Error(step.kind);
          const { kind, call } = step;
          const { entry } = call;
          assert.ok(call.isAtRest);
          if (kind === "due") {
            assert.ok(Number(call.date) <= conditions.date);
            [call.date, call.order] = [undefined, ++order];
            queue.wait(call);
          } else if (kind === "expired") {
            assert.ok(conditions.date > Number(entry.notAfter));
            move(call, "ended", queue);
            gone.push(call);
          } else {
            assert.ok((!queue.paused || entry.urgent) && conditions.slots > 0 && (conditions.isOpen || entry.anytime));
            assert.ok(conditions.date >= (entry.notBefore ?? 0) && conditions.date <= (entry.notAfter ?? Infinity));
            const isBefore = (other: Call) =>
              other.priority === call.priority ? other.order < call.order : other.priority < call.priority;
            const passed = queue.filter((other) => other.stage === "queued" && isBefore(other));
            assert.ok(passed.every((other) => !conditions.isOpen && !other.entry.anytime));
            move(call, "asking", queue);
            move(call, "granted", queue);
            move(call, "begun", queue);
            starts.push(queue.pacer.plan(conditions.now));
            assert.ok(!held.has(call) && Number(starts.at(-1)) <= conditions.now);
            begun.push(call);
            conditions.slots -= 1;
          }
        }
        return step.ms;
      };
      const [calls, held] = [new Set<Call>(), new Set<Call>()];
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
          const call = begun.shift();
          if (call && move(call, "asking", queue)) {
            queue.wait(call);
            conditions.slots += 1;
          }
        } else if (typeof one === "object" && "tick" in one) advance(one.tick);
        else if (typeof one === "object" || one === "hold back") {
          const more = typeof one === "object" ? JSON.parse(JSON.stringify(one)) : {};
          const call = new Call(undefined, { id: "", nodeId: "a", size: 1, content: null, ...more });
          call.order = ++order;
          calls.add(call);
          queue.add(call);
          if (one === "hold back") {
            queue.holdBack(call);
            held.add(call);
          }
          queue.wait(call);
        }
        run();
      }
      release();
      queue.paused = false;
      Object.assign(conditions, { isOpen: true, slots: Infinity });
      for (let ms = run(); ms !== undefined; ms = run()) advance(ms);
      assert.equal(new Set([...begun, ...gone]).size, calls.size);
      assert.equal(begun.length + gone.length, calls.size);
      if (rate > 0) assert.ok(starts.every((at, n) => n === 0 || at - Number(starts[n - 1]) >= 10));
      assert.deepEqual([queue.waiting, queue.dated, queue.heldBack, queue.queued, queue.asked], [0, 0, 0, 0, 0]);
    });
    fc.assert(check, { numRuns: 500 });
  });
});
