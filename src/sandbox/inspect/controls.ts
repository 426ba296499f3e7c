import { changedSettings, readClock } from "../phone/settings";
import { type Answer, accepted, refusals } from "../service/envelope";
import { isObject, readOnlyFields, required, text } from "../service/fields";
import type { FaultInjector } from "./faults";
import { receiveCall } from "./incoming";
import type { SandboxState } from "./state";

/** What a button of the page does, as a request. */
interface Control {
  readonly path: string;
  readonly run: (body: unknown, state: SandboxState, faults: FaultInjector) => Answer | Promise<Answer>;
}

const CALL = { callId: required(text) };

/** Does something on a phone, if its state allows that. */
function onPhone(act: (state: SandboxState, callId: string) => boolean): Control["run"] {
  return (body, state) => {
    const { values, problems } = readOnlyFields(body, CALL);
    if (problems.length > 0) return refusals.badFields(problems);
    const { callId } = values;
    return act(state, callId)
      ? accepted(null)
      : refusals.badFields([`The call ${callId.slice(0, 100)} cannot do that now.`]);
  };
}

/** Places a call once more, or lets it come in once more. */
async function callAgain(body: unknown, state: SandboxState): Promise<Answer> {
  const { values, problems } = readOnlyFields(body, CALL);
  if (problems.length > 0) return refusals.badFields(problems);
  const call = state.calls.find(values.callId);
  if (!call || call.direction === "unknown")
    return refusals.badFields([`The call ${values.callId.slice(0, 100)} cannot be repeated.`]);
  const { from, to, answer_url, actions } = call;
  const parties = { ...(from && { from }), ...(to && { to }) };
  if (call.direction === "inbound") return accepted(await receiveCall(state, parties));
  state.calls.place("call-out", {
    ...parties,
    ...(answer_url !== undefined && { answer_url }),
    ...(actions && { actions }),
  });
  return accepted(null);
}

export const controls: readonly Control[] = [
  { path: "/sandbox/answer", run: onPhone(({ phones }, callId) => phones.answer(callId)) },
  { path: "/sandbox/decline", run: onPhone(({ phones }, callId) => phones.decline(callId)) },
  { path: "/sandbox/hang-up", run: onPhone(({ phones }, callId) => phones.hangUp(callId)) },
  { path: "/sandbox/again", run: callAgain },
  { path: "/sandbox/settings", run: (body, state) => problemsOf(changeSettings(body, state)) },
  { path: "/sandbox/clock", run: (body, state) => problemsOf(setClock(body, state)) },
  {
    path: "/sandbox/calls",
    run: async (body, state) => {
      const problems = changeSettings({ incoming: body }, state);
      if (problems.length > 0) return refusals.badFields(problems);
      return accepted(await receiveCall(state));
    },
  },
  {
    path: "/sandbox/clear",
    run: (_body, state) => {
      state.clear();
      return accepted(null);
    },
  },
  {
    path: "/sandbox/reset",
    run: (_body, state, faults) => {
      faults.set({ times: 0 });
      state.reset();
      return accepted(null);
    },
  },
];

export function problemsOf(problems: readonly string[]): Answer {
  return problems.length > 0 ? refusals.badFields(problems) : accepted(null);
}

function changeSettings(body: unknown, state: SandboxState): readonly string[] {
  const { settings, problems } = changedSettings(state.settings, body);
  if (problems.length > 0) return problems;
  state.settings = settings;
  // Also if the values are the same: giving the seed again gives the same calls again.
  if (isObject(body) && ["phones", "mix", "seed"].some((field) => Object.hasOwn(body, field))) state.chance.restart();
  return [];
}

/** With seconds or without, up to the year 2999: a clock that runs fast for months must still show a date. */
const INSTANT = /^[12]\d{3}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;

function setClock(body: unknown, state: SandboxState): readonly string[] {
  const { values, problems } = readClock(body);
  if (problems.length > 0) return problems;
  const { at, speed = 1, real = false } = values;
  const from = at === undefined ? state.clock.now() : INSTANT.test(at) ? Date.parse(at) : Number.NaN;
  if (Number.isNaN(from)) return ["The at field must be an instant in ISO 8601, such as 2026-11-23T08:00:00+07:00."];
  state.clock.pretend(real ? undefined : { from, speed });
  state.changes.next();
  return [];
}
