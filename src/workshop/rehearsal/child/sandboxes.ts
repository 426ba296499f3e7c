import { subscribe } from "node:diagnostics_channel";
import { operationAt } from "../../../client/operations";
import type { Sandbox, Served } from "../../../sandbox";
import { durationOf, spokenIn } from "../../../sandbox/phone/speech";
import { CALL_OUT_PATH } from "../../../sandbox/service/call-actions";
import type { Answered, EventOf } from "../events";
import type { Plan } from "../prepare";
import { numberIn } from "./observe";
import { report, reportPhone } from "./output";

const ORDER = "x-rehearsal-order";
/** Characters of a voice or of a number of repeats. */
const LONGEST_WORD = 40;
const SEEN: Readonly<Record<string, Answered>> = {
  talking: "answered",
  declined: "declined",
  unanswered: "unanswered",
};

/**
 * Prepares each sandbox that starts, and reports what reaches it.
 * @param inFlowFile the id that a running node has in the flow file
 * @param changed called when a request may have changed a schedule
 */
export function actAsTenants(plan: Plan, inFlowFile: (id: string) => string, changed: () => void): void {
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
        const { method, path, node } = served.request;
        if (method !== "GET" && path !== CALL_OUT_PATH) changed();
        const nodeId = inFlowFile(node ?? "");
        if (path === CALL_OUT_PATH) report({ ...callOf(served, owner), nodeId });
        // Reads of a schedule that gates and calling hours follow are those of no node.
        else if (node !== undefined) report({ ...requestOf(served), tenant: owner, nodeId });
      },
    };
  });
}

function callOf({ at, request, headers, callId, ...answer }: Served, tenant: string): Omit<EventOf<"call">, "nodeId"> {
  const { actions, answer_url: address } = Object(request.body.value);
  const given: readonly Readonly<Record<string, unknown>>[] = Array.isArray(actions) ? actions.map(Object) : [];
  const spoken = given.filter((each) => spokenIn([each]).length > 0);
  return {
    kind: "call",
    at,
    order: Number(headers[ORDER] ?? 0),
    tenant,
    number: numberIn(request.body.value),
    actions: spoken.map(({ text, voice, loop, speed }) => ({
      text: String(text),
      ...(typeof voice === "string" && { voice: voice.slice(0, LONGEST_WORD) }),
      ...(typeof loop === "string" && { loop: loop.slice(0, LONGEST_WORD) }),
      ...(typeof speed === "number" && { speed }),
    })),
    speechMs: durationOf(spokenIn(spoken)),
    answerUrl: typeof address === "string" && address !== "" ? address : null,
    outcome: outcomeOf(answer),
    callId: callId ?? null,
  };
}

function outcomeOf({ isLost, status, isAccepted }: Pick<Served, "isLost" | "status" | "isAccepted">) {
  if (isLost || status >= 500) return "unknown";
  return isAccepted ? "applied" : "rejected";
}

/** Returns what a request asks for, as the node that has this operation is called, and whom or what it is about. */
function requestOf({ at, request, ...answer }: Served): Omit<EventOf<"request">, "tenant" | "nodeId"> {
  const { method, path, query, body } = request;
  const { action = path, path: pattern = "" } = operationAt(method, path) ?? {};
  const id = pattern.endsWith(":id") ? path.slice(pattern.length - ":id".length) : "";
  const { callId, name } = Object(body.value);
  const target = action === "call-stop" ? callId : numberIn(body.value) || name || id || query.get("search");
  return { kind: "request", at, action, target: String(target ?? ""), outcome: outcomeOf(answer) };
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
