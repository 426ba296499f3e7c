import { subscribe } from "node:diagnostics_channel";
import type { Sandbox, Served } from "../../../sandbox";
import { durationOf, spokenIn } from "../../../sandbox/phone/speech";
import { CALL_OUT_PATH } from "../../../sandbox/service/call-actions";
import type { Answered, EventOf } from "../events";
import type { Plan } from "../prepare";
import { numberIn } from "./observe";
import { report, reportPhone } from "./output";

const ORDER = "x-rehearsal-order";
const SEEN: Readonly<Record<string, Answered>> = {
  talking: "answered",
  declined: "declined",
  unanswered: "unanswered",
};

/**
 * Prepares each sandbox that starts, and reports what reaches it.
 * @param inFlowFile the id that a running node has in the flow file
 */
export function actAsTenants(plan: Plan, inFlowFile: (id: string) => string): void {
  let order = 0;
  subscribe("undici:request:create", (message) => {
    const { request } = message as { readonly request: { addHeader(name: string, value: string): void } };
    order += 1;
    request.addHeader(ORDER, String(order));
  });
  subscribe("cloud-telephony:sandbox:start", (message) => {
    const { sandbox, owner } = message as { readonly sandbox: Sandbox; readonly owner: string };
    const { state } = sandbox;
    const { phones, mix, seed } = plan;
    void sandbox.inspect("POST", "/sandbox/settings", new URLSearchParams(), { phones, mix, seed });
    const schedules = plan.schedules[owner];
    if (schedules) state.schedules.load(schedules);
    state.phones.onEntered = (callId, entered) => {
      const phone = SEEN[entered];
      if (phone) reportPhone(`${owner} ${callId}`, phone);
    };
    sandbox.observer = {
      fault: ({ path, body }) =>
        // By number, since requests may arrive in any order.
        faultAt(plan.faults, path, () => state.chance.draw(seed, `fault ${path} ${numberIn(body.value)}`)),
      served: (served) => {
        if (served.request.path === CALL_OUT_PATH)
          report({ ...callOf(served, owner), nodeId: inFlowFile(served.request.node ?? "") });
      },
    };
  });
}

function callOf(
  { at, request, headers, status, isAccepted, isLost, callId }: Served,
  tenant: string,
): Omit<EventOf<"call">, "nodeId"> {
  const { actions, answer_url: address } = Object(request.body.value);
  const spoken = spokenIn(Array.isArray(actions) ? actions.filter((each) => typeof each === "object") : []);
  const isUnknown = isLost || status >= 500;
  return {
    kind: "call",
    at,
    order: Number(headers[ORDER] ?? 0),
    tenant,
    number: numberIn(request.body.value),
    says: spoken.map(({ text }) => text),
    speechMs: durationOf(spoken),
    answerUrl: typeof address === "string" && address !== "" ? address : null,
    outcome: isUnknown ? "unknown" : isAccepted ? "applied" : "rejected",
    callId: callId ?? null,
  };
}

function faultAt(faults: Plan["faults"], path: string, draw: () => number) {
  const now = Date.now();
  return faults.find(
    (fault) =>
      fault.at <= now &&
      now < fault.until &&
      (fault.path ?? path) === path &&
      (fault.share === undefined || draw() < fault.share),
  );
}
