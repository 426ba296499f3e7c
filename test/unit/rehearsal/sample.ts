import type { NotPlaced, RehearsedCall, Report } from "../../../src/workshop/rehearsal/make-report";
import type { Rehearsal } from "../../../src/workshop/rehearsal/rehearse";

/** A call at a time of day of 2026-12-01, in Vietnam. */
export function sampleCall(time: string, number: string, ...says: string[]): RehearsedCall {
  return {
    at: `2026-12-01T${time}:00+07:00`,
    number,
    nodeId: "c",
    node: "Call",
    tenant: "Acme",
    says,
    actions: says.map((text) => ({ text, voice: "banmai", loop: "1", speed: 0 })),
    answerUrl: null,
    phone: "answered",
    outcome: "applied",
  };
}

export const sampleNotPlaced: NotPlaced = {
  at: "2026-12-01T09:00:00+07:00",
  number: "0912345699",
  nodeId: "c",
  node: "Call",
  code: "ERR_BLOCKED",
  reason: "It is blocked.",
};

export function sampleReport(found: Partial<Report> = {}): Report {
  return {
    from: "2026-12-01T00:00:00+07:00",
    until: "2026-12-02T00:00:00+07:00",
    seed: 1,
    nodeRed: "5.0.7",
    calls: [],
    notPlaced: [],
    inputs: [],
    requests: [],
    outside: [],
    errors: [],
    more: [],
    figures: { calls: 0, notPlaced: 0, busiestMinute: null, speechSeconds: 0, calledTwice: [] },
    brokenOff: null,
    ...found,
  };
}

/** @param brokenOff the sentence, in any language */
export function sampleRehearsal({ brokenOff = null, ...found }: Partial<Report> = {}): Rehearsal {
  return {
    brokenOff: brokenOff === null ? null : () => brokenOff,
    report: sampleReport({ ...found, brokenOff }),
    nodeRedPath: "/node-red",
    notes: [],
    notStarted: [],
    reached: {},
    closed: undefined,
  };
}
