import assert from "node:assert/strict";
import { ask, sandboxForEach, token, visit } from "../visit";
import { controlsOf, TALK } from "./controls";

const HOURS = "/api/v1/setting/business-hour";

describe("sandbox: controls", () => {
  const sandbox = sandboxForEach();
  const { press, pressed, view, place } = controlsOf(sandbox);

  it("answer, decline and hang up, each where that is possible", async () => {
    await pressed("settings", { answers: "ask" });
    await place();
    const [call] = (await view()).calls;
    const body = { callId: call?.callId };
    assert.equal(call?.phone?.state, "ringing");
    assert.deepEqual(call?.phone?.spoken, [{ text: "Hello", voice: "banmai", times: 1 }]);
    assert.equal((await press("hang-up", body)).status, 422);
    await pressed("answer", body);
    assert.equal((await press("decline", body)).status, 422);
    await pressed("hang-up", body);
    assert.equal((await view()).calls[0]?.state, "ended");
    assert.equal((await press("answer", {})).status, 422);
    assert.equal((await press("answer", { callId: "nobody" })).status, 422);
  });

  it("are refused to other pages, and to what is no JSON", async () => {
    const { epoch } = await view();
    const origins = ["http://evil.example", "null", `http://127.0.0.1:${sandbox().port + 1}`].map((origin) => ({
      origin,
    }));
    for (const headers of [...origins, { "content-type": "text/plain" }])
      for (const name of ["settings", "faults", "calls", "clear", "reset", "again", "answer", "decline", "hang-up"])
        assert.ok([403, 415].includes((await press(name, {}, headers as Record<string, string>)).status), name);
    assert.equal((await view()).epoch, epoch);
  });

  it("show what has changed since a revision, and tell when there is more", async () => {
    await place();
    const first = await view();
    assert.deepEqual([first.calls.length, first.requests.length, first.counts.calls], [1, 1, 1]);
    assert.deepEqual((await view(first.revision)).requests, []);
    const waiting = visit(`${sandbox().url}/sandbox/changes?since=${(await view()).revision}`);
    await place();
    assert.ok(Number((await waiting).json["revision"]) > first.revision);
    const second = await view(first.revision);
    assert.deepEqual(
      second.requests.map(({ number }) => number),
      [2],
    );
    assert.ok(second.calls.some(({ callId }) => callId === "sandbox-2"));
  });

  it("show everything to a page that knows an earlier sandbox", async () => {
    await place();
    const { revision, calls, requests } = await view(1_000_000);
    assert.deepEqual([calls.length, requests.length], [1, 1]);
    const { json } = await visit(`${sandbox().url}/sandbox/changes?since=1000000`);
    assert.ok(Number(json["revision"]) >= revision && Number(json["revision"]) < 1_000_000);
  });

  it("clear what was shown, and reset everything", async () => {
    await pressed("settings", { answers: "nobody", ringSeconds: 1 });
    await ask(sandbox(), "DELETE", `${HOURS}/1`);
    await place();
    const { epoch } = await view();
    await pressed("clear");
    const cleared = await view();
    assert.deepEqual([cleared.calls, cleared.requests], [[], []]);
    assert.notEqual(cleared.epoch, epoch);
    assert.deepEqual([cleared.settings.answers, cleared.schedules.length], ["nobody", 1]);
    await pressed("faults", { times: 5, status: 503 });
    await pressed("reset");
    assert.equal((await ask(sandbox(), "GET", HOURS)).status, 200);
    const reset = await view();
    assert.deepEqual([reset.settings.answers, reset.settings.ringSeconds], ["everybody", 30]);
    assert.deepEqual(
      reset.schedules.map(({ name }) => name),
      ["Office", "Support 24/7"],
    );
  });

  it("refuse settings that make no sense, with a sentence that names the field, and keep nothing of them", async () => {
    const before = (await view()).settings;
    for (const [body, field] of [
      [{ answers: "sometimes" }, "answers"],
      [{ hosts: ["http://a"] }, "hosts.0"],
      [{ hosts: "a" }, "hosts"],
      [{ incoming: { headers: [{ name: "a b", value: "" }] } }, "incoming.headers.0.name"],
      [{ incoming: { headers: [{ name: "a", value: "x\r\ny" }] } }, "incoming.headers.0.value"],
      [{ incoming: { headers: [{}] } }, "incoming.headers.0.name"],
      [{ incoming: { headers: [{ name: "a" }] } }, "incoming.headers.0.value"],
      [{ incoming: { headers: [null] } }, "incoming.headers.0"],
      [{ incoming: { headers: [{ name: "a", value: "", more: 1 }] } }, "incoming.headers.0.more"],
      [{ incoming: { headers: Array(51).fill({ name: "a", value: "" }) } }, "incoming.headers"],
      [{ incoming: { webhook: "x".repeat(2001) } }, "incoming.webhook"],
      [{ incoming: { from: { number: "1" } } }, "incoming.from"],
      [{ incoming: { note: "x" } }, "incoming.note"],
      [{ incoming: null }, "incoming"],
      [{ phones: [] }, "phones"],
      [{ phones: { "*02": "explodes" } }, "phones.\\*02"],
      [{ phones: { "*02": null } }, "phones.\\*02"],
      [{ phones: { "*41": { status: 99 } } }, "phones.\\*41.status"],
      [{ phones: { "*41": { status: 401, note: "x" } } }, "phones.\\*41.note"],
      [{ phones: { "0*": "answers" } }, "phones.0\\*"],
      [{ phones: Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`*${n}`, "answers"])) }, "phones"],
      [{ mix: { answers: 1.5 } }, "mix.answers"],
      [{ mix: { answers: 0.7, declines: 0.4 } }, "mix"],
      [{ mix: { explodes: 0.1 } }, "mix.explodes"],
      [{ seed: -1 }, "seed"],
      [{ answers: "ask", more: "x".repeat(1_000_000) }, "more"],
    ] as const) {
      const { status, json } = await press("settings", body);
      assert.equal(status, 422, JSON.stringify(body));
      assert.match(String(json["message"]), new RegExp(`The ${field} `), JSON.stringify(body));
    }
    for (const name of ["calls", "faults"]) {
      const { status, json } = await press(name, { times: 1, note: { deep: "x" } });
      assert.equal(status, 422, name);
      assert.match(String(json["message"]), /The (incoming\.)?note field is not known here\./);
    }
    assert.deepEqual([(await view()).settings, (await view()).calls], [before, []]);
  });

  it("refuse calls to numbers whose phone is a status", async () => {
    const phones = { "*41": { status: 401 }, "*29": { status: 429, retryAfter: 30 } };
    await pressed("settings", { phones });
    const refused = await place({ "to.number": "090 41", actions: TALK });
    assert.equal(refused.status, 401);
    const nested = { from: { type: "internal", number: "9" }, to: { type: "external", number: "0129" }, actions: TALK };
    const limited = await ask(sandbox(), "POST", "/api/v1/call/call-out", nested);
    assert.deepEqual([limited.status, limited.headers["retry-after"]], [429, "30"]);
    assert.deepEqual((await view()).calls, []);
    assert.deepEqual((await view()).settings.phones, phones);
    await pressed("settings", { phones: {} });
    assert.equal((await place({ "to.number": "41", actions: TALK })).status, 200);
  });

  it("give the same calls again when the seed is given again", async () => {
    const settings = { answers: "ask", mix: { declines: 0.5, "never answers": 0.5 }, seed: 7 };
    const run = async () => {
      await pressed("settings", settings);
      for (let count = 0; count < 12; count++) await place();
      return sandbox()
        .state.calls.newest(12)
        .map(({ callId }) => sandbox().state.phones.of(callId)?.behaviour);
    };
    const behaviours = await run();
    assert.deepEqual(new Set(behaviours), new Set(["declines", "never answers"]));
    await pressed("clear");
    assert.deepEqual(await run(), behaviours);
    assert.deepEqual(await run(), behaviours);
  });

  it("name the node that asks", async () => {
    const headers = { Authentication: `Bearer ${token}`, "x-telephony-node": "abc.1" };
    await visit(sandbox().url + HOURS, { headers });
    await visit(sandbox().url + HOURS, { headers: { ...headers, "x-telephony-node": "<script>" } });
    assert.deepEqual(
      (await view()).requests.map(({ node }) => node),
      ["abc.1", undefined],
    );
  });
});
