import assert from "node:assert/strict";
import { performance } from "node:perf_hooks";
import { mock } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { inspect } from "node:util";
import { type Clock, install } from "@sinonjs/fake-timers";
import { Backlog, type Entry } from "../../../src/backlog";
import { type Call, FOLLOWS, type Stage } from "../../../src/backlog/call";
import type { StartClock } from "../../../src/backlog/start-clock";
import type { SharedStore, Store, StoreEvents } from "../../../src/backlog/store";
import { TenantClient } from "../../../src/client";
import { NOTHING, storeWith } from "../../support/backlog/stage";
import { until } from "../../support/until";
import { callStop, optionsFor } from "./subject";

/** The time within which everything due comes with one step of the clock. Milliseconds. */
const [SOON, STEP] = [1000, 10_000];
const HOUR = 3_600_000;
const STARTED = Date.UTC(2026, 10, 29);

/** The answers of a store, as `Store` and `SharedStore` allow them. */
const ANSWERS = {
  accept: [
    { kind: "accepted" },
    { kind: "accepted", replaced: "1" },
    { kind: "accepted", inherited: true },
    { kind: "full" },
  ],
  takeDue: [{ kind: "accepted" }, { kind: "usedUp", retryAfterMs: SOON }, { kind: "failed", reason: "it fails" }],
  begin: ["begun", { startInMs: SOON }, { retryInMs: SOON }, { gone: "cancelled" }],
  requeue: [undefined],
  settle: [undefined, "it fails"],
} as const;

interface Question {
  readonly verb: keyof typeof ANSWERS;
  readonly id: string;
  readonly answers: readonly unknown[];
  readonly answer: (value: unknown) => void;
}

/** A backlog whose store answers when the walk says so, and what may happen to it next. */
class World {
  readonly calls: Call[] = [];
  readonly #questions: Question[] = [];
  readonly #ends: string[] = [];
  readonly #begun: Call[] = [];
  #slots = 1;
  #isStopped = false;
  #hasJumped = false;
  readonly #backlog: Backlog;
  #events!: StoreEvents;

  /** @param moves those that were made in any world */
  constructor(
    private readonly clock: Clock,
    private readonly moves: Set<string>,
  ) {
    const ask = (verb: Question["verb"], answers: readonly unknown[]) => (entry: Entry) =>
      new Promise<never>((resolve) => {
        const answer = (value: unknown) => {
          this.#questions.splice(this.#questions.indexOf(question), 1);
          resolve(value as never);
        };
        const question = { verb, id: entry.id, answers, answer };
        this.#questions.push(question);
      });
    const shared: Partial<SharedStore> = {
      lease: { isHeld: true, now: () => clock.now, steady: () => clock.now },
      setLimits: () => {},
      changeTrouble: async (_, next) => next,
      dropOthers: async () => 0,
      cancelOthers: async () => ({ cancelled: 0, tooLate: 0 }),
    };
    const store: Partial<Store> = {
      start: (events) => {
        this.#events = events;
      },
      accept: (entry, _room, earlier) =>
        ask(
          "accept",
          ANSWERS.accept.filter((each) => !("replaced" in each) || earlier !== undefined),
        )(entry),
      takeDue: ask("takeDue", ANSWERS.takeDue),
      begin: ask("begin", ANSWERS.begin),
      requeue: ask("requeue", ANSWERS.requeue),
      settle: (entry, _, mayFail) => ask("settle", ANSWERS.settle.slice(0, mayFail ? 2 : 1))(entry),
    };
    this.#backlog = new Backlog(storeWith({ ...shared, ...store }));
    this.#backlog.serve(
      {
        slots: () => this.#slots,
        others: () => ({ waiting: 0, bytes: 0 }),
        isOpen: () => true,
        dueKeys: () => [{ hash: "share", forMs: SOON, uses: 1 }],
        begin: (call) => {
          assert.equal(call.stage, "begun");
          this.#begun.push(call);
          this.#slots = 0;
        },
        end: ({ entry }) => void this.#ends.push(entry.id),
        moved: (call, from) => this.#moved(call, from),
        onChange: () => {},
        onFailure: () => {},
      },
      { rate: 0, entries: 10, bytes: 1000, slots: 1 },
    );
  }

  #moved(call: Call, from: Stage): void {
    this.moves.add(`${from} → ${call.stage}`);
    if (!this.calls.includes(call)) this.calls.push(call);
  }

  /** The events that may happen next, by name. */
  events(): Map<string, () => unknown> {
    const events = new Map<string, () => unknown>();
    for (const { verb, id, answers, answer } of this.#questions)
      for (const each of answers) events.set(`${verb} ${id}: ${inspect(each)}`, () => answer(each));
    const id = String(this.calls.length + 1);
    const entry: Entry = { id, nodeId: "a", size: 1, content: "1", name: "n" };
    const accept = (more: Partial<Entry>) => () => void this.#backlog.accept({ ...entry, ...more });
    const restore = (more: Partial<Entry>, stoppedForMs: number) => () => {
      const clock = { isUnsure: false, isOver: false, hasJumped: () => this.#hasJumped };
      this.#events.onRestored({ ...NOTHING, waiting: [{ ...entry, ...more }], stoppedForMs }, clock as StartClock);
    };
    const date = { notBefore: this.clock.now + SOON };
    const key = { keys: [{ hash: "k", forMs: SOON }] };
    if (this.calls.length === 0 && this.#slots > 0) events.set("have none", () => (this.#slots = 0));
    if (this.calls.length === 0) {
      events.set("come", accept(key));
      events.set("come with a date", accept({ ...date, ...key }));
      events.set("come held back", accept({ heldBack: true, ofRestored: true }));
      events.set("be restored", restore({}, 0));
      events.set("be restored with a date", restore(date, 0));
      events.set("be restored late", restore(key, HOUR));
      events.set("be restored late with a past date", restore({ notBefore: STARTED - SOON }, HOUR));
    } else {
      if (this.calls.length === 1) events.set("come instead", accept({ ...key, replaces: true }));
      events.set("wait", () => this.clock.tickAsync(STEP));
      if (this.#slots === 0 && !this.#begun.some(({ stage }) => stage === "begun"))
        events.set("have a place", () => this.#free());
      if (this.#slots > 0) events.set("have none", () => (this.#slots = 0));
      events.set("resume", () => this.#backlog.resume());
      events.set("cancel", () => void this.#backlog.cancel("n").catch(() => {}));
      events.set("drop", () => void this.#backlog.drop().catch(() => {}));
      events.set("give up", () => void this.#backlog.withdraw("1"));
      events.set("end elsewhere", () => this.#events.onSettledElsewhere(["1"], "dropped"));
      events.set("be inherited", () => this.#events.onInherited());
      if (!this.#isStopped) events.set("stop", () => this.#stop());
      if (!this.#hasJumped) events.set("jump", () => this.#jump());
      for (const call of this.#begun.filter(({ stage }) => stage === "begun")) {
        events.set(`${call.entry.id} ends`, () => void this.#backlog.ends.settle(call, "applied"));
        events.set(`${call.entry.id} may not leave`, () => this.#backlog.loop.requeue(call));
      }
    }
    return events;
  }

  #free(): void {
    this.#slots = 1;
    this.#backlog.loop.dispatch();
  }

  #stop(): void {
    this.#isStopped = true;
    this.#backlog.stopDispatching();
  }

  #jump(): void {
    this.#hasJumped = true;
    this.#backlog.loop.dispatch();
  }

  /** All that decides what may come next. */
  get state(): string {
    const calls = this.calls.map(({ stage, isAccepted, isRestored, end, date, since, entry: { heldBack } }) => {
      const dateIn = date === undefined ? "" : date - this.clock.now > 0;
      return [stage, isAccepted, isRestored, end?.cut, end?.mayFail, dateIn, since !== undefined, heldBack];
    });
    const asked = this.#questions.map(({ verb, id, answers }) => [verb, id, answers.length]);
    return JSON.stringify([calls, asked, this.#slots, this.#isStopped, this.#hasJumped, this.clock.countTimers() > 0]);
  }

  check(): void {
    const { waiting, dated, heldBack } = this.#backlog.counts;
    const count = (...stages: Stage[]) => this.calls.filter(({ stage }) => stages.includes(stage)).length;
    const [datedNow, heldBackNow] = [count("dated"), count("heldBack")];
    assert.deepEqual(
      { waiting, dated, heldBack },
      {
        waiting: datedNow + heldBackNow + count("accepting", "queued", "replacing"),
        dated: datedNow,
        heldBack: heldBackNow,
      },
    );
    assert.equal(new Set(this.#ends).size, this.#ends.length);
  }

  get hasEnded(): boolean {
    return this.calls.length > 0 && this.calls.every(({ stage }) => stage === "ended");
  }

  close(): void {
    this.#backlog.stopDispatching();
  }
}

const ACCEPTED = "accept 1: { kind: 'accepted' }";
/** The beginnings of a walk: nothing, or a call waits in each way, and another one is to take its place. */
const INSTEAD = ["come instead"];
const BEFORE: readonly (readonly string[])[] = [
  [],
  ["have none", "come", ACCEPTED],
  ["have none", "come", ACCEPTED, ...INSTEAD],
  ["come with a date", ACCEPTED, ...INSTEAD],
  ["be restored late", ...INSTEAD],
];

describe("the stages of a call", () => {
  const moves = new Set<string>();

  /** Follows all orders of a few events and answers; one that leads to where another has led is not followed further. */
  const walk = async (clock: Clock, before: readonly string[], depth: number) => {
    const known = new Set<string>();
    let paths = [before];
    for (let left = depth; left >= 0; left -= 1) {
      const longer: (readonly string[])[] = [];
      for (const path of paths) {
        clock.reset();
        clock.setSystemTime(STARTED);
        const world = new World(clock, moves);
        for (const name of path) {
          const event = world.events().get(name);
          assert.ok(event, `${name} of ${path.join(", ")}`);
          await event();
          await turn();
          clock.tick(0);
          await turn();
          world.check();
        }
        const { state, hasEnded } = world;
        if (!known.has(state) && !hasEnded) for (const name of world.events().keys()) longer.push([...path, name]);
        known.add(state);
        world.close();
      }
      paths = longer;
    }
  };

  it("follow each other in a store's lanes only as they may, whatever happens and is answered in whichever order", async () => {
    const clock = install({ now: STARTED, toFake: ["setTimeout", "clearTimeout", "Date"] });
    const now = mock.method(performance, "now", () => clock.now);
    try {
      for (const before of BEFORE) await walk(clock, before, before.length === 0 ? 3 : 2);
    } finally {
      now.mock.restore();
      clock.uninstall();
    }
  });

  it("follow each other in a lane without a store, too, and each pair of the table is one of these", async () => {
    const client = new TenantClient({ ...optionsFor("http://127.0.0.1:9"), onlyLog() {}, concurrency: 1, backlog: 1 });
    const ended: string[] = [];
    for (const id of ["begins", "waits", "is refused"])
      client.submit(callStop(id), {
        moved: ({ stage }, from) => void moves.add(`${from} → ${stage}`),
        ended: () => void ended.push(id),
      });
    await until(() => ended.length === 3);
    const table = Object.entries(FOLLOWS).flatMap(([from, stages]) => stages.map((to) => `${from} → ${to}`));
    assert.deepEqual([...moves].sort(), table.sort());
  });
});
