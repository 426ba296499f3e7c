import type { Phone } from "../phone/phones";
import type { SandboxCall } from "../service/calls";
import type { SandboxState } from "./state";

/** A call with its phone, for those that ring here. */
export interface CallView extends SandboxCall {
  readonly phone?: Phone;
}

/** The changes of a sandbox since a revision. */
export type SandboxView = Readonly<ReturnType<typeof viewOf>>;
/** The phones that wait for somebody to answer, the newest first. Only three of them are named. */
export type RingingView = ReturnType<typeof ringingIn>;

const MOST_CALLS = 1000;
const MOST_SCHEDULES = 100;

const MOST_RINGING = 3;

export function ringingIn({ phones, calls }: SandboxState) {
  const ids = phones.waiting;
  const named = ids.slice(0, MOST_RINGING).map((callId) => {
    const { to } = calls.find(callId) ?? {};
    return { callId, to: to?.alias ?? to?.number ?? callId };
  });
  return { count: ids.length, calls: named };
}

/** @param since the revision of the last view; 0 for everything */
export function viewOf(state: SandboxState, since: number) {
  const { calls, phones, log, schedules, changes, settings } = state;
  const { revision, epoch } = changes;
  // A later revision is that of an earlier sandbox.
  const from = since > revision ? 0 : since;
  return {
    revision,
    /** If it differs from the last one, everything that was shown before is gone. */
    epoch,
    settings,
    /** The changed calls, the oldest change first. */
    calls: calls.changedSince(from, MOST_CALLS).map((call): CallView => {
      const phone = phones.of(call.callId, call);
      return phone ? { ...call, phone } : call;
    }),
    /** The new requests, the oldest first. */
    requests: log.since(from),
    /** All schedules, at most 100. */
    schedules: schedules.all().slice(0, MOST_SCHEDULES),
    counts: { calls: calls.size, schedules: schedules.size },
  };
}
