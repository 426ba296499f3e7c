import assert from "node:assert/strict";
import type { LookupFunction } from "node:net";
import { Backlog } from "../../../src/backlog";
import { type ClientOptions, type JobResult, TenantClient } from "../../../src/client";
import { restoring } from "../../support/backlog/stage";
import { until } from "../../support/stage";
import { withServer } from "./stage";
import { callOut, callStop, clientFor, close, done, optionsFor, read, watched } from "./subject";

/** Calling hours that begin and end when a test says so. */
class Hours {
  isOpen = true;
  readonly opensAt = null;
  readonly today = "";
  readonly problem = undefined;
}

/** A lookup that each connection waits for, until it is released. */
class SlowLookup {
  asked = 0;
  #waiting: (() => void)[] = [];
  #isHeld = true;
  readonly lookup: LookupFunction = (_name, options, found) => {
    this.asked += 1;
    const answer = () =>
      options.all ? found(null, [{ address: "127.0.0.1", family: 4 }]) : found(null, "127.0.0.1", 4);
    if (this.#isHeld) this.#waiting.push(answer);
    else setImmediate(answer);
  };
  release(): void {
    this.#isHeld = false;
    for (const answer of this.#waiting.splice(0)) answer();
  }
}

describe("calling hours at the moment of sending", () => {
  const held = withServer();
  const requests = () => held.server.ledger.requests.filter(({ method }) => method === "POST").length;
  const byName = () => held.server.url.replace("127.0.0.1", "localhost");

  const slowly = (more: Partial<ClientOptions> = {}) => {
    const [hours, slow] = [new Hours(), new SlowLookup()];
    const client = clientFor(byName(), { callingHours: hours, lookup: slow.lookup, ...more });
    return { hours, slow, client };
  };

  it("a call whose hours end while it connects waits again, and leaves when they begin", async () => {
    const { hours, slow, client } = slowly();
    const seen: string[] = [];
    const result = watched(client, callOut("1"), ({ stage }) => void seen.push(stage));
    await until(() => slow.asked > 0, "it connects");
    hours.isOpen = false;
    client.hoursChanged();
    slow.release();
    await until(() => client.lanes.waiting.callOut === 1, "it waits again");
    // Whatever was to leave has left before a further request comes back.
    assert.equal((await client.send(read("1"))).ok, true);
    assert.equal(requests(), 0);
    assert.deepEqual(seen.slice(-2), ["asking", "queued"]);
    hours.isOpen = true;
    client.hoursChanged();
    assert.equal((await result).ok, true);
    assert.equal(requests(), 1);
    await close(client);
  });

  it("it keeps its place before those that were accepted later", async () => {
    const { hours, slow, client } = slowly({ concurrency: 1 });
    const results = [client.send(callOut("1")), client.send(callOut("2"))];
    await until(() => slow.asked > 0, "the first connects");
    hours.isOpen = false;
    slow.release();
    await until(() => client.lanes.waiting.callOut === 2, "both wait");
    hours.isOpen = true;
    client.hoursChanged();
    await Promise.all(results);
    assert.deepEqual(
      held.server.ledger.requests.map(({ body }) => JSON.parse(String(body))["to.number"]),
      ["1", "2"],
    );
    await close(client);
  });

  it("a call for any time, and any other request, leave though hours have ended", async () => {
    const { hours, slow, client } = slowly();
    const results = [client.send(callOut("1", { anytime: true })), client.send(callStop("c"))];
    await until(() => slow.asked > 0, "they connect");
    hours.isOpen = false;
    slow.release();
    assert.deepEqual(
      (await Promise.all(results)).map(({ ok }) => ok),
      [true, true],
    );
    await close(client);
  });

  it("a call that an earlier process accepted waits again, too, and is told once", async () => {
    const [hours, slow] = [new Hours(), new SlowLookup()];
    const { request, notAfter: _, ...job } = callOut("1");
    const body = JSON.stringify(request.method === "POST" ? request.body : {});
    const content = JSON.stringify({ job, path: request.path, body, at: Date.now(), kept: null });
    const waiting = [{ id: "e1", nodeId: "node", size: 60, content }];
    const options = { ...optionsFor(byName()), callingHours: hours, lookup: slow.lookup };
    const ends: JobResult[] = [];
    const client = new TenantClient(options, Promise.resolve(new Backlog(restoring({ waiting }))), () => ({
      isDeleted: () => false,
      onOrphanedResult: (_orphan, result) => ends.push(result),
      onUnreportedOutcome: () => {},
    }));
    await until(() => slow.asked > 0, "it connects");
    hours.isOpen = false;
    slow.release();
    await until(() => client.lanes.waiting.callOut === 1, "it waits again");
    assert.deepEqual([requests(), ends.length], [0, 0]);
    hours.isOpen = true;
    client.hoursChanged();
    await until(() => ends.length > 0, "it has ended");
    assert.deepEqual([requests(), ends.map(({ ok }) => ok)], [1, [true]]);
    await close(client);
  });

  it("a client served without calling hours lets go at once", async () => {
    const hours = new Hours();
    hours.isOpen = false;
    const client = clientFor(held.server.url, { callingHours: hours });
    const result = done(client, callOut("1"));
    await until(() => client.lanes.waiting.callOut === 1, "it waits");
    client.serve(optionsFor(held.server.url));
    assert.equal((await result).ok, true);
    await close(client);
  });
});
