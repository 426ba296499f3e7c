import { channel } from "node:diagnostics_channel";
import type { NodeMessage } from "node-red";
import type { Job, JobResult, Outcome, TenantClient, TenantError } from "../../client";
import { perNode, perObject } from "../node-red/node-state";
import { flows } from "./flow-lifecycle";

/**
 * Answers to requests of webhooks, which wait for what becomes of their messages. The mailbox and the places where a call waits
 * report here; no node knows of another. See docs/contract: 2xx for what is placed, or accepted and waiting; a failure for what
 * failed; and what is not known yet is 503 where a key makes it safe to ask again, else 202, so that nobody asks again.
 */

/** What a request is answered with. */
export interface HttpAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  /** Seconds. */
  readonly retryAfter?: number;
}

/** Each answer of a webhook, `{id, status}`, by the id of the message. */
export const ANSWERS = "cloud-telephony:webhook:answer";
const answers = channel(ANSWERS);

/** After this, a waiting call is said to wait for its turn. Milliseconds. */
const TURN_MS = 2000;
/** After this, every request is answered. Milliseconds. */
const LIMIT_MS = 10_000;
/** Not known yet: the sender may ask again after some seconds. */
const ASK_LATER: HttpAnswer = { status: 503, body: { accepted: false, outcome: "pending" }, retryAfter: 5 };

const STATUS: Readonly<Record<string, number>> = {
  ...{ ERR_INPUT: 400, ERR_BLOCKED: 403, ERR_EXPIRED: 409, ERR_CANCELLED: 409, ERR_DROPPED: 409 },
  ...{ ERR_BACKLOG_FULL: 503, ERR_RATE_LIMITED: 503, ERR_ENGINE: 503, ERR_CONFIG: 500, ERR_AUTH: 500 },
};

/** Requests that are not answered yet, by the id that their messages carry in `msg.webhook.id`. */
const open = perNode<OpenAnswer>("answer of a webhook");
/** The calls with a deduplication key that webhooks have brought and that have not ended, by client and key. */
const firsts = perObject<object, Map<string, Call>>("calls of webhooks");

/** A call-out of a message that a webhook has brought, as far as it has come. */
export class Call {
  place: "dated" | "waiting" | "inFlight" | undefined;
  /** Repetitions that wait for its end. */
  readonly repetitions: OpenAnswer[] = [];
  readonly key: string | undefined;

  constructor(
    readonly answer: OpenAnswer,
    readonly job: Job,
    readonly client: Pick<TenantClient, "lanes">,
  ) {
    const { deduplication } = job;
    this.key = deduplication && JSON.stringify([deduplication.scope, deduplication.key]);
    const all = firsts.get(client) ?? new Map<string, Call>();
    firsts.set(client, all);
    if (this.key !== undefined && !all.has(this.key)) all.set(this.key, this);
  }

  /** The call that has taken the key. */
  get first(): Call | undefined {
    return this.key === undefined ? undefined : firsts.get(this.client)?.get(this.key);
  }

  move(place: Call["place"]): void {
    this.place = place;
    for (const each of [this.answer, ...this.repetitions]) each.look(this);
  }

  tell(answer: HttpAnswer): void {
    if (this.key !== undefined && this.first === this) firsts.get(this.client)?.delete(this.key);
    for (const each of [this.answer, ...this.repetitions]) each.tell(answer);
  }
}

/** Follows a call-out, if a webhook has brought its message. */
export function callOf(message: NodeMessage, job: Job, client: TenantClient): Call | undefined {
  const answer = answerOf(message);
  if (answer) answer.call = new Call(answer, job, client);
  return answer?.call;
}

/** A request that waits for its answer. */
class OpenAnswer {
  call: Call | undefined;
  isRepetition = false;
  readonly #id: string;
  readonly #reply: (answer: HttpAnswer) => void;
  readonly #timers: readonly NodeJS.Timeout[];

  constructor(id: string, reply: (answer: HttpAnswer) => void) {
    this.#id = id;
    this.#reply = reply;
    const turn = () => this.call?.place === "waiting" && this.tell(waiting("turn"));
    this.#timers = [setTimeout(turn, TURN_MS), setTimeout(() => this.tell(this.#notYet), LIMIT_MS)];
  }

  get isOpen(): boolean {
    return open.get(this.#id) === this;
  }

  /** The flow answers. */
  forget(): void {
    open.delete(this.#id);
    for (const timer of this.#timers) clearTimeout(timer);
  }

  /** Answers, once. */
  tell({ body, ...answer }: HttpAnswer): void {
    if (!this.isOpen) return;
    this.forget();
    answers.publish({ id: this.#id, status: answer.status });
    this.#reply({ ...answer, body: { ...body, ...(this.isRepetition && { repeated: true }) } });
  }

  /** Answers if it is clear what a call waits for. */
  look({ place, job, client }: Call): void {
    if (place === undefined || place === "inFlight") return;
    const { paused, callingHours, heldUntil } = client.lanes;
    if (place === "dated") this.tell(waiting("date", new Date(job.notBefore ?? 0).toISOString()));
    else if (paused) this.tell(waiting("pause"));
    else if (callingHours?.isOpen === false && !job.anytime) this.tell(waiting("hours", callingHours.opensAt));
    else if (heldUntil !== undefined) this.tell(this.#unknown("trouble"));
  }

  get #notYet(): HttpAnswer {
    return this.call ? this.#unknown("answer") : { status: 202, body: { accepted: true, waitsFor: "flow" } };
  }

  /** Where a key makes it safe, the sender may ask again. */
  #unknown(waitsFor: "trouble" | "answer"): HttpAnswer {
    if (!this.call?.job.deduplication && !this.isRepetition) return waiting(waitsFor);
    return ASK_LATER;
  }
}

function waiting(waitsFor: string, until?: string | null): HttpAnswer {
  return { status: 202, body: { accepted: true, waitsFor, ...(until && { until }) } };
}

/** Answers a request as soon as it is known what becomes of its message. `reply` is called once, after ten seconds at the latest. */
export function answerLater(id: string, reply: (answer: HttpAnswer) => void): OpenAnswer {
  const answer = new OpenAnswer(id, reply);
  open.set(id, answer);
  if (flows.stopping) answer.tell(ofOutcome("not-applied"));
  return answer;
}

/** The request of a message, while it is not answered. */
function answerOf(message: NodeMessage): OpenAnswer | undefined {
  const { webhook } = message as { readonly webhook?: { readonly id?: unknown } };
  return open.get(String(Object(webhook).id));
}

/**
 * A message has ended.
 * @param wordsOf the words for an error, in the server's language
 */
export function settled(
  message: NodeMessage,
  call: Call | undefined,
  result: JobResult,
  wordsOf: (error: TenantError) => string,
): void {
  const answer = answerOf(message) ?? call?.answer;
  if (!answer) return;
  const first = result.ok ? undefined : result.error.details.first;
  if (!first) {
    const outcome = result.ok ? ofOutcome("applied") : ofError(result.error, wordsOf(result.error));
    if (call) call.tell(outcome);
    else answer.tell(outcome);
    return;
  }
  answer.isRepetition = true;
  const before = call?.first;
  if (first.outcome !== "pending") answer.tell(ofOutcome(first.outcome));
  else if (!before) answer.tell(ASK_LATER);
  else {
    before.repetitions.push(answer);
    answer.look(before);
  }
}

/** Answers at once: an incident is stored, or a gate has let a message go nowhere. */
export function answered(message: NodeMessage, status: number, body: HttpAnswer["body"]): void {
  answerOf(message)?.tell({ status, body });
}

/** Node-RED stops, and the file of unfinished messages has this outcome. */
export function unfinished(message: NodeMessage, outcome: Outcome): void {
  answerOf(message)?.tell(ofOutcome(outcome));
}

/** Node-RED stops. What waits in a file or in Redis goes on after the next start; what is in flight is answered when it ends. */
export function stopAnswering(isEnding: boolean): void {
  for (const answer of open.values()) {
    const { place } = answer.call ?? {};
    if (place === undefined) answer.tell(ofOutcome("not-applied"));
    else if (place !== "inFlight") answer.tell(waiting(place === "dated" ? "date" : "turn"));
    else if (isEnding) answer.tell(ofOutcome("unknown"));
  }
}

const OF_OUTCOME = { applied: 200, unknown: 504, rejected: 503, "not-applied": 503 } as const;

function ofOutcome(outcome: Outcome): HttpAnswer {
  return {
    status: OF_OUTCOME[outcome],
    body: outcome === "applied" ? { accepted: true } : { accepted: false, outcome },
  };
}

function ofError({ code, outcome, details: { retryAfterMs } }: TenantError, message: string): HttpAnswer {
  const status = outcome === "unknown" ? OF_OUTCOME.unknown : (STATUS[code] ?? 502);
  const retryAfter = status === 503 && retryAfterMs !== undefined && { retryAfter: Math.ceil(retryAfterMs / 1000) };
  return { status, body: { accepted: false, code, outcome, message }, ...retryAfter };
}

/** Whether an output of a node leads anywhere. */
export function isWired(node: unknown, output = 0): boolean {
  const { wires = [] } = node as { readonly wires?: readonly (readonly string[])[] };
  return (wires[output]?.length ?? 0) > 0;
}
