import assert from "node:assert/strict";
import { performance } from "node:perf_hooks";
import { mock } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import fc from "fast-check";
import type { Call } from "../../../src/backlog/call";
import {
  afterEvent,
  isFailing,
  NO_TROUBLE,
  type Trouble,
  type TroubleEvent,
} from "../../../src/backlog/trouble/machine";
import { Trials } from "../../../src/backlog/trouble/trials";
import { restoring, Stage } from "../../support/backlog/stage";
import { casesOf } from "../../support/until";

const CALLS = casesOf(10_000);

const counts = { kind: "counts", code: "ERR_SERVER", isProbed: true } as const;
const stops = { kind: "stops", code: "ERR_CONNECT" } as const;
const limits = { kind: "stops", code: "ERR_RATE_LIMITED", retryAfterMs: 3_600_000, refused: "1" } as const;
const fine = { kind: "fine" } as const;
const free = { kind: "fine", isFree: true } as const;

describe("the trouble of a service", () => {
  /** The phases that follow from events, one second apart. */
  const phases = (...events: TroubleEvent[]) => {
    let [trouble, now] = [NO_TROUBLE, 0];
    return events.map((event) => {
      now += 1000;
      trouble = afterEvent(trouble, event, now);
      return trouble.phase;
    });
  };
  const probed = (isAnswered: boolean, retryAfterMs?: number) =>
    [
      { kind: "probing", probe: "1", forMs: 5000 },
      { kind: "probed", probe: "1", isAnswered, retryAfterMs },
    ] as const;

  it("holds at once, or after three in a row, and one call at a time ends that", () => {
    assert.deepEqual(phases(stops), ["held"]);
    assert.deepEqual(phases(counts, counts, counts), ["counting", "counting", "held"]);
    assert.deepEqual(phases(counts, counts, fine, counts), ["counting", "counting", "closed", "counting"]);
    assert.deepEqual(phases(stops, ...probed(true), fine), ["held", "held", "trying", "closed"]);
    assert.deepEqual(phases(stops, ...probed(true), counts), ["held", "held", "trying", "held"]);
    assert.deepEqual(phases(stops, { kind: "released" }, fine), ["held", "trying", "closed"]);
    assert.deepEqual(phases({ kind: "started" }, ...probed(true), counts), ["held", "held", "trying", "held"]);
    assert.deepEqual(phases(stops, fine, ...probed(false)), ["held", "held", "held", "held"]);
    assert.deepEqual(phases(stops, free, stops), ["held", "closed", "held"]);
    assert.deepEqual(phases(limits, free, stops, ...Array(58).fill(free)).slice(-2), ["held", "closed"]);
  });

  it("waits twice as long with each failed probe and each new hold, a minute at most, until a call is answered", () => {
    let [trouble, now]: [Trouble, number] = [afterEvent(NO_TROUBLE, stops, 0), 0];
    const pauses: number[] = [];
    for (let n = 0; n < 8; n += 1) {
      pauses.push((trouble.until - now) / 1000);
      now = trouble.until;
      // A failed probe, or a call that meets trouble after a probe was answered.
      for (const event of probed(n % 2 === 0)) trouble = afterEvent(trouble, event, now);
      trouble = afterEvent(trouble, counts, now);
    }
    assert.deepEqual(pauses, [1, 2, 4, 8, 16, 32, 60, 60]);
    trouble = afterEvent(afterEvent(trouble, { kind: "released" }, now), fine, now);
    assert.deepEqual(trouble, NO_TROUBLE);
  });

  it("counts a Retry-After from a second to an hour, a minute while an urgent call waits", () => {
    for (const [ms, pause] of [
      [0, 1000],
      [20_000, 20_000],
      [10 * 365 * 86_400_000, 3_600_000],
    ] as const)
      assert.equal(afterEvent(NO_TROUBLE, { ...stops, retryAfterMs: ms }, 0).until, pause);
    const long = afterEvent(NO_TROUBLE, { ...stops, retryAfterMs: 3_600_000 }, 0);
    for (const [now, until] of [
      [1000, 60_000],
      [600_000, 600_000],
    ] as const)
      assert.equal(afterEvent(long, { kind: "hurry" }, now).until, until);
    assert.equal(afterEvent(long, { kind: "changed" }, 1000).until, 1000);
  });

  it("is hurried once, whatever the fraction of the millisecond in which it began", () => {
    const conditions = { now: 0, date: 0, fineAt: 0, leadMs: 0, slots: 1, isOpen: true };
    const waiting = { isAny: true, isUrgent: true, hasPatient: true, hasRefused: false };
    const patience = { isForAll: true, atMostMs: 0, probeMs: 1000, probe: async () => ({ isAnswered: true }) };
    fc.assert(
      fc.property(fc.double({ min: 0, max: 2e12, noNaN: true }), (from) => {
        const trials = Object.assign(new Trials(), { patience });
        const next = () => trials.next({ ...conditions, steady: from }, {}, waiting);
        trials.trouble = afterEvent(NO_TROUBLE, { ...limits, refused: undefined }, from);
        assert.equal(next(), "hurry");
        trials.trouble = afterEvent(trials.trouble, { kind: "hurry" }, from);
        assert.notEqual(next(), "hurry");
        assert.equal(afterEvent(trials.trouble, { kind: "hurry" }, from), trials.trouble);
      }),
    );
  });

  /** Plays what follows each hold, without an answer to probes: `t` a call tries, and meets the trouble; `p` a probe. */
  const turns = (trouble: Trouble, met: TroubleEvent, isUrgent: (at: number) => boolean, forMs: number) => {
    let said = "";
    for (let now = trouble.until; now < forMs; now = trouble.until) {
      const tried = afterEvent(trouble, { kind: "over", isUrgent: isUrgent(now) }, now);
      said += tried === trouble ? "p" : "t";
      if (tried !== trouble) trouble = afterEvent(tried, met, now);
      else for (const event of probed(false)) trouble = afterEvent(trouble, event, now);
    }
    return said;
  };

  it("is probed first where something may have been done; a call tries at once after a refusal or without a connection", () => {
    const [started] = [afterEvent(NO_TROUBLE, { kind: "started" }, 0)];
    const server = afterEvent(NO_TROUBLE, { ...counts, kind: "stops" }, 0);
    assert.deepEqual([turns(started, stops, () => true, 3000), turns(server, counts, () => true, 3000)], ["pp", "p"]);
    for (const met of [stops, limits])
      assert.match(
        turns(afterEvent(NO_TROUBLE, met, 0), met, () => false, 600_000),
        /^t+$/,
      );
  });

  it("is probed first after a start with restored calls, whatever has held the group before", () => {
    const held = afterEvent(NO_TROUBLE, stops, 0);
    for (const before of [held, afterEvent(held, { kind: "released" }, 500)]) {
      const started = afterEvent(before, { kind: "started" }, 500);
      assert.deepEqual(
        [started.phase, started.since, turns(started, stops, () => true, 3000)],
        ["held", 0, before === held ? "p" : "pp"],
      );
    }
  });

  it("is tried in place of every second probe after three that failed, if a call is urgent, else each 15 minutes", () => {
    const server = afterEvent(NO_TROUBLE, { ...counts, kind: "stops" }, 0);
    assert.match(
      turns(server, counts, () => true, 900_000),
      /^ppp(tp)+t?$/,
    );
    // A call that tried where no probe was due has taken the place of none.
    const tried = afterEvent(afterEvent(NO_TROUBLE, limits, 0), { kind: "over", isUrgent: false }, 1000);
    assert.match(
      turns(afterEvent(tried, counts, 1000), counts, () => false, 600_000),
      /^pppt/,
    );
    const rare = turns(server, counts, () => false, 3 * 900_000);
    assert.match(rare, /^pppt(p{14,18}t){2}p+$/);
    assert.match(
      turns(server, counts, (now) => now > 300_000, 600_000),
      /^pppt(p+)(tp)+t?$/,
    );
  });

  it("takes the Retry-After of a refused call for all when a second one in a row is refused", () => {
    const first = afterEvent(NO_TROUBLE, limits, 0);
    const trying = afterEvent(first, { kind: "released" }, 1000);
    const until = (event: TroubleEvent, before = trying) => afterEvent(before, event, 1000).until - 1000;
    assert.equal(first.until, 1000);
    assert.deepEqual([until(limits), until({ ...limits, refused: "2" })], [2000, 3_600_000]);
    assert.equal(until({ ...limits, refused: "2" }, afterEvent(trying, fine, 1000)), 1000);
    // A call that got through meanwhile was between them.
    const between = afterEvent(afterEvent(first, fine, 500), { ...limits, refused: "2" }, 1000);
    assert.deepEqual([between.until, until({ ...limits, refused: "3" }, between)], [1000, 3_600_000]);
    // Those in flight with it count, too.
    assert.equal(until({ ...limits, refused: "2" }, first), 3_600_000);
  });

  it("has one probe at a time, which says nothing about a later hold, in any order of events", () => {
    const probe = fc.constantFrom("1", "2");
    const event: fc.Arbitrary<TroubleEvent> = fc.oneof(
      fc.constantFrom<TroubleEvent>(counts, stops, fine, free),
      fc.record({ kind: fc.constantFrom("released", "started", "changed", "hurry") }),
      fc.record({ kind: fc.constant("over"), isUrgent: fc.boolean() }),
      fc.record({ kind: fc.constant("probing"), probe, forMs: fc.constant(30_000) }),
      fc.record({ kind: fc.constant("probed"), probe, isAnswered: fc.boolean() }),
    );
    const check = fc.property(fc.array(fc.tuple(event, fc.nat(40_000)), { maxLength: 40 }), (events) => {
      let [trouble, now, row] = [NO_TROUBLE, 0, 0];
      for (const [one, ms] of events) {
        const { phase, until, probe } = trouble;
        now += ms;
        const next = afterEvent(trouble, one, now);
        if (one.kind === "fine")
          assert.ok(phase === "held" && one !== free ? next.phase === "held" : next === NO_TROUBLE);
        if (one.kind === "stops") assert.equal(next.phase, "held");
        row = one.kind === "fine" || next.phase !== "counting" ? 0 : row + (one.kind === "counts" ? 1 : 0);
        if (next.phase === "counting") assert.ok(row === next.row && row < 3);
        if (phase === "trying" && one.kind === "counts") assert.equal(next.phase, "held");
        // Only the probe that is under way, a resume, a deploy and a call that is not held end a hold, and no second probe begins beside it.
        if (phase === "held" && next.phase !== "held")
          assert.ok(
            one === free ||
              one.kind === "released" ||
              (one.kind === "over" && now >= until) ||
              (one.kind === "probed" && one.isAnswered && one.probe === probe),
          );
        if (one.kind === "probing" && next !== trouble) assert.ok(phase === "held" && now >= until);
        if (next.phase === "held" && phase !== "held" && one.kind !== "started")
          assert.ok(next.until >= now + 1000 && next.probe === undefined);
        if (next.since !== undefined) assert.equal(next.since, trouble.since ?? now);
        assert.equal(next.since !== undefined, isFailing(next));
        trouble = next;
      }
    });
    fc.assert(check, { numRuns: 1000 });
  });
});

describe("calls that wait for the service", () => {
  const start = Date.parse("2026-11-26T02:00:00Z");
  beforeEach(() => {
    mock.timers.enable({ apis: ["setTimeout", "Date"], now: start });
    mock.method(performance, "now", () => Date.now() - start);
  });
  afterEach(() => {
    mock.timers.reset();
    mock.restoreAll();
  });
  const pass = async (ms: number, each = () => {}, stepMs = 10) => {
    for (let passed = 0; passed < ms; passed += stepMs) {
      mock.timers.tick(stepMs);
      await turn();
      each();
    }
  };

  it("fail after as long as nothing else kept them: from their date, or the beginning of their hours", async () => {
    const stage = new Stage();
    stage.waitsForService({ atMostMs: 900_000, probe: async () => ({ isAnswered: false }) });
    stage.isOpen = false;
    const met = { ...counts, kind: "stops" } as const;
    void stage.backlog.service.observe(met);
    for (const more of [
      {},
      { notBefore: start + 3_600_000 },
      { anytime: true } as const,
      { anytime: true, alarm: true } as const,
    ])
      await stage.accept(more);
    const fail = () => {
      for (const run of stage.runs.splice(0)) {
        void stage.backlog.service.observe(met);
        run.requeue();
      }
    };
    const endedBy = async (at: number) => {
      await pass(start + at * 1000 - Date.now(), fail, 1000);
      return stage.ends.map(([id, settlement]) => `${id} ${"cut" in settlement && settlement.cut}`);
    };
    assert.deepEqual(await endedBy(899), []);
    assert.deepEqual(await endedBy(902), ["3 trouble"]);
    await endedBy(2000);
    stage.isOpen = true;
    stage.backlog.loop.dispatch();
    assert.deepEqual(await endedBy(2898), ["3 trouble"]);
    assert.deepEqual(await endedBy(2903), ["3 trouble", "1 trouble"]);
    assert.deepEqual(await endedBy(4498), ["3 trouble", "1 trouble"]);
    assert.deepEqual(await endedBy(4510), ["3 trouble", "1 trouble", "2 trouble"]);
    await stage.backlog.close();
  });

  it("try no more often for an urgent one that its hours keep", async () => {
    const stage = new Stage();
    stage.waitsForService({ probe: async () => ({ isAnswered: false }) });
    stage.isOpen = false;
    const met = { ...counts, kind: "stops" } as const;
    void stage.backlog.service.observe(met);
    for (const more of [{ urgent: true }, { anytime: true }] as const) await stage.accept(more);
    await pass(
      800_000,
      () => {
        for (const run of stage.runs.splice(0)) {
          void stage.backlog.service.observe(met);
          run.requeue();
        }
      },
      1000,
    );
    assert.deepEqual(stage.begun, ["2"]);
    await stage.backlog.close();
  });

  for (const [when, met] of Object.entries({ "a row is counted": counts, "the service is tried": stops }))
    it(`do not fail while ${when}, and only their rate keeps them`, async () => {
      const stage = new Stage(undefined, { rate: 0.01 });
      stage.waitsForService({ atMostMs: 5000 });
      for (const id of ["1", "2"]) await stage.accept(id);
      void stage.backlog.service.observe(met);
      stage.runs[0]?.settle("rejected", null);
      await pass(90_000, undefined, 1000);
      assert.deepEqual(stage.ended, ["1"]);
      await pass(11_000, undefined, 1000);
      assert.deepEqual(stage.begun, ["1", "2"]);
      await stage.backlog.close();
    });

  it("are counted without incidents that are held back and have no call", async () => {
    const stage = new Stage(restoring({ records: new Map([["a", 1]]), stoppedForMs: 960_000 }));
    stage.slots = 0;
    await stage.accept();
    const { heldBack, notHeldBack } = stage.backlog.counts;
    assert.deepEqual([heldBack, notHeldBack], [1, 1]);
    await stage.backlog.close();
  });

  it("are not asked for again at once where only the group knows of trouble", () => {
    const trials = new Trials();
    trials.retryAt = 500;
    assert.deepEqual([trials.mayTry(499), trials.mayTry(500)], [false, true]);
  });

  it("are kept by a pause, or by closed hours, until the very end of these", () => {
    for (const isPause of [true, false]) {
      const trials = new Trials();
      trials.trouble = { ...NO_TROUBLE, phase: "held", code: "ERR_CONNECT" };
      trials.patience = { isForAll: true, atMostMs: 1000, probeMs: 0, probe: async () => ({ isAnswered: true }) };
      const at = (now: number, isKept = false) =>
        [
          { now, steady: now, fineAt: 0, date: now, leadMs: 0, slots: 1, isOpen: isPause || !isKept },
          { paused: isPause && isKept, isClosed: !isPause && isKept },
        ] as const;
      const waiting = { isAny: true, isUrgent: false, hasPatient: false, hasRefused: false };
      trials.next(...at(0, true), waiting);
      trials.next(...at(60_000), waiting);
      const turn = { entry: {}, since: 0, retryAt: -Infinity, isPatient: false } as Call;
      const swept = (now: number) => [...trials.sweep([turn], at(now)[0])].map(([, why]) => why);
      assert.deepEqual([swept(60_999), swept(61_000)], [[], ["trouble"]]);
    }
  });

  it(`go out after an hour of outage, ${CALLS} of them, in order and at their rate`, async () => {
    const stage = new Stage(undefined, { rate: 100, entries: 20_000 });
    let isOut = false;
    let probes = 0;
    const probe = async () => {
      probes += 1;
      return { isAnswered: !isOut };
    };
    stage.waitsForService({ probe });
    const placed: [id: string, at: number][] = [];
    let tries = 0;
    const perform = () => {
      for (const run of stage.runs.splice(0)) {
        tries += 1;
        if (!isOut) placed.push([run.entry.id, Date.now()]);
        if (isOut) run.requeue();
        else run.settle("applied", null);
        void stage.backlog.service.observe(isOut ? stops : fine);
      }
    };
    for (let n = 1; n <= CALLS; n += 1) await stage.accept();
    perform();
    await pass(1000, perform);
    [isOut, tries] = [true, 0];
    const before = placed.length;
    await pass(3_600_000, perform, 1000);
    assert.deepEqual([placed.length, stage.ends.length], [before, before]);
    assert.ok(probes === 0 && tries < 3_600_000 / 60_000 + 10, `${tries} tries, ${probes} probes`);
    isOut = false;
    await pass(60_000, perform, 1000);
    await pass(10 * CALLS, perform);
    assert.deepEqual(
      placed.map(([id]) => Number(id)),
      Array.from({ length: CALLS }, (_, n) => n + 1),
    );
    assert.ok(placed.every(([, at], n) => n === 0 || at - Number(placed[n - 1]?.[1]) >= 10));
    await stage.backlog.close();
  });
});
