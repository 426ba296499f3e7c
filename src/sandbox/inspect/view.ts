import type { Phone } from "../phone/phones";
import type { SandboxSettings } from "../phone/settings";
import type { SandboxCall } from "../service/calls";
import type { Schedule } from "../service/schedules";
import type { LoggedRequest } from "./request-log";
import type { SandboxState } from "./state";

/** A call with its phone, for those that ring here. */
export interface CallView extends SandboxCall {
  readonly phone?: Phone;
}

/** What has changed in a sandbox since a revision. */
export interface SandboxView {
  readonly revision: number;
  /** If it differs from the last one, everything that was shown before is gone. */
  readonly epoch: number;
  /** Epoch milliseconds on the sandbox's clock, and how many seconds pass in a real one. */
  readonly clock: { readonly now: number; readonly speed: number; readonly isPretending: boolean };
  readonly settings: SandboxSettings;
  /** The changed calls, the oldest change first. */
  readonly calls: readonly CallView[];
  /** The new requests, the oldest first. */
  readonly requests: readonly LoggedRequest[];
  /** All schedules, at most 100. */
  readonly schedules: readonly Schedule[];
  readonly counts: { readonly calls: number; readonly requests: number; readonly schedules: number };
}

const MOST_CALLS = 1000;
const MOST_SCHEDULES = 100;

/** The phones that wait for somebody to answer, the newest first. Only three of them are named. */
export interface RingingView {
  readonly count: number;
  readonly calls: readonly { readonly callId: string; readonly to: string }[];
}

const MOST_RINGING = 3;

export function ringingIn({ phones, calls }: SandboxState): RingingView {
  const ids = phones.waiting;
  const named = ids.slice(0, MOST_RINGING).map((callId) => {
    const { to } = calls.find(callId) ?? {};
    return { callId, to: to?.alias ?? to?.number ?? callId };
  });
  return { count: ids.length, calls: named };
}

/** @param since the revision of the last view; 0 for everything */
export function viewOf(state: SandboxState, since: number): SandboxView {
  const { calls, phones, log, schedules, changes, clock, settings } = state;
  const { revision, epoch } = changes;
  // A later revision is that of an earlier sandbox.
  const from = since > revision ? 0 : since;
  return {
    revision,
    epoch,
    clock: { now: clock.now(), speed: clock.speed, isPretending: clock.isPretending },
    settings,
    calls: calls.changedSince(from, MOST_CALLS).map((call) => {
      const phone = phones.of(call.callId, call);
      return phone ? { ...call, phone } : call;
    }),
    requests: log.since(from),
    schedules: schedules.all().slice(0, MOST_SCHEDULES),
    counts: { calls: calls.size, requests: log.count, schedules: schedules.size },
  };
}
