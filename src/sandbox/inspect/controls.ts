import { isObject, readOnlyFields, required, text } from "../../json/rules";
import { changedSettings } from "../phone/settings";
import { type Answer, accepted, refusals } from "../service/envelope";
import { receiveCall } from "./incoming";
import type { SandboxState } from "./state";

type Control = (body: unknown, state: SandboxState) => Answer | Promise<Answer>;

/** By name: the last part of the path. */
export const controls: Readonly<Record<string, Control>> = {
  answer: onCall("do that now", ({ phones }, callId) => phones.answer(callId)),
  decline: onCall("do that now", ({ phones }, callId) => phones.decline(callId)),
  "hang-up": onCall("do that now", ({ phones }, callId) => phones.hangUp(callId)),
  again: onCall("be repeated", callAgain),
  settings(body, state) {
    const problems = changeSettings(body, state);
    return answerTo(problems, { revision: state.changes.revision });
  },
  faults: (body, { faults }) => answerTo(faults.set(body)),
  async calls(body, state) {
    const problems = changeSettings({ incoming: body }, state);
    return answerTo(problems, problems.length > 0 ? null : await receiveCall(state));
  },
  clear(_body, state) {
    state.clear();
    return accepted(null);
  },
  reset(_body, state) {
    state.reset();
    return accepted(null);
  },
};

function answerTo(problems: readonly string[], data: unknown = null): Answer {
  return problems.length > 0 ? refusals.badFields(problems) : accepted(data);
}

/** @param act returns the data of the answer, `true` for none, or `false` if the call `cannot` do that */
function onCall(cannot: string, act: (state: SandboxState, callId: string) => unknown): Control {
  return async (body, state) => {
    const { values, problems } = readOnlyFields(body, { callId: required(text) });
    if (problems.length > 0) return refusals.badFields(problems);
    const data = await act(state, values.callId);
    if (data === false) return refusals.badFields([`The call ${values.callId.slice(0, 100)} cannot ${cannot}.`]);
    return accepted(data === true ? null : data);
  };
}

/** Places a call once more, or lets it come in once more. */
function callAgain(state: SandboxState, callId: string): unknown {
  const call = state.calls.find(callId);
  if (!call || call.direction === "unknown") return false;
  const { from, to, answer_url, actions } = call;
  const parties = { ...(from && { from }), ...(to && { to }) };
  if (call.direction === "inbound") return receiveCall(state, parties);
  state.calls.place("call-out", {
    ...parties,
    ...(answer_url !== undefined && { answer_url }),
    ...(actions && { actions }),
  });
  return true;
}

function changeSettings(body: unknown, state: SandboxState): readonly string[] {
  const { settings, problems } = changedSettings(state.settings, body);
  if (problems.length > 0) return problems;
  state.settings = settings;
  // Also if the values are the same: giving the seed again gives the same calls again.
  if (isObject(body) && ["phones", "mix", "seed"].some((field) => Object.hasOwn(body, field))) state.chance.restart();
  return [];
}
