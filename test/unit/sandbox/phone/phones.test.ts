import assert from "node:assert/strict";
import { mock } from "node:test";
import { setImmediate as immediate } from "node:timers/promises";
import fc from "fast-check";
import { SandboxState } from "../../../../src/sandbox/inspect/state";
import type { PhoneState } from "../../../../src/sandbox/phone/phones";
import type { SandboxSettings } from "../../../../src/sandbox/phone/settings";

const TALK = { action: "talk", text: "x".repeat(150), loop: "2" };

/** A state in which one call was placed. */
function placed(settings: Partial<SandboxSettings> = {}, more: object = {}): { state: SandboxState; callId: string } {
  const state = new SandboxState();
  state.settings = { ...state.settings, ...settings };
  state.calls.place("call-out", { to: { type: "external", number: "0000000000" }, actions: [TALK], ...more });
  return { state, callId: state.calls.newest(1)[0]?.callId ?? "" };
}

const stateOf = (state: SandboxState, callId: string) => [
  state.phones.of(callId)?.state,
  state.calls.find(callId)?.state,
];
const momentsOf = (state: SandboxState, callId: string) =>
  state.phones.of(callId)?.moments.map(({ what, by = "" }) => `${what} ${by}`.trim());

describe("sandbox: phones", () => {
  beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
  afterEach(() => mock.timers.reset());
  /** Lets time pass, and what follows from it happen. */
  const pass = async (seconds: number) => {
    mock.timers.tick(seconds * 1000);
    for (let n = 0; n < 5; n += 1) await immediate();
  };

  it("are answered after a moment, listen to the end, and hang up, if everybody answers", async () => {
    const { state, callId } = placed();
    assert.deepEqual(stateOf(state, callId), ["ringing", "ongoing"]);
    await pass(1);
    assert.deepEqual(stateOf(state, callId), ["talking", "ongoing"]);
    // 150 characters, twice, at about 15 a second.
    await pass(19);
    assert.deepEqual(stateOf(state, callId), ["talking", "ongoing"]);
    await pass(1);
    assert.deepEqual(stateOf(state, callId), ["ended", "ended"]);
    assert.deepEqual(momentsOf(state, callId), ["ringing", "talking simulation", "ended simulation"]);
  });

  it("ring out if nobody answers", async () => {
    const { state, callId } = placed({ answers: "nobody", ringSeconds: 5 });
    await pass(4);
    assert.deepEqual(stateOf(state, callId), ["ringing", "ongoing"]);
    await pass(1);
    assert.deepEqual(stateOf(state, callId), ["unanswered", "ended"]);
  });

  it("wait for whoever looks at them, and ring out without", async () => {
    const answered = placed({ answers: "ask", ringSeconds: 5 });
    assert.equal(answered.state.phones.answer(answered.callId), true);
    await pass(600);
    assert.deepEqual(stateOf(answered.state, answered.callId), ["talking", "ongoing"]);
    assert.equal(answered.state.phones.hangUp(answered.callId), true);
    assert.deepEqual(momentsOf(answered.state, answered.callId), ["ringing", "talking person", "ended person"]);
    const declined = placed({ answers: "ask" });
    assert.equal(declined.state.phones.decline(declined.callId), true);
    assert.deepEqual(stateOf(declined.state, declined.callId), ["declined", "ended"]);
    const left = placed({ answers: "ask", ringSeconds: 5 });
    await pass(5);
    assert.deepEqual(stateOf(left.state, left.callId), ["unanswered", "ended"]);
  });

  it("behave by the first pattern that fits the last digits of their number, whoever answers", async () => {
    const state = new SandboxState();
    const phones = { "*02": "declines", "0903": "never answers", "*3": "answers" } as const;
    state.settings = { ...state.settings, answers: "ask", ringSeconds: 5, phones };
    const numbers = ["+84 90 000-0002", "0903", "13", "14"];
    for (const number of numbers) state.calls.place("call-out", { to: { type: "external", number } });
    const states = () => state.calls.newest().map(({ callId }) => state.phones.of(callId)?.state);
    await pass(1);
    assert.deepEqual(states(), ["declined", "ringing", "ended", "ringing"]);
    state.settings = { ...state.settings, answers: "everybody" };
    await pass(5);
    assert.deepEqual(states(), ["declined", "unanswered", "ended", "ended"]);
  });

  it("behave by the mix in its shares, with one seed always alike, in whatever order numbers are called", async () => {
    const NUMBERS = Array.from({ length: 1000 }, (_, index) => String(5000 + (index % 500)));
    const run = async (seed: number, numbers = NUMBERS) => {
      const state = new SandboxState();
      const mix = { answers: 0.6, declines: 0.1, "never answers": 0.3 };
      state.settings = { ...state.settings, answers: "ask", ringSeconds: 5, mix, seed };
      for (const number of numbers) state.calls.place("call-out", { to: { type: "external", number } });
      await pass(5);
      return state.calls.newest().map(({ callId, to }) => `${to?.number} ${state.phones.of(callId)?.state}`);
    };
    const calls = await run(7);
    const share = (phoneState: PhoneState) => calls.filter((call) => call.endsWith(phoneState)).length / 1000;
    // Four standard deviations.
    for (const [phoneState, expected] of [
      ["ended", 0.6],
      ["declined", 0.1],
      ["unanswered", 0.3],
    ] as const)
      assert.ok(Math.abs(share(phoneState) - expected) < 0.062, `${phoneState}: ${share(phoneState)}`);
    assert.deepEqual(await run(7), calls);
    assert.deepEqual((await run(7, [...NUMBERS].reverse())).sort(), [...calls].sort());
    assert.notDeepEqual(await run(8), calls);
  });

  it("stop ringing, or talking, when the service stops the call", async () => {
    for (const seconds of [0, 2]) {
      const { state, callId } = placed();
      await pass(seconds);
      state.calls.act(callId, "stop-a-call", {}, true);
      await pass(60);
      assert.deepEqual(stateOf(state, callId), ["ended", "ended"]);
      assert.equal(momentsOf(state, callId)?.filter((what) => what.startsWith("ended")).length, 1);
    }
  });

  it("do not hang up on a call that the flow has transferred or joined", async () => {
    for (const seconds of [0, 2]) {
      const { state, callId } = placed();
      await pass(seconds);
      state.calls.act(callId, "add-user", { to: { type: "internal", number: "90" } }, false);
      await pass(600);
      assert.deepEqual(stateOf(state, callId), ["talking", "ongoing"]);
    }
  });

  it("follow a change of who answers while they ring", async () => {
    const { state, callId } = placed({ answers: "ask" });
    state.settings = { ...state.settings, answers: "everybody" };
    await pass(1);
    assert.equal(state.phones.of(callId)?.state, "talking");
    const other = placed();
    other.state.settings = { ...other.state.settings, answers: "nobody", ringSeconds: 3 };
    await pass(3);
    assert.equal(other.state.phones.of(other.callId)?.state, "unanswered");
  });

  it("are silent after clear and reset", async () => {
    for (const forget of ["clear", "reset"] as const) {
      const { state, callId } = placed();
      const { epoch } = state.changes;
      state[forget]();
      await pass(60);
      assert.deepEqual(stateOf(state, callId), [undefined, undefined]);
      assert.notEqual(state.changes.epoch, epoch);
    }
  });

  it("are forgotten with their calls, so that their memory is bounded", () => {
    const state = new SandboxState();
    const actions = [{ action: "talk", text: "x".repeat(250_000) }];
    for (let n = 0; n < 100; n += 1) state.calls.place("call-out", { actions });
    assert.ok(state.calls.size < 100);
    const kept = Array.from({ length: 100 }, (_, n) => state.phones.of(`sandbox-${n + 1}`));
    assert.equal(kept.filter((phone) => phone !== undefined).length, state.calls.size);
  });

  it("never reach an impossible state, whatever is pressed", async () => {
    const next: Readonly<Record<PhoneState, readonly PhoneState[]>> = {
      ringing: ["talking", "declined", "unanswered", "ended"],
      talking: ["ended"],
      declined: [],
      unanswered: [],
      ended: [],
    };
    const press = fc.constantFrom("answer", "decline", "hangUp", "stop", "join", "everybody", "nobody", "ask", "wait");
    await fc.assert(
      fc.asyncProperty(fc.array(press, { maxLength: 12 }), async (presses) => {
        const { state, callId } = placed({ answers: "ask", ringSeconds: 10 });
        for (const one of presses) {
          if (one === "answer") state.phones.answer(callId);
          else if (one === "decline" || one === "hangUp") state.phones[one](callId);
          else if (one === "stop") state.calls.act(callId, "stop-a-call", {}, true);
          else if (one === "join") state.calls.act(callId, "add-user", { to: { number: "9" } }, false);
          else if (one === "wait") await pass(4);
          else state.settings = { ...state.settings, answers: one };
        }
        const states = state.phones.of(callId)?.moments.map(({ what }) => what as PhoneState) ?? [];
        assert.equal(states[0], "ringing");
        for (const [index, what] of states.slice(1).entries())
          assert.ok(next[states[index] as PhoneState].includes(what), states.join(" "));
        const isOver = next[states.at(-1) as PhoneState].length === 0;
        assert.equal(state.calls.find(callId)?.state, isOver ? "ended" : "ongoing");
      }),
      { numRuns: 200 },
    );
  });
});
