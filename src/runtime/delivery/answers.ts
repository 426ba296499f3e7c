import type { NodeAPI, NodeMessage } from "node-red";
import { type Reason, SHOWN_AS, untilOf } from "../../backlog";
import { areaOf, type Call } from "../../backlog/call";
import { holdOf, type Job, type JobResult, type Outcome, type TenantClient } from "../../client";
import { hostZone, instantFormatter } from "../../hours";
import { perNode } from "../node-red/node-state";
import { flows } from "./flow-lifecycle";
import { ASK_LATER, type HttpAnswer, NOT_APPLIED, ofOutcome, ofParts, ofResult, waiting } from "./http-answer";

/** Statuses of what a repetition cannot change. */
const FINAL: readonly number[] = [202, 400, 403, 409, 500, 504];

/** After this, a waiting call is said to wait for its turn. Milliseconds. */
const TURN_MS = 2000;
/** After this, every request is answered. Milliseconds. */
const LIMIT_MS = 10_000;
/** After this, no other message is expected to come of the same request, e.g. over a second wire. Milliseconds. */
const OTHERS_MS = 100;

/** Requests that are not answered yet, by the id that their messages carry in `msg.webhook.id`. */
const open = perNode<OpenAnswer>("answer of a webhook");
/** Those whose calls have a deduplication key and have not ended, answered or not. */
const unfinished = perNode<OpenAnswer>("call of a webhook");

/** The job of a message, but for its request, which only the backlog keeps while it waits. */
interface Followed extends Omit<Job, "request"> {
  readonly client: Pick<TenantClient, "ask" | "lanes" | "options">;
  /** Its deduplication key, with the scope. */
  readonly key: string | undefined;
  /** Its call, or the one that has its key, once it has moved. */
  call: Call | undefined;
}

/** A message of a request, as far as its answer needs it. */
export interface OfRequest {
  /** Whether the next process goes on with it, unless it is recorded. */
  readonly kept: boolean;
  /** Its record, once Node-RED has stopped. */
  readonly recorded: { readonly outcome: Outcome; readonly isOpen: boolean } | undefined;
  /** Whether it does nothing twice if the request is repeated: it has a key, or has ended without an effect. */
  readonly isRepeatable: boolean;
}

/** The answer to a request, which waits for what becomes of its message, and answers those that repeat it meanwhile, too. */
export class OpenAnswer {
  readonly messages = new Set<OfRequest>();
  /** Of how many messages its own is one. */
  parts = 1;
  /** Whether the message was sent on; until then, nothing has happened. */
  isTaken = false;
  #job: Followed | undefined;
  /** The request that this one repeats, and those that repeat it. */
  #first: OpenAnswer | undefined;
  readonly #repetitions = new Set<OpenAnswer>();
  #isRepetition = false;
  #isLate = false;
  /** The answer that lets the sender repeat the request, until it is known whether another message has an effect. */
  #held: HttpAnswer | undefined;
  #decides: NodeJS.Timeout | undefined;
  #reply: (answer: HttpAnswer) => void;
  #timers: readonly NodeJS.Timeout[] = [];
  #whenForgotten: AbortController | undefined;

  constructor(
    readonly id: string,
    reply: (answer: HttpAnswer) => void,
    /** Whether the sender takes nothing but 200 for what a repetition cannot change. */
    private readonly isOnly200 = false,
  ) {
    this.#reply = reply;
    open.set(id, this);
    if (flows.stopping) this.stop(false);
  }

  /** The request is complete. From now on, it does not wait longer than it may. */
  begin(): void {
    if (!this.isOpen) return;
    const late = () => {
      this.#isLate = true;
      this.#look();
      this.#decide();
    };
    this.#timers = [setTimeout(late, TURN_MS), setTimeout(() => this.tell(this.#notYet), LIMIT_MS)];
  }

  get isOpen(): boolean {
    return open.get(this.id) === this;
  }

  /** Whether a message has failed, and the answer is about to follow. */
  get isHeld(): boolean {
    return this.#held !== undefined;
  }

  /** Resolves when the flows run, or when its request has an answer. */
  async untilRunning(): Promise<void> {
    if (!this.isOpen || flows.running) return;
    this.#whenForgotten = new AbortController();
    await flows.untilRunning(this.#whenForgotten.signal);
  }

  /** Forgets the answer, because nobody waits for it any more. */
  forget(): void {
    open.delete(this.id);
    if (this.#first) this.#first.#repetitions.delete(this);
    this.#reply = () => {};
    this.#whenForgotten?.abort();
    for (const timer of [...this.#timers, this.#decides]) clearTimeout(timer);
  }

  /**
   * Answers, once. What lets the sender repeat the request is held while another of its messages may have an effect.
   * @param isDecided no other message decides about it
   */
  tell(given: HttpAnswer, isDecided = !this.isTaken): void {
    if (!this.isOpen) return;
    const { parts, messages } = this;
    const mayRepeat = parts > 1 ? given.status === 503 : given.status >= 500;
    if (!isDecided && (mayRepeat || (this.#held && given.body["accepted"] !== true))) {
      if (mayRepeat && this.#held?.status !== 504) this.#held = given;
      this.#decideSoon();
      return;
    }
    const count = this.#held ? Math.max(parts, messages.size) : parts;
    const { body, ...answer } = count > 1 && !mayRepeat ? ofParts(count) : given;
    const status = this.isOnly200 && FINAL.includes(answer.status) ? 200 : answer.status;
    const reply = this.#reply;
    this.forget();
    reply({ ...answer, status, body: { ...body, ...(this.#isRepetition && { repeated: true }) } });
  }

  #decideSoon(): void {
    clearTimeout(this.#decides);
    if (flows.stopping) this.#decide();
    else if (this.#held) this.#decides = setTimeout(() => this.#decide(), OTHERS_MS);
  }

  /** Gives the answer that is held if a repetition does nothing twice; if it is too late to wait, that of several messages. */
  #decide(): void {
    if (!this.#held) return;
    const { size } = this.messages;
    const effects = [...this.messages].filter(({ isRepeatable, recorded }) => {
      return !isRepeatable && recorded?.outcome !== "not-applied" && recorded?.outcome !== "rejected";
    });
    // 504 is about a message that may have had an effect.
    const isSafe = effects.length <= (this.#held.status === 504 ? 1 : 0) && (this.parts === 1 || size >= this.parts);
    if (isSafe || (flows.stopping && size <= 1)) this.tell(this.#held, true);
    else if (this.#isLate || flows.stopping) this.tell(ofParts(Math.max(2, this.parts, size)), true);
  }

  /** Follows a call of its message. */
  follow(job: Job, client: Followed["client"]): void {
    const { request: _, ...rest } = job;
    const { scope, key: own } = job.deduplication ?? {};
    const key = own && JSON.stringify([scope, own]);
    this.#job = { ...rest, client, key, call: undefined };
    if (key !== undefined) unfinished.set(this.id, this);
  }

  moved(call: Call): void {
    if (this.#job) this.#job.call = call;
    if (call.stage === "ended") unfinished.delete(this.id);
    for (const each of [this, ...this.#repetitions]) each.#look();
  }

  /**
   * Answers when its message has ended at a node.
   * @param goesOn if it has succeeded, with what the node has read
   */
  settle(RED: NodeAPI, result: JobResult, goesOn = false): void {
    const { outcome } = (result.ok ? undefined : result.error.details.first) ?? {};
    if (result.ok && goesOn) {
      this.#job = undefined;
      this.#decideSoon();
    } else if (outcome === undefined) for (const each of [this, ...this.#repetitions]) each.tell(ofResult(RED, result));
    else this.#repeat(ofResult(RED, result), outcome, result.holder);
  }

  /** Answers a message whose deduplication key is taken. */
  #repeat({ body }: HttpAnswer, outcome: Outcome | "pending", call: Call | undefined): void {
    this.#isRepetition = true;
    const { client, key } = this.#job ?? {};
    const first = [...unfinished.values()].find((one) => one.#job?.key === key && one.#job?.client === client);
    if (outcome !== "pending") this.tell(ofOutcome(outcome, body));
    else if (first) {
      this.#first = first;
      first.#repetitions.add(this);
      this.#look();
    } else {
      // The first one came before the last start, or not from a webhook.
      if (this.#job && call) this.#job.call = call;
      this.#look();
      this.tell(this.#unknown("answer"));
    }
  }

  /** Answers because Node-RED stops. Calls in a file or in Redis go on after the next start; those in flight are answered as they end. */
  stop(isEnding: boolean): void {
    for (const each of [this, ...this.#repetitions]) each.#stop(isEnding);
  }

  #stop(isEnding: boolean): void {
    const messages = [...(this.#first ?? this).messages];
    const recorded = messages.flatMap(({ recorded: one }) => one ?? []);
    const call = this.#followed?.call;
    const area = call && areaOf(call);
    const isKept =
      messages.some(({ kept, recorded: one }) => kept && !one) || (recorded.length === 0 && area !== undefined);
    const isUnderWay = recorded.length > 0 ? recorded.some(({ isOpen }) => isOpen) : area === "inFlight";
    if (isUnderWay && !isEnding) return;
    // Of several calls, the one that may have rung counts.
    const [done] = (["unknown", "applied"] as const).filter((each) => recorded.some(({ outcome }) => outcome === each));
    if (done) this.tell(ofOutcome(done));
    else if (isUnderWay) this.tell(ofOutcome("unknown"));
    else
      this.tell(
        isKept ? waiting(area === "dated" ? "date" : "turn") : ofOutcome(recorded[0]?.outcome ?? "not-applied"),
      );
  }

  /** Answers if it is clear what its call waits for. */
  #look(): void {
    const { client, lane, call } = this.#followed ?? {};
    const area = call && areaOf(call);
    if (!client || !call || (area !== "dated" && area !== "waiting")) return;
    // Nothing but its turn keeps any other request.
    if (lane === "callOut") void client.ask((backlog) => this.#waits(backlog.whyWaits(call), call, client));
    else this.#waits("turn", call, client);
  }

  #waits(reason: Reason, call: Call, { lanes, options }: Followed["client"]): void {
    const waitsFor = SHOWN_AS[reason];
    if (waitsFor === "trouble") this.tell(this.#unknown(waitsFor));
    else if (waitsFor !== "turn" || this.#isLate) {
      const until = untilOf(reason, holdOf(lanes), call);
      const inZone = typeof until === "number" ? instantFormatter(options.timezone || hostZone())(until) : until;
      this.tell(waiting(waitsFor, inZone));
    }
  }

  get #followed(): Followed | undefined {
    return (this.#first ?? this).#job;
  }

  get #notYet(): HttpAnswer {
    if (!this.isTaken) return NOT_APPLIED;
    return this.#followed ? this.#unknown("answer") : waiting("flow");
  }

  /** A call in a file or in Redis is accepted. Where a key makes it safe, the sender of another one may ask again. */
  #unknown(waitsFor: "trouble" | "answer"): HttpAnswer {
    const { key, client } = this.#job ?? {};
    return key === undefined || client?.lanes.isDurable ? waiting(waitsFor) : ASK_LATER;
  }
}

/** The request of a message, while it is not answered. */
export function answerOf(message: NodeMessage): OpenAnswer | undefined {
  const { webhook, parts } = message as { readonly webhook?: { readonly id?: unknown }; readonly parts?: unknown };
  const answer = open.get(String(Object(webhook).id));
  // Those of a message that were put together again are one.
  if (answer) answer.parts = Number(Object(parts).count) || 1;
  return answer;
}

/** Answers because Node-RED stops, when all messages that have not ended are recorded. */
export function stopAnswering(isEnding: boolean): void {
  for (const answer of open.values()) answer.stop(isEnding);
}

/** Whether an output of a node leads anywhere. */
export function isWired(node: unknown, output = 0): boolean {
  const { wires = [] } = node as { readonly wires?: readonly (readonly string[])[] };
  return (wires[output]?.length ?? 0) > 0;
}
