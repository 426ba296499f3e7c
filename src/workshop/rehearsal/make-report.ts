import { oneLine } from "../../fields/quote";
import { formatInstant } from "../../hours";
import { attempt, isObject } from "../../json/rules";
import { resource } from "../../page/document";
import type { Texts } from "../../texts";
import { joined } from "../../texts/catalogue";
import type { Ended } from "./boundary";
import type { Event, EventOf, Head } from "./events";
import type { Prepared } from "./prepare";

export type Key = keyof (Texts["rehearsalPage"] & Texts["pattern"] & Texts["tab"]["waits"]["for"]);

/** The texts of a report by the two letters of their language. */
export const TEXTS = JSON.parse(resource("rehearsal.json")) as Readonly<Record<string, Readonly<Record<Key, string>>>>;

/** The events that the process of a rehearsal has reported, in order. */
export class Recording {
  readonly #events = new Map<Event["kind"], Event[]>();
  /** The instant of the last event. Epoch milliseconds, as all instants. */
  lastAt: number;
  /** The progress that was last told, and when in real time. */
  head: Head | undefined;
  toldAt = Date.now();

  /** @param from Node-RED starts before; what a flow does at its start belongs to this instant */
  constructor(private readonly from: number) {
    this.lastAt = from;
  }

  /** The instant of the last event, or of the last message that a node has received. */
  get lastActAt(): number {
    return Math.max(this.lastAt, this.head?.receivedAt ?? 0);
  }

  get at(): number {
    return Math.max(this.from, this.head?.at ?? 0);
  }

  note(event: Event): void {
    const all = this.#events.get(event.kind) ?? [];
    this.#events.set(event.kind, all);
    all.push("at" in event ? { ...event, at: Math.max(event.at, this.from) } : event);
    if ("at" in event || event.kind === "more")
      this.lastAt = Math.max(this.lastAt, "at" in event ? event.at : event.last);
  }

  reach(head: Head): void {
    this.head = head;
    this.toldAt = Date.now();
  }

  /** The node of which there are most events, and how many. */
  mostOf(): readonly [nodeId: string, times: number] {
    const counts = new Map<string, number>();
    for (const event of [...this.#events.values()].flat())
      if ("nodeId" in event) counts.set(event.nodeId, (counts.get(event.nodeId) ?? 0) + 1);
    return [...counts].sort((a, b) => b[1] - a[1])[0] ?? ["", 0];
  }

  all<Kind extends Event["kind"]>(kind: Kind): readonly EventOf<Kind>[] {
    return (this.#events.get(kind) ?? []) as EventOf<Kind>[];
  }
}

/** Of an answer that is shown as JSON; more could be nested so deeply that it cannot be written again. */
const MOST_BRACKETS = 1000;

/** The report of a rehearsal, as `docs/contract/command.md` shows it. */
export type Report = ReturnType<typeof makeReport>;
export type RehearsedCall = Report["calls"][number];
export type NotPlaced = Report["notPlaced"][number];
export type ReportedRequest = Report["requests"][number];
export type ReportedInput = Report["inputs"][number];

/**
 * Makes the report. Instants are ISO 8601 with the offset of the tenant's zone.
 * @param nodeRed the version of Node-RED that ran
 * @param brokenOff why it ended before `until`, in a sentence
 */
export function makeReport(recording: Recording, prepared: Prepared, nodeRed: string, brokenOff: string | null) {
  const { names, zone, zones, plan } = prepared;
  const show = (at: number, in_ = zone) => formatInstant(at, in_);
  const zoneOfTenant = (id: string) => zones.get(String(names.find(id)?.id));
  const zoneOf = (nodeId: string) => zones.get(String(names.find(nodeId)?.["tenant"]));
  const named = ({ nodeId }: { readonly nodeId: string }) => ({ nodeId, node: names.nameOf(nodeId) });
  const phones = new Map(recording.all("tally").flatMap((tally) => Object.entries(tally.phones)));
  const phoneOf = ({ tenant, callId }: EventOf<"call">) => phones.get(`${tenant} ${callId}`) ?? null;
  const answers = new Map(recording.all("input").map((input) => [input.index, input]));
  const placed = [...recording.all("call")].sort((a, b) => a.at - b.at || a.order - b.order);
  const calls = placed.map((call) => {
    const { at, number, tenant, answerUrl, outcome } = call;
    const actions = call.actions.map(({ text, voice = null, loop = null, speed = null }) => ({
      text,
      voice,
      loop,
      speed,
    }));
    const says = actions.map(({ text }) => text);
    const about = { at: show(at, zoneOfTenant(tenant)), number, ...named(call), tenant: names.nameOf(tenant) };
    return { ...about, says, actions, answerUrl, phone: phoneOf(call), outcome };
  });
  const notPlaced = inOrder(recording.all("notPlaced")).map((each) => {
    const { at, nodeId, number, code, reason } = each;
    return { at: show(at, zoneOf(nodeId)), number, ...named(each), code, reason };
  });
  const inputs = inOrder(plan.inputs.map((input, index) => ({ ...input, index }))).map((input) => {
    const { at, kind, index } = input;
    const { status = null, body = null } = answers.get(index) ?? {};
    const target = kind === "post" || kind === "get" ? input.target : names.nameOf(input.target);
    return { at: show(at), kind, target, status, body: body === null ? null : read(body) };
  });
  const talks = placed.filter((call) => phoneOf(call) === "answered");
  return {
    from: show(plan.from),
    until: show(plan.until),
    seed: plan.seed,
    nodeRed,
    calls,
    notPlaced,
    inputs,
    requests: inOrder(recording.all("request")).map((each) => {
      const { at, tenant, action, target, outcome } = each;
      const about = { at: show(at, zoneOfTenant(tenant)), ...named(each), tenant: names.nameOf(tenant) };
      return { ...about, action, target, outcome };
    }),
    outside: recording.all("outside").map((each) => {
      const { at, type, given, answered } = each;
      const shown = read(given);
      return { at: show(at), ...named(each), type, given: isObject(shown) ? shown : {}, answered };
    }),
    errors: recording.all("error").map((each) => {
      const { at, code, message } = each;
      return { at: show(at), ...named(each), code, message };
    }),
    more: furtherOf(recording.all("more")).map((each) => {
      const { of, times, last } = each;
      return { ...named(each), of, times, last: show(Math.max(last, plan.from)) };
    }),
    figures: {
      calls: calls.length,
      notPlaced: notPlaced.length,
      busiestMinute: busiestMinute(placed, (at, tenant) => show(at, zoneOfTenant(tenant))),
      speechSeconds: Math.round(talks.reduce((sum, { speechMs }) => sum + speechMs, 0) / 1000),
      calledTwice: calledTwice(placed),
    },
    brokenOff,
  };
}

/** Adds up what nodes did beyond the first of their kind. */
function furtherOf(all: readonly EventOf<"more">[]): EventOf<"more">[] {
  const sums = new Map<string, EventOf<"more">>();
  for (const each of all) {
    const key = `${each.of} ${each.nodeId}`;
    const { times = 0 } = sums.get(key) ?? {};
    sums.set(key, { ...each, times: times + each.times });
  }
  return [...sums.values()];
}

/** Reads JSON as what it means, anything else as text. */
function read(answer: string): unknown {
  if (answer.split(/[[{]/, MOST_BRACKETS).length === MOST_BRACKETS) return answer;
  const meant: unknown = attempt(() => JSON.parse(answer));
  return meant === undefined ? answer : meant;
}

function inOrder<T extends { readonly at: number }>(list: readonly T[]): T[] {
  return [...list].sort((a, b) => a.at - b.at);
}

function busiestMinute(calls: readonly EventOf<"call">[], show: (at: number, tenant: string) => string) {
  const minutes = new Map<number, { readonly at: number; readonly tenant: string; calls: number }>();
  for (const { at, tenant } of calls) {
    const minute = Math.floor(at / 60_000) * 60_000;
    const entry = minutes.get(minute) ?? { at: minute, tenant, calls: 0 };
    minutes.set(minute, entry);
    entry.calls += 1;
  }
  // The first one of several.
  const [busiest] = [...minutes.values()].sort((a, b) => b.calls - a.calls);
  return busiest ? { at: show(busiest.at, busiest.tenant), calls: busiest.calls } : null;
}

/** A refused call has not rung. */
function calledTwice(calls: readonly EventOf<"call">[]) {
  const numbers = new Map<string, number>();
  for (const { number, outcome } of calls)
    if (outcome !== "rejected") numbers.set(number, (numbers.get(number) ?? 0) + 1);
  return [...numbers].flatMap(([number, count]) => (count > 1 ? [{ number, calls: count }] : []));
}

/**
 * Explains why, after which event, at which node, and what can be done.
 * @returns writes it with the texts of a language
 */
export function whyBrokenOff({ by, code }: Ended, recording: Recording, { names, zone }: Prepared, limit: number) {
  // A process that is ended for its events has gone on meanwhile.
  const isBehind = by === "too many events" || by === "foreign event";
  const at = formatInstant(isBehind ? recording.lastAt : recording.lastActAt, zone);
  const reached = formatInstant(recording.at, zone);
  const isStuck = by === "limit" && Date.now() - recording.toldAt > 2000;
  const named = (id: string) => oneLine(names.nameOf(id));
  const { receivedBy = "", busiest = "", most = 0 } = recording.head ?? {};
  const [circle] = recording.all("circle");
  const { message: broken = "" } = recording.all("broken")[0] ?? {};
  return (text: (key: Key, params?: Readonly<Record<string, unknown>>) => string): string => {
    const sentences = (...all: readonly string[]) => joined(text, "sentences", all.filter(Boolean));
    const withLast = (key: Key, params: object) =>
      sentences(text(key, { at, ...params }), receivedBy && text("endedLast", { node: named(receivedBy) }));
    if (by === "signal") return text("endedStopped", { at: reached });
    if (by === "memory" || /^RangeError: memory/.test(broken)) return withLast("endedMemory", {});
    if (by === "system") return withLast("endedSystem", {});
    if (by === "folder") return withLast("endedFolder", {});
    if (by === "too many events") {
      const [node, times] = recording.mostOf();
      const most = node && text("endedEventsMost", { node: named(node), times });
      return sentences(text("endedEvents", { at }), most, text("endedEventsTodo"));
    }
    if (by === "foreign event") return text("endedForeign", { at });
    if (isStuck) return withLast("endedStuck", { limit });
    if (by === "limit") {
      const messages = busiest && text("endedLimitMost", { node: named(busiest), most, last: named(receivedBy) });
      return sentences(text("endedLimit", { at: reached, limit }), messages, text("endedLimitTodo"));
    }
    if (circle) return text("endedCircle", { at, node: named(circle.nodeId), times: circle.times });
    if (broken !== "") return withLast("endedError", { error: oneLine(broken) });
    return withLast("endedExit", { code: recording.all("exit")[0]?.code ?? code });
  };
}
