import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { mock } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type Job, type JobResult, notSent, type TenantClient } from "../../../src/client";
import { ScheduleCache, type ScheduleCopy } from "../../../src/runtime/schedules/schedule-cache";
import { ALWAYS, failed, type Hour, hour, reading, resultOf } from "../../support/business-hours";

const OFFICE = { name: "Office" } as const;
const SEVEN = { id: "7" } as const;

/** A tenant's client that answers at once, from the schedules it is given; `undefined`: it cannot be reached. */
class FakeClient {
  hours: readonly Hour[] | undefined;
  retryAfterMs: number | undefined;
  readonly asked: Job[] = [];
  readonly lanes = { heldUntil: undefined };
  #held: (() => void)[] | undefined;

  constructor(...hours: Hour[]) {
    this.hours = hours;
  }

  hold(): void {
    this.#held = [];
  }

  release(): void {
    for (const answer of this.#held?.splice(0) ?? []) answer();
    this.#held = undefined;
  }

  send(job: Job): Promise<JobResult> {
    this.asked.push(job);
    return new Promise((resolve) => {
      const answer = () => resolve(this.#end(job));
      if (this.#held) this.#held.push(answer);
      else answer();
    });
  }

  #end({ request }: Job): JobResult {
    const { hours, retryAfterMs } = this;
    if (!hours)
      return failed(notSent("ERR_CONNECT", "connect", { retryable: true, ...(retryAfterMs && { retryAfterMs }) }));
    return resultOf(request, (asked) => reading(hours, asked));
  }
}

describe("schedules kept for gates", () => {
  let client: FakeClient;
  let book: ScheduleCache;
  const noop = () => {};

  beforeEach(() => {
    mock.timers.enable({ apis: ["setTimeout", "Date"], now: Date.parse("2026-11-23T10:00:00Z") });
    client = new FakeClient(hour(7, "Office"));
    book = new ScheduleCache(client as unknown as TenantClient);
  });
  afterEach(() => {
    book.close();
    mock.timers.reset();
  });

  const rest = async () => {
    for (let turns = 0; turns < 5; turns += 1) await nextTurn();
  };
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second += 1) {
      mock.timers.tick(1000);
      await rest();
    }
  };
  const summarize = (copy: ScheduleCopy | undefined) =>
    copy && { id: copy.value?.id, stale: copy.value !== undefined && copy.problem !== undefined };

  it("reads a followed schedule at once, and again after each refresh", async () => {
    book.follow(OFFICE, noop, 10_000);
    await rest();
    strictEqual(client.asked.length, 1);
    deepStrictEqual(client.asked[0]?.request, {
      method: "GET",
      path: "/api/v1/setting/business-hour",
      query: { search: "Office" },
    });
    deepStrictEqual([client.asked[0]?.lane, client.asked[0]?.repeat], ["other", "freely"]);
    await pass(9);
    strictEqual(client.asked.length, 1);
    await pass(1);
    strictEqual(client.asked.length, 2);
    await pass(10);
    strictEqual(client.asked.length, 3);
  });

  it("renews at the shortest refresh of its gates, and stops with the last of them", async () => {
    const slow = book.follow(OFFICE, noop, 300_000);
    const fast = book.follow(OFFICE, noop, 10_000);
    await pass(21);
    strictEqual(client.asked.length, 3);
    fast();
    await pass(100);
    strictEqual(client.asked.length, 3);
    await pass(200);
    strictEqual(client.asked.length, 4);
    slow();
    await pass(900);
    strictEqual(client.asked.length, 4);
  });

  it("uses the cached copy while it is refreshed, one request at a time", async () => {
    await book.get(SEVEN, 10_000);
    await pass(11);
    client.hold();
    for (let messages = 0; messages < 10; messages += 1) {
      deepStrictEqual(summarize(book.get(SEVEN, 10_000) as ScheduleCopy), { id: 7, stale: false });
    }
    strictEqual(client.asked.length, 2);
    client.release();
    await rest();
    await book.get(SEVEN, 10_000);
    strictEqual(client.asked.length, 2);
  });

  it("no message is evaluated with a copy older than two refresh intervals: the first message waits for a lookup", async () => {
    await book.get(SEVEN, 300_000);
    await pass(599);
    client.hold();
    ok(!(book.get(SEVEN, 300_000) instanceof Promise), "not yet");
    client.release();
    await rest();
    await pass(601);
    client.hours = [hour(7, "Office", [])];
    const late = book.get(SEVEN, 300_000);
    ok(late instanceof Promise);
    deepStrictEqual((await late).value?.days, []);
    strictEqual(client.asked.length, 3);
  });

  it("who follows a schedule never waits for its next reading", async () => {
    book.follow(SEVEN, noop, 5000);
    await pass(1);
    client.hold();
    await pass(60);
    deepStrictEqual(summarize(book.get(SEVEN, 5000) as ScheduleCopy), { id: 7, stale: false });
    client.release();
  });

  for (const isFollowed of [true, false])
    it(`after a change, messages wait for a read that began later (${isFollowed ? "" : "not "}followed)`, async () => {
      if (isFollowed) book.follow(OFFICE, noop, 300_000);
      await book.get(OFFICE, 300_000);
      client.hold();
      book.expire();
      const early = book.get(OFFICE, 300_000);
      client.release();
      client.hold();
      client.hours = [hour(8, "Office")];
      book.expire();
      const late = book.get(OFFICE, 300_000);
      await rest();
      client.release();
      await rest();
      deepStrictEqual([summarize(await early), summarize(await late)], Array(2).fill({ id: 8, stale: false }));
      deepStrictEqual(summarize(book.get(OFFICE, 300_000) as ScheduleCopy), { id: 8, stale: false });
      strictEqual(client.asked.length, 3);
    });

  it("who follows a schedule that was missing waits for a new read: it may have been created since", async () => {
    client.hours = [];
    await book.get(OFFICE, 300_000);
    strictEqual(book.isMissing(OFFICE), true);
    await pass(10);
    client.hours = [hour(8, "Office")];
    client.hold();
    book.follow(OFFICE, noop, 300_000);
    strictEqual(book.isMissing(OFFICE), false);
    client.release();
    await rest();
    deepStrictEqual(summarize(book.peek(OFFICE) as ScheduleCopy), { id: 8, stale: false });
  });

  it("all wait for the same first answer", async () => {
    client.hold();
    const waiting = Array.from({ length: 10 }, async () => book.get(SEVEN, 10_000));
    client.release();
    for (const known of await Promise.all(waiting)) deepStrictEqual(summarize(known), { id: 7, stale: false });
    strictEqual(client.asked.length, 1);
  });

  it("keeps its copy, as stale, for as long as the tenant is unreachable", async () => {
    let notified = 0;
    book.follow(SEVEN, () => (notified += 1), 10_000);
    await pass(1);
    client.hours = undefined;
    await pass(10);
    deepStrictEqual(summarize(book.peek(SEVEN)), { id: 7, stale: true });
    await pass(3600);
    deepStrictEqual(summarize(await book.get(SEVEN, 10_000)), { id: 7, stale: true });
    client.hours = [hour(7, "Office")];
    await pass(11);
    deepStrictEqual(summarize(book.peek(SEVEN)), { id: 7, stale: false });
    ok(notified >= 3, "the gates are notified of each lookup");
  });

  for (const [what, key, gone] of [
    ["a schedule that is gone", SEVEN, []],
    ["a name that is gone", OFFICE, [hour(9, "Office 2")]],
    ["a name that there is twice", OFFICE, [hour(7, "Office"), hour(8, "Office")]],
  ] as const) {
    it(`${what} is served for one more refresh, then unknown, then found again`, async () => {
      book.follow(key, noop, 10_000);
      await pass(1);
      client.hours = gone;
      await pass(10);
      deepStrictEqual(summarize(book.peek(key)), { id: 7, stale: true });
      await pass(10);
      const known = book.peek(key);
      deepStrictEqual(summarize(known), { id: undefined, stale: false });
      strictEqual(known?.problem?.code, "ERR_SCHEDULE");
      client.hours = [hour(8, "Office", ALWAYS), hour(7, "Other")];
      await pass(10);
      strictEqual(book.peek(key)?.value !== undefined, true);
      strictEqual(book.peek(key)?.problem, undefined);
    });
  }

  it("deploys do not use up the refresh that the copy of a missing schedule has left", async () => {
    let stop = book.follow(OFFICE, noop, 300_000);
    await pass(10);
    client.hours = [];
    for (let deploys = 1; deploys <= 3; deploys += 1) {
      stop();
      stop = book.follow(OFFICE, noop, 300_000);
      await pass(10);
      strictEqual(client.asked.length, 1 + deploys);
      deepStrictEqual(summarize(book.peek(OFFICE)), { id: 7, stale: true });
    }
    await pass(300);
    deepStrictEqual(summarize(book.peek(OFFICE)), { id: undefined, stale: false });
  });

  it("does not ask a tenant that is away with every message", async () => {
    client.hours = undefined;
    await book.get(SEVEN, 300_000);
    for (let second = 0; second < 30; second += 1) {
      await pass(1);
      const known = book.get(SEVEN, 300_000);
      ok(!(known instanceof Promise), "no message waits for the next attempt");
    }
    ok(client.asked.length <= 7, String(client.asked.length));
    ok(client.asked.length > 1, "it is asked again");
  });

  it("reads again when as long has passed as the tenant asks for", async () => {
    Object.assign(client, { hours: undefined, retryAfterMs: 60_000 });
    book.follow(OFFICE, noop, 300_000);
    await pass(59);
    strictEqual(client.asked.length, 1);
    await pass(2);
    strictEqual(client.asked.length, 2);
  });

  it("does not believe an old answer that there is no schedule", async () => {
    client.hours = [];
    await book.get(SEVEN, 300_000);
    await pass(301);
    client.hours = [hour(7, "Office")];
    deepStrictEqual(summarize(await book.get(SEVEN, 300_000)), { id: 7, stale: false });
  });

  it("a tenant that has no such schedule is not asked at each message", async () => {
    client.hours = [];
    for (let messages = 0; messages < 10; messages += 1) await book.get(OFFICE, 300_000);
    strictEqual(client.asked.length, 1);
  });

  it("keeps the thousand schedules that messages chose most recently, and those of its gates", async () => {
    book.follow({ id: "1" }, noop, 86_400_000);
    client.hours = Array.from({ length: 1100 }, (_, index) => hour(index + 1, `Schedule ${index + 1}`));
    await pass(1);
    for (let id = 2; id <= 1100; id += 1) await book.get({ id: String(id) }, 86_400_000);
    const before = client.asked.length;
    for (let id = 1100; id > 102; id -= 1) await book.get({ id: String(id) }, 86_400_000);
    await book.get({ id: "1" }, 86_400_000);
    strictEqual(client.asked.length, before);
    await book.get({ id: "50" }, 86_400_000);
    strictEqual(client.asked.length, before + 1);
  });

  it("a deploy reads again, but not many times at once", async () => {
    const stop = book.follow(OFFICE, noop, 300_000);
    await pass(60);
    stop();
    for (let gates = 0; gates < 10; gates += 1) book.follow(OFFICE, noop, 300_000);
    await pass(1);
    strictEqual(client.asked.length, 2);
  });

  it("once closed, it schedules nothing more, not even after a lookup in flight", async () => {
    client.hold();
    book.follow(OFFICE, noop, 10_000);
    await rest();
    book.close();
    client.release();
    await pass(60);
    strictEqual(client.asked.length, 1);
  });
});
