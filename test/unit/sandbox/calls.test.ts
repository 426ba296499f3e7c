import assert from "node:assert/strict";
import { CallStore, type SandboxCall } from "../../../src/sandbox/service/calls";
import { Changes } from "../../../src/sandbox/service/changes";
import { CALL_REQUESTS, nested } from "../../interface/requests";
import { accepts, ask, ok, refuses, sandboxForEach } from "./visit";

const stop = "/api/v1/call/stop-a-call";
const transfer = "/api/v1/call/transfer";
const advance = "/api/v1/call/transfer/advance";
const addUser = "/api/v1/call/add-user";
const callOut = "/api/v1/call/call-out";

const dottedCallOut = {
  "from.type": "internal",
  "from.number": "19001234",
  "from.alias": "Hotline",
  "to.type": "external",
  "to.number": "0000000000",
  "to.alias": "Customer",
  actions: [{ action: "talk", text: "Good morning", voice: "banmai", speed: -1, loop: "2", pause: 5 }],
};

/** The record without the instants, which no test can know. */
function plain(calls: readonly SandboxCall[]): unknown {
  return calls.map((call) => ({ ...call, events: call.events.map(({ at: _at, ...event }) => event) }));
}

describe("sandbox: call actions", () => {
  const sandbox = sandboxForEach();

  for (const { title, path, body } of CALL_REQUESTS) {
    it(`accepts the interface's request for ${title}, and records it`, async () => {
      for (const spelling of [body, nested(body)]) {
        const { status, json } = await ask(sandbox(), "POST", path, spelling);
        assert.notEqual(status, 404, `src/sandbox/service/call-actions.ts has no row for ${path}`);
        assert.deepEqual(json, ok(null));
        const { at: _at, action, ...event } = sandbox().state.calls.newest().at(-1)?.events.at(-1) ?? {};
        const { callId: _callId, ...fields } = nested(body);
        assert.deepEqual([`/api/v1/call/${action}`, event], [path, fields]);
      }
    });
  }

  it("places a call", async () => {
    const { headers } = await ask(sandbox(), "POST", callOut, dottedCallOut);
    assert.equal(headers["content-type"], "application/json");
    const { from, to, actions } = nested(dottedCallOut);
    assert.deepEqual(plain(sandbox().state.calls.newest()), [
      {
        callId: "sandbox-1",
        state: "ongoing",
        direction: "outbound",
        from,
        to,
        actions,
        events: [{ action: "call-out", from, to, actions }],
      },
    ]);
    assert.match(sandbox().state.calls.newest()[0]?.events[0]?.at ?? "", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  });

  it("places a call that an answer address drives", async () => {
    const { actions: _, ...body } = dottedCallOut;
    await accepts(sandbox(), "POST", callOut, { ...body, answer_url: "https://example.com/answer" });
    assert.equal(sandbox().state.calls.newest()[0]?.answer_url, "https://example.com/answer");
    assert.ok(!("actions" in (sandbox().state.calls.newest()[0] ?? {})));
  });

  const TAKEN: readonly (readonly [path: string, more: object])[] = [
    ...["x", "0", "-1", "1.5"].map((loop) => [callOut, { actions: [{ action: "talk", loop }] }] as const),
    ...["acme/answer", "ftp://acme.example.com/", "http:acme"].map((answer_url) => [callOut, { answer_url }] as const),
    ...["sip:ada@acme.example.com", "0901 ABC", "ext"].map((number) => [callOut, { "to.number": number }] as const),
    [callOut, { "from.number": "Hotline" }],
    [transfer, { callId: "c1", "to.number": "u-7" }],
    [addUser, { callId: "c1", "to.number": "u-7" }],
  ];
  for (const [path, more] of TAKEN) {
    it(`takes what the interface does not rule out: ${path} ${JSON.stringify(more)}`, () =>
      accepts(sandbox(), "POST", path, { ...dottedCallOut, ...more }));
  }

  it("gives each placed call a unique id, also after invented ids", async () => {
    await ask(sandbox(), "POST", stop, { callId: "sandbox-2" });
    for (let i = 0; i < 3; i++) await ask(sandbox(), "POST", callOut, dottedCallOut);
    assert.deepEqual(
      sandbox()
        .state.calls.newest()
        .map(({ callId }) => callId),
      ["sandbox-2", "sandbox-1", "sandbox-3", "sandbox-4"],
    );
  });

  it("treats an unknown id as an ongoing call, until it is stopped", async () => {
    const transferred = { callId: "c1", fromUserId: "7", "to.type": "internal", "to.number": "12" };
    await accepts(sandbox(), "POST", transfer, transferred);
    assert.equal(sandbox().state.calls.newest()[0]?.state, "ongoing");
    await accepts(sandbox(), "POST", stop, { callId: "c1" });
    assert.deepEqual(plain(sandbox().state.calls.newest()), [
      {
        callId: "c1",
        state: "ended",
        direction: "unknown",
        from: null,
        to: null,
        events: [
          { action: "transfer", fromUserId: "7", to: { type: "internal", number: "12" } },
          { action: "stop-a-call" },
        ],
      },
    ]);
  });

  it("records an action on a call that has ended", async () => {
    await ask(sandbox(), "POST", stop, { callId: "c1" });
    await ask(sandbox(), "POST", addUser, { callId: "c1", "to.type": "external", "to.number": "0" });
    const [call] = sandbox().state.calls.newest();
    assert.equal(call?.state, "ended");
    assert.deepEqual(
      call?.events.map(({ action }) => action),
      ["stop-a-call", "add-user"],
    );
  });

  it("keeps the newest hundred events of a call", async () => {
    for (let i = 1; i <= 101; i++) {
      await ask(sandbox(), "POST", transfer, { callId: "c1", "to.type": "internal", "to.number": String(i) });
    }
    const numbers = sandbox()
      .state.calls.newest()[0]
      ?.events.map(({ to }) => (to as { number: string }).number);
    assert.equal(numbers?.length, 100);
    assert.equal(numbers?.[0], "2");
    assert.equal(numbers?.[99], "101");
  });

  it("keeps the newest ten thousand calls", () => {
    const calls = new CallStore(new Changes());
    for (let i = 1; i <= 10_001; i++) calls.act(`c${i}`, "stop-a-call", {}, true);
    const kept = calls.newest();
    assert.equal(kept.length, 10_000);
    assert.equal(kept[0]?.callId, "c2");
    assert.equal(kept[9_999]?.callId, "c10001");
    calls.act("c1", "transfer", {}, false);
    assert.equal(calls.newest(1)[0]?.events.length, 1, "a forgotten call is a new one");
  });

  it("prefers the dotted spelling where both are given", async () => {
    const body = { callId: "c1", "to.type": "internal", "to.number": "1", to: { type: "queue", number: 5 } };
    assert.equal((await ask(sandbox(), "POST", transfer, body)).status, 200);
    assert.deepEqual(sandbox().state.calls.newest()[0]?.events[0]?.["to"], { type: "internal", number: "1" });
  });
});

const to = { "to.type": "internal", "to.number": "12" };
const advanced = { callId: "c1", ...to, transferType: "blind" };
const added = { callId: "c1", ...to };
const { actions: _, ...silent } = dottedCallOut;
const oneOfBoth = "One of the answer_url and actions fields is required.";
const voices =
  "female, male, hatieumai, ngoclam, banmai, leminh, myan, lannhi, sg_male_xuankien_vdts_48k-hsmm, " +
  "sg_female_xuanhong_vdts_48k-hsmm, hn_male_xuantin_vdts_48k-hsmm, hn_female_thutrang_phrase_48k-hsmm";

const badBodies: (readonly [path: string, body: object, message: string])[] = [
  [stop, {}, "The callId field is required."],
  [stop, { callId: "" }, "The callId field is required."],
  [stop, { callId: null }, "The callId field is required."],
  [stop, { callId: 5 }, "The callId field must be a string."],
  [transfer, { ...to }, "The callId field is required."],
  [transfer, { callId: "c1" }, "The to.type field is required. The to.number field is required."],
  [transfer, { callId: "c1", to: "12" }, "The to.type field is required. The to.number field is required."],
  [transfer, { callId: "c1", to: { type: "internal" } }, "The to.number field is required."],
  [transfer, { callId: "c1", ...to, "to.type": "queue" }, "The to.type field must be one of internal, external."],
  [transfer, { callId: "c1", ...to, "to.number": 12 }, "The to.number field must be a string."],
  [transfer, { callId: "c1", ...to, fromUserId: 7 }, "The fromUserId field must be a string."],
  [advance, { ...advanced, callId: undefined }, "The callId field is required."],
  [advance, { ...advanced, "to.type": "user" }, "The to.type field must be one of internal, external, queue."],
  [advance, { ...advanced, "to.number": undefined }, "The to.number field is required."],
  [advance, { ...advanced, "to.alias": 1 }, "The to.alias field must be a string."],
  [advance, { ...advanced, transferType: undefined }, "The transferType field is required."],
  [advance, { ...advanced, transferType: "attended" }, "The transferType field must be one of blind, attendend."],
  [addUser, { ...added, callId: undefined }, "The callId field is required."],
  [addUser, { callId: "c1" }, "The to.type field is required. The to.number field is required."],
  [addUser, { ...added, "to.type": "queue" }, "The to.type field must be one of internal, external."],
  [addUser, { ...added, from: { type: "queue" } }, "The from.type field must be one of internal, external."],
  [addUser, { ...added, "from.number": 1 }, "The from.number field must be a string."],
  [addUser, { ...added, spyCall: "true" }, "The spyCall field must be true or false."],
  [addUser, { ...added, spyCall: 1 }, "The spyCall field must be true or false."],
  [callOut, silent, oneOfBoth],
  [callOut, { ...silent, actions: [] }, oneOfBoth],
  [callOut, { ...silent, answer_url: "" }, oneOfBoth],
  [callOut, { ...dottedCallOut, "from.type": "external" }, "The from.type field must be one of internal."],
  [callOut, { ...dottedCallOut, "from.number": 19001234 }, "The from.number field must be a string."],
  [callOut, { ...dottedCallOut, "to.type": "queue" }, "The to.type field must be one of internal, external."],
  [callOut, { ...dottedCallOut, "to.number": undefined }, "The to.number field is required."],
  [callOut, { ...dottedCallOut, answer_url: true }, "The answer_url field must be a string."],
  [callOut, { ...silent, actions: { action: "talk" } }, "The actions field must be an array."],
  [callOut, { ...silent, actions: ["talk"] }, "The actions.0 field must be a JSON object."],
  [callOut, { ...silent, actions: [{ action: "talk" }, { text: "x" }] }, "The actions.1.action field is required."],
  [callOut, { ...silent, actions: [{ action: "talk", text: 1 }] }, "The actions.0.text field must be a string."],
  [
    callOut,
    { ...silent, actions: [{ action: "talk", voice: "robot" }] },
    `The actions.0.voice field must be one of ${voices}.`,
  ],
  [callOut, { ...silent, actions: [{ action: "talk", speed: "0" }] }, "The actions.0.speed field must be a number."],
  [callOut, { ...silent, actions: [{ action: "talk", loop: 3 }] }, "The actions.0.loop field must be a string."],
];

describe("sandbox: call actions it refuses", () => {
  const sandbox = sandboxForEach();

  for (const [path, body, message] of badBodies) {
    it(`${path} ${JSON.stringify(body)}`, async () => {
      await refuses(sandbox(), 422, message, "POST", path, body);
      assert.deepEqual(sandbox().state.calls.newest(), []);
    });
  }
});
