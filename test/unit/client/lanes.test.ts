import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { setImmediate as turn } from "node:timers/promises";
import { type Address, type ClientOptions, type Job, type Lane, parseAddress, TenantClient } from "../../../src/client";
import { callOutShare } from "../../../src/client/queue/in-flight";
import { callStop, optionsFor } from "./subject";

const ADDRESS = parseAddress("http://127.0.0.1:9");
const IGNORE = { onOrphanedResult() {}, onUnreportedOutcome() {} };

describe("lanes of a tenant", () => {
  let client: TenantClient;
  let options: ClientOptions;
  let started: string[];
  let refused: string[];
  /** Lets the jobs in flight end, by their ids. */
  let ends: Map<string, () => void>;

  /** Opens a client in log mode, so that nothing but the guard keeps a job in flight. */
  const open = (limits: { concurrency?: number; backlog?: number } = {}) => {
    [started, refused, ends] = [[], [], new Map()];
    const admitted = new Set<string>();
    const check = (job: object) => {
      const { id } = job as Job;
      if (admitted.has(id)) return new Promise<undefined>((done) => ends.set(id, () => done(undefined)));
      return void admitted.add(id);
    };
    options = {
      ...optionsFor(ADDRESS.origin),
      onlyLog() {},
      guard: { check, checkAgain: () => undefined, rateLimitKeys: () => [], mayBeTwo: () => false },
      ...limits,
    };
    const restored = { isDeleted: ({ nodeId }: { nodeId: string }) => nodeId === "gone", ...IGNORE };
    client = new TenantClient(options, undefined, () => restored);
    client.follow({ ended: ({ id }, { ok }) => void (ok || refused.push(id)) });
  };
  const submit = (lane: Lane, id: string, more: Partial<Job> = {}) =>
    client.submit(
      { ...callStop(id), ...more, lane },
      { moved: ({ stage }) => void (stage === "begun" && started.push(id)), ended() {} },
    );
  const add = async (lane: Lane, ...ids: string[]) => {
    for (const id of ids) submit(lane, id);
    await turn();
  };
  /** Serves with other limits; nothing starts before the address is known. */
  const renew = (limits: Partial<ClientOptions>) => {
    let known: (address: Address) => void = () => {};
    options = { ...options, ...limits };
    client.serve({ ...options, address: new Promise<Address>((resolve) => (known = resolve)) });
    return async () => {
      known(ADDRESS);
      await turn();
    };
  };
  const callOut = (...ids: string[]) => add("callOut", ...ids);
  const end = async (...ids: string[]) => {
    for (const id of ids) {
      ends.get(id)?.();
      await turn();
    }
  };
  const names = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name}${index}`);

  it("starts first in, first out, and leaves slots to call-outs when nothing else waits", async () => {
    open({ concurrency: 1 });
    await callOut("c1", "c2");
    await add("other", "o1", "o2");
    deepStrictEqual(started, ["c1"]);
    await end("c1", "o1");
    deepStrictEqual(started, ["c1", "o1", "o2"]);
    await end("o2");
    deepStrictEqual(started, ["c1", "o1", "o2", "c2"]);
  });

  it("leaves a quarter of the slots, rounded down, to other requests", async () => {
    deepStrictEqual([1, 3, 4, 7, 8, 16, 256].map(callOutShare), [1, 3, 3, 6, 6, 12, 192]);
    open({ concurrency: 8 });
    await callOut(...names("c", 10));
    await add("other", ...names("o", 10));
    deepStrictEqual(started, [...names("c", 6), ...names("o", 2)]);
    strictEqual(client.lanes.inFlight, 8);
  });

  it("the other lane may use every place", async () => {
    open({ concurrency: 8 });
    await add("other", ...names("o", 20));
    await callOut("c1");
    deepStrictEqual(started, names("o", 8));
  });

  it("a backlog of 0 accepts jobs that can start immediately, and none that must wait", async () => {
    open({ concurrency: 1, backlog: 0 });
    await add("other", "o1", "o2");
    await end("o1");
    await add("other", "o3");
    deepStrictEqual([started, refused], [["o1", "o3"], ["o2"]]);
  });

  it("a backlog of 2 is shared with the call-outs", async () => {
    open({ concurrency: 1, backlog: 2 });
    await callOut("c1", "c2");
    await add("other", "o1", "o2");
    deepStrictEqual([refused, client.lanes.waiting.other], [["o2"], 1]);
  });

  it("256 MiB may wait, with the call-outs", async () => {
    open({ concurrency: 1 });
    await add("other", "first");
    const body = (bytes: number) => ({ callId: "x".repeat(bytes - '{"callId":""}'.length) });
    const request = {
      ...(callStop("").request as Extract<Job["request"], { method: "POST" }>),
      body: body(256 * 1024),
    };
    for (const [lane, count] of [["callOut", 800] as const, ["live", 223] as const, ["other", 2] as const]) {
      for (const id of names(lane, count)) submit(lane, id, { request });
      await turn();
    }
    const { waiting, bytes } = client.lanes;
    deepStrictEqual([refused, waiting, bytes], [["other1"], { callOut: 800, other: 224 }, 800 * 256 * 1024]);
  });

  it("actions on live calls start before the rest, first in, first out, and count with it", async () => {
    open({ concurrency: 1 });
    await add("other", "o1", "o2");
    await add("live", "l1", "l2");
    strictEqual(client.lanes.waiting.other, 3);
    await end("o1", "l1", "l2");
    deepStrictEqual(started, ["o1", "l1", "l2", "o2"]);
  });

  it("begin anew with other limits: nothing starts before they are opened, then every place is free", async () => {
    open({ concurrency: 1 });
    await add("other", "o1", "o2", "o3", "o4");
    const reopen = renew({ concurrency: 2, backlog: 1 });
    await callOut("c1");
    await end("o1");
    deepStrictEqual(started, ["o1"]);
    await reopen();
    deepStrictEqual(started, ["o1", "o2", "o3"]);
    await add("other", "o5");
    deepStrictEqual(refused, ["c1", "o5"]);
  });

  it("ends the jobs that are meant, and keeps the order of the others", async () => {
    open({ concurrency: 1 });
    const nodeId = "gone";
    await add("other", "o1");
    submit("other", "a1", { nodeId });
    await add("other", "b1");
    for (const [lane, id] of [["other", "a2"] as const, ["live", "a3"] as const]) submit(lane, id, { nodeId });
    await add("live", "b2");
    strictEqual((await client.end({ deleted: true })).cancelled, 3);
    deepStrictEqual(refused.sort(), ["a1", "a2", "a3"]);
    await end("o1", "b2");
    deepStrictEqual(started, ["o1", "b2", "b1"]);
  });

  it("thousands that end as they start do not pile up on the stack", async () => {
    open({ concurrency: 1, backlog: 1_000_000 });
    const reopen = renew({});
    for (const id of names("late", 20_000)) submit("other", id, { notAfter: 1 });
    await turn();
    await reopen();
    deepStrictEqual([refused.length, client.lanes.inFlight], [20_000, 0]);
  });
});
