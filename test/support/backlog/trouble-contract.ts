import assert from "node:assert/strict";
import { createServer, type ServerResponse } from "node:http";
import { Backlog } from "../../../src/backlog";
import { type ClientOptions, type Job, listWaiting, type RestoreHandler, TenantClient } from "../../../src/client";
import { callOut, failureOf, optionsFor } from "../../unit/client/subject";
import { end, listen } from "../loopback";
import { freePort } from "../process/free-port";
import { until } from "../until";
import type { Engine } from "./stage";

const OK = '{"success":true,"code":200,"locale":"en","message":"OK","data":null}';
type Answer = (response: ServerResponse) => void;
const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(code, { "content-type": "application/json", ...headers }).end("{}");
const good: Answer = (response) => response.setHeader("content-type", "application/json").end(OK);
const lost: Answer = (response) => response.destroy();
const page: Answer = (response) => response.writeHead(502).end("<h1>Bad gateway</h1>");

/** Call-outs at once, of a concurrency of 8. */
const PLACES = 6;

/** Tests what call-outs do while the service fails, with any engine. */
export function troubleContract(engine: Engine): void {
  /** The answer to a call-out to a number. */
  let answer: (number: string) => Answer;
  /** The answer to a probe. */
  let read: Answer;
  /** Numbers of call-outs, as they arrived. */
  let received: string[];
  let placed: string[];
  let probes: number;
  let port: number;
  let server: ReturnType<typeof createServer>;
  const clients: TenantClient[] = [];

  const open = async (more: Partial<ClientOptions> = {}, again = false) => {
    const store = await (again && engine.durable ? engine.durable.reopen() : engine.open());
    const options = { ...optionsFor(`http://127.0.0.1:${port}`), onTrouble: "wait", ...more } as const;
    const restored: RestoreHandler = {
      isDeleted: () => false,
      onOrphanedResult: ({ job }, result) => void ended.push([job.id, result.ok ? "ok" : result.error.code]),
      onUnreportedOutcome: () => {},
    };
    const client = new TenantClient(options, new Backlog(store), () => restored);
    clients.push(client);
    return client;
  };
  let ended: [number: string, code: string][];
  /** Sends call-outs, and notes how they end. */
  const campaign = (client: TenantClient, count: number, more: Partial<Job> = {}) =>
    Promise.all(
      Array.from({ length: count }, async (_, n) => {
        const result = await client.send(callOut(String(n + 1), more));
        ended.push([String(n + 1), result.ok ? "ok" : result.error.code]);
        return result;
      }),
    );
  const isHeld = (client: TenantClient) => client.lanes.heldUntil !== undefined && client.lanes.inFlight === 0;
  const prove = (client: TenantClient) => client.send(callOut("first")).then(({ ok }) => assert.ok(ok));
  /** The test ends each hold, and waits for no probe. */
  const endHolds = (client: TenantClient) =>
    client.follow({
      changed: () => void (client.lanes.heldUntil !== undefined && setImmediate(() => client.hold(false))),
    });
  const numbers = (count: number) => Array.from({ length: count }, (_, n) => String(n + 1));

  beforeEach(async () => {
    [received, placed, ended, probes] = [[], [], [], 0];
    answer = () => good;
    read = good;
    server = createServer((request, response) => {
      // A connection that is used again may just have been closed.
      response.shouldKeepAlive = false;
      let text = "";
      request.on("data", (chunk) => (text += String(chunk)));
      request.on("end", () => {
        if (request.method === "GET") {
          probes += 1;
          return read(response);
        }
        const number = String((JSON.parse(text) as Record<string, unknown>)["to.number"]);
        received.push(number);
        const act = answer(number);
        if (act === good) placed.push(number);
        act(response);
      });
    });
    port = await listen(server, await freePort());
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.stop(0)));
    if (server.listening) await end(server);
  });

  const UNKNOWN = { "503": status(503), "500": status(500), "a 502 page": page, "lost answers": lost };
  for (const [what, trouble] of Object.entries(UNKNOWN))
    it(`${what}: three calls at most, and those in flight with the first, are used up`, async () => {
      const client = await open();
      answer = () => trouble;
      const all = campaign(client, 24);
      await until(() => isHeld(client) && client.lanes.waiting.callOut === 24 - received.length);
      assert.ok(received.length >= 3 && received.length <= 3 + PLACES - 1, String(received));
      const used = new Set(received);
      answer = () => good;
      client.hold(false);
      await all;
      assert.deepEqual(new Set([...used, ...placed]).size, 24);
      assert.equal(used.size + placed.length, 24);
    });

  const UNDONE = {
    "401": status(401),
    "429": status(429),
    "503 with Retry-After": status(503, { "retry-after": "1" }),
  };
  for (const [what, trouble] of Object.entries(UNDONE).slice(0, 2))
    it(`${what} in a campaign: each call is placed once, and one that was refused behind the others`, async () => {
      const client = await open({ concurrency: 1 });
      await prove(client);
      const all = campaign(client, 24);
      let isFailing = true;
      answer = (number) => (isFailing && Number(number) > 6 ? trouble : good);
      await until(() => isHeld(client));
      isFailing = false;
      client.hold(false);
      assert.ok((await all).every(({ ok }) => ok));
      // Those that were refused go behind their like.
      const refused = what === "401" ? 9 : 7;
      assert.deepEqual(placed, ["first", ...numbers(6), ...numbers(24).slice(refused), ...numbers(refused).slice(6)]);
    });

  it("503 with Retry-After: one call is used up, and the time counts", async () => {
    const client = await open({ concurrency: 1 });
    answer = () => UNDONE["503 with Retry-After"];
    const all = campaign(client, 5);
    await until(() => isHeld(client));
    answer = () => good;
    await all;
    assert.deepEqual([received, probes], [numbers(5), 1]);
    assert.deepEqual(ended[0], ["1", "ERR_SERVER"]);
  });

  it("403 for good: one call a try", async () => {
    const client = await open();
    answer = () => status(403);
    void campaign(client, 24);
    await until(() => isHeld(client));
    for (let tries = 0, before = received.length; tries < 4; tries += 1) {
      client.hold(false);
      await until(() => isHeld(client) && received.length > before);
      assert.equal(received.length, before + 1);
      before += 1;
    }
  });

  it("a call that is refused for the fourth time fails, and holds no other one", async () => {
    const client = await open({ concurrency: 1 });
    await prove(client);
    answer = (number) => (number === "3" ? status(401) : good);
    endHolds(client);
    await campaign(client, 6);
    assert.deepEqual(ended.map(([, code]) => code).sort(), ["ERR_AUTH", "ok", "ok", "ok", "ok", "ok"]);
    assert.equal(received.filter((number) => number === "3").length, 4);
  });

  it("a call that all others share the refusal of waits until the tenant allows no more", async () => {
    const client = await open({ concurrency: 1, waitAtMostMs: 0 });
    await prove(client);
    answer = () => status(401);
    const all = campaign(client, 2);
    endHolds(client);
    await until(() => received.length > 2 * 5);
    assert.deepEqual(ended, []);
    answer = () => good;
    assert.ok((await all).every(({ ok }) => ok));
  });

  it("the Retry-After of one number holds that call alone, which waits for trouble until then", async () => {
    const client = await open();
    await prove(client);
    answer = (number) => (number === "1" ? status(429, { "retry-after": "3600" }) : good);
    const before = Date.now();
    void campaign(client, 20);
    await until(() => ended.length === 19);
    assert.deepEqual([ended.every(([, code]) => code === "ok"), probes], [true, 0]);
    const { heldUntil = 0, reason } = client.lanes;
    assert.ok(heldUntil >= before - 1 + 3_600_000 && heldUntil < Date.now() + 3_600_000, String(heldUntil));
    assert.deepEqual(
      [(await listWaiting(client, { limit: 9, offset: 0 }))[0]?.waitsFor, reason],
      ["trouble", undefined],
    );
    answer = () => good;
    client.hold(false);
    await until(() => ended.length === 20);
  });

  const READS = { ...UNKNOWN, ...UNDONE, "403": status(403), "no answer": () => {} };
  for (const [what, failing] of Object.entries(READS))
    it(`reads fail (${what}) where calls work: one refusal and one lost answer stop no campaign`, async () => {
      const client = await open({ concurrency: 1 });
      await prove(client);
      read = failing as Answer;
      const troubles = [status(429), lost];
      answer = () => troubles.pop() ?? good;
      const all = campaign(client, 6);
      await all;
      assert.deepEqual(
        ended.map(([, code]) => code).filter((code) => code !== "ok"),
        ["ERR_CONNECTION_LOST"],
      );
      assert.deepEqual([placed.length, probes], [6, 0]);
    });

  it("after as long as the tenant allows, a call fails, nothing was sent, and its key is free", async () => {
    const client = await open({ waitAtMostMs: 1 });
    answer = () => status(429, { "retry-after": "3600" });
    const deduplication = { key: "once", forMs: 60_000 };
    const { code, key, sent, outcome, retryable, params } = await failureOf(client, callOut("1", { deduplication }));
    const since = Date.parse(String(params["since"]));
    assert.deepEqual([code, key], ["ERR_RATE_LIMITED", "serviceFails"]);
    assert.deepEqual(
      [sent, outcome, retryable, Math.abs(since - Date.now()) < 60_000],
      ["no", "not-applied", true, true],
    );
    answer = () => good;
    client.hold(false);
    assert.ok((await client.send(callOut("1", { deduplication }))).ok);
    assert.deepEqual(placed, ["1"]);
  });

  it("a call whose time passes meanwhile has expired", async () => {
    const client = await open();
    answer = () => status(429, { "retry-after": "3600" });
    await campaign(client, 1, { notAfter: Date.now() + 500 });
    assert.deepEqual(ended, [["1", "ERR_EXPIRED"]]);
  });

  it("where others fail, rows of lists wait, also for a token that has never worked", async () => {
    const client = await open({ onTrouble: "fail" });
    answer = () => status(401);
    const rows = campaign(client, 3, { list: "a" });
    await until(() => isHeld(client));
    assert.equal((await failureOf(client, callOut("new"))).code, "ERR_AUTH");
    answer = () => good;
    client.hold(false);
    assert.ok((await rows).every(({ ok }) => ok));
  });

  it("rows of lists wait for longer than the tenant allows", async () => {
    const client = await open({ waitAtMostMs: 1 });
    answer = () => status(429, { "retry-after": "3600" });
    const row = campaign(client, 1, { list: "a" });
    assert.equal((await failureOf(client, callOut("new"))).key, "serviceFails");
    await until(() => client.lanes.waiting.callOut === 1);
    assert.deepEqual(ended, []);
    answer = () => good;
    client.hold(false);
    assert.ok((await row).every(({ ok }) => ok));
  });

  for (const [rows, isLast] of [
    [1, true],
    [2, false],
  ] as const)
    it(`the fourth refusal ${isLast ? "ends the last row of a list" : "ends no row of a list while another one waits, which may get through"}`, async () => {
      const client = await open({ concurrency: 1 });
      await prove(client);
      answer = () => status(401);
      const all = campaign(client, rows, { list: "a" });
      endHolds(client);
      await until(() => ended.length === 1 || received.length > 2 * 5);
      assert.deepEqual([ended, received.length === 5], isLast ? [[["1", "ERR_AUTH"]], true] : [[], false]);
      answer = () => good;
      assert.ok(isLast || (await all).every(({ ok }) => ok));
    });

  it("where others fail, alarms wait, until one of them gets through", async () => {
    const client = await open({ onTrouble: "fail" });
    await prove(client);
    answer = () => status(503, { "retry-after": "3600" });
    assert.ok(!(await client.send(callOut("new"))).ok);
    const alarm = campaign(client, 1, { alarm: true });
    await until(() => isHeld(client));
    answer = () => good;
    assert.ok((await client.send(callOut("newer"))).ok);
    await until(() => placed.length === 3);
    assert.ok((await alarm).every(({ ok }) => ok));
  });

  it("where others fail, a hold goes on while an alarm tries", async () => {
    const client = await open({ onTrouble: "fail" });
    await prove(client);
    answer = () => status(429);
    const alarm = campaign(client, 1, { alarm: true });
    await until(() => isHeld(client));
    const reasons = new Set<string | undefined>();
    client.follow({ changed: () => void reasons.add(client.lanes.reason) });
    client.hold(false);
    await until(() => received.length === 3 && isHeld(client));
    assert.deepEqual([...reasons], ["ERR_RATE_LIMITED"]);
    answer = () => good;
    client.hold(false);
    assert.ok((await alarm).every(({ ok }) => ok));
  });

  it("a call that alone waits, refused with a shorter time than the hold lasts, waits for the latter", async () => {
    const client = await open({ concurrency: 1 });
    await prove(client);
    answer = () => status(429);
    void campaign(client, 1);
    await until(() => isHeld(client) && client.lanes.heldUntil !== undefined);
    answer = () => status(429, { "retry-after": "1" });
    for (const more of [3, 4, 5]) {
      client.hold(false);
      await until(() => received.length === more && isHeld(client));
    }
    const heldUntil = await client.ask(({ service }) => service.wall(service.trouble.until));
    assert.equal(client.lanes.heldUntil, heldUntil);
  });

  it("without a success so far, what meets no connection or a 401 fails, and holds nothing, but for alarms", async () => {
    const client = await open();
    answer = () => status(401);
    await campaign(client, 4);
    await end(server);
    await campaign(client, 4);
    assert.deepEqual([ended.length, client.lanes.heldUntil], [8, undefined]);
    const alarm = campaign(client, 1, { alarm: true });
    await until(() => isHeld(client));
    await listen(server, port);
    answer = () => good;
    client.hold(false);
    assert.ok((await alarm).every(({ ok }) => ok));
  });

  /** Lets a call be refused when the test says so. */
  const refusedLater = () => {
    const held: ServerResponse[] = [];
    answer = () => (response) => void held.push(response);
    return { held, refuse: () => held.splice(0).forEach(status(429)) };
  };

  it("a call that is refused after a drop does not wait again", async () => {
    const client = await open({ concurrency: 1 });
    await prove(client);
    const { held, refuse } = refusedLater();
    const all = campaign(client, 3);
    await until(() => held.length === 1 && client.lanes.waiting.callOut === 2);
    assert.equal((await client.end({})).cancelled, 2);
    answer = () => good;
    refuse();
    await all;
    assert.deepEqual(
      ended.map(([, code]) => code),
      ["ERR_DROPPED", "ERR_DROPPED", "ERR_DROPPED"],
    );
    assert.deepEqual(placed, ["first"]);
  });

  if (engine.durable)
    it("a call that is refused during a stop waits for the next start", async () => {
      const before = await open();
      await prove(before);
      const { held, refuse } = refusedLater();
      void campaign(before, 1);
      await until(() => held.length === 1);
      const stopped = before.stop(60_000);
      refuse();
      await stopped;
      answer = () => good;
      await open({}, true);
      await until(() => ended.length > 0);
      assert.deepEqual([ended, placed], [[["1", "ok"]], ["first", "1"]]);
    });

  if (engine.durable)
    for (const onTrouble of ["wait", "fail"] as const)
      it(`without a network after the start, what was restored waits, with "${onTrouble}"`, async () => {
        const before = await open();
        await prove(before);
        before.hold(true);
        void campaign(before, 12);
        await until(() => before.lanes.waiting.callOut === 12);
        before.hold = () => {};
        await before.stop(0);
        await end(server);
        [placed, ended] = [[], []];
        const client = await open({ onTrouble, concurrency: 1 }, true);
        await until(() => client.lanes.waiting.callOut === 12);
        client.hold(false);
        await until(() => isHeld(client));
        if (onTrouble === "fail") await failureOf(client, callOut("new"));
        await listen(server, port);
        client.hold(false);
        await until(() => ended.length === 12);
        assert.deepEqual(placed, numbers(12));
        assert.ok(ended.every(([, code]) => code === "ok"));
      });
}
