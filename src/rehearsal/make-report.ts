import { formatInstant, type Zone } from "../hours";
import type { Event, EventOf, PlannedInput } from "./plan";
import type { Prepared } from "./prepare";
import type { Figures, NotPlaced, RehearsedCall, Report, ReportedInput } from "./report";

/** What has happened, in order. */
export interface Record {
  readonly calls: EventOf<"call">[];
  /** By tenant and call. */
  readonly phones: Map<string, EventOf<"phone">["phone"]>;
  readonly notPlaced: EventOf<"notPlaced">[];
  readonly outside: EventOf<"outside">[];
  readonly errors: EventOf<"error">[];
  readonly inputs: Map<number, EventOf<"input">>;
  readonly reached: Map<string, number>;
}

export function newRecord(): Record {
  return {
    calls: [],
    phones: new Map(),
    notPlaced: [],
    outside: [],
    errors: [],
    inputs: new Map(),
    reached: new Map(),
  };
}

export function note(record: Record, event: Event): void {
  if (event.kind === "call") record.calls.push(event);
  else if (event.kind === "phone") record.phones.set(`${event.tenant} ${event.callId}`, event.phone);
  else if (event.kind === "notPlaced") record.notPlaced.push(event);
  else if (event.kind === "outside") record.outside.push(event);
  else if (event.kind === "error") record.errors.push(event);
  else if (event.kind === "input") record.inputs.set(event.index, event);
  else if (event.kind === "reached") record.reached.set(event.nodeId, (record.reached.get(event.nodeId) ?? 0) + 1);
}

export function makeReport(record: Record, prepared: Prepared, nodeRed: string): Report {
  const { names, zone, zones, plan } = prepared;
  const show = (at: number, in_: Zone = zone) => formatInstant(at, in_);
  // Node-RED starts before the rehearsal begins. What a flow does at its start belongs to the beginning.
  const inside = <T extends { readonly at: number }>(events: readonly T[]): T[] =>
    events.map((event) => (event.at < plan.from ? { ...event, at: plan.from } : event));
  const zoneOf = (nodeId: string) => zones.get(String(names.find(nodeId)?.["tenant"])) ?? zone;
  const named = ({ nodeId }: { readonly nodeId: string }) => ({ nodeId, node: names.nameOf(nodeId) });
  const placed = inside(record.calls).sort((a, b) => a.at - b.at || a.order - b.order);
  const phoneOf = ({ tenant, callId }: EventOf<"call">) => record.phones.get(`${tenant} ${callId}`) ?? null;
  const calls = placed.map((call): RehearsedCall => {
    const { at, number, tenant, says, answerUrl, outcome } = call;
    const about = { at: show(at, zones.get(tenant)), number, ...named(call), tenant: names.nameOf(tenant) };
    return { ...about, says, answerUrl, phone: phoneOf(call), outcome };
  });
  const notPlaced = inOrder(inside(record.notPlaced)).map(
    (each): NotPlaced => ({
      at: show(each.at, zoneOf(each.nodeId)),
      number: each.number,
      ...named(each),
      code: each.code,
      reason: each.reason,
    }),
  );
  const spoken = placed.filter((call) => phoneOf(call) === "answered").reduce((sum, { speechMs }) => sum + speechMs, 0);
  return {
    from: show(plan.from),
    until: show(plan.until),
    seed: plan.seed,
    nodeRed,
    calls,
    notPlaced,
    inputs: inOrder(plan.inputs.map((input, index) => ({ ...input, index }))).map((input) =>
      reported(input, show(input.at), prepared, record.inputs.get(input.index)),
    ),
    outside: inside(record.outside).map((each) => ({
      at: show(each.at),
      ...named(each),
      type: each.type,
      answered: each.answered,
    })),
    errors: inside(record.errors).map((each) => ({
      at: show(each.at),
      ...named(each),
      code: each.code,
      message: each.message,
    })),
    figures: figures(placed, notPlaced.length, Math.round(spoken / 1000), (call) =>
      show(call.at, zones.get(call.tenant)),
    ),
  };
}

function inOrder<T extends { readonly at: number }>(list: readonly T[]): T[] {
  return [...list].sort((a, b) => a.at - b.at);
}

function reported(
  { kind, target }: PlannedInput,
  at: string,
  { names }: Prepared,
  event: EventOf<"input"> | undefined,
): ReportedInput {
  const { status = null, body = null } = event ?? {};
  return { at, kind, target: kind === "post" ? target : names.nameOf(target), status, body };
}

function figures(
  calls: readonly EventOf<"call">[],
  notPlaced: number,
  speechSeconds: number,
  show: (call: EventOf<"call">) => string,
): Figures {
  const minutes = new Map<number, EventOf<"call">[]>();
  const numbers = new Map<string, number>();
  for (const call of calls) {
    const minute = Math.floor(call.at / 60_000) * 60_000;
    const before = minutes.get(minute);
    if (before) before.push(call);
    else minutes.set(minute, [{ ...call, at: minute }]);
    // A refused call has not rung.
    if (call.outcome !== "rejected") numbers.set(call.number, (numbers.get(call.number) ?? 0) + 1);
  }
  let busiest: readonly EventOf<"call">[] = [];
  for (const each of minutes.values()) if (each.length > busiest.length) busiest = each;
  const [first] = busiest;
  return {
    calls: calls.length,
    notPlaced,
    busiestMinute: first ? { at: show(first), calls: busiest.length } : null,
    speechSeconds,
    calledTwice: [...numbers].flatMap(([number, count]) => (count > 1 ? [{ number, calls: count }] : [])),
  };
}
