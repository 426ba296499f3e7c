import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { isDeepStrictEqual } from "node:util";
import type { Request } from "express";
import type { NodeAPI, NodeDef } from "node-red";
import { ANSWERS } from "../../runtime/delivery/answers";
import { signedIdOf } from "../../runtime/node-red/webhook-schemes";
import { senderOf } from "../../runtime/node-red/webhook-secret";
import { sandboxOf } from "../../runtime/tenants/sandboxes";
import { runningTenants } from "../../runtime/tenants/tenants";
import type { SandboxState } from "../../sandbox";
import type { Expectation, FlowTest } from "../rehearsal/flow-test";
import type { WorldInput } from "../rehearsal/world";
import { headersWithoutSecrets, pathWithoutSecrets, secretsOf } from "./secrets";

interface SendEvent {
  readonly msg: {
    readonly req?: Request;
    readonly payload?: unknown;
    /** Of a webhook, whose message has a request only if the flow answers it. */
    readonly webhook?: { readonly id: string; readonly path: string; readonly query?: object };
    readonly requestId?: string;
  };
  readonly source: { readonly id: string; readonly node: NodeDef & Readonly<Record<string, unknown>> };
}

interface RecordedInput {
  readonly at: number;
  readonly input: object;
  /** Of the message of a webhook that answers by itself, perhaps before it sends the message. */
  readonly id?: string | undefined;
  status?: number | undefined;
}

interface Hooks {
  add(name: string, callback: (events: readonly SendEvent[]) => void): void;
  remove(name: string): void;
}

const HOOK = "onSend.telephonyRecorder";
const MOST_INPUTS = 1000;
/** After the last input, for what the flow does later. Milliseconds. */
const AFTERWARDS_MS = 10 * 60_000;
const MINUTE_MS = 60_000;

/** Records the inputs of the flows: requests to webhooks and HTTP In nodes, and presses of inject buttons. */
export class Recorder {
  readonly #inputs: RecordedInput[] = [];
  /** The answers of webhooks, by the id of the message. */
  readonly #answers = new Map<string, number>();
  readonly #startedAt = Date.now();
  readonly #seen = new WeakSet<object>();

  constructor(private readonly RED: NodeAPI) {
    this.#hooks.add(HOOK, ([event]) => event && this.#sent(event));
    subscribe(ANSWERS, this.#answered);
  }

  get count(): number {
    return this.#inputs.length;
  }

  /** Makes a test of a recording: the same inputs, the same answers of the phones, and the same calls expected. */
  async stop(): Promise<FlowTest> {
    this.#hooks.remove(HOOK);
    unsubscribe(ANSWERS, this.#answered);
    const sandboxes: { readonly id: string; readonly state: SandboxState }[] = [];
    for (const { id } of runningTenants()) {
      const sandbox = await sandboxOf(id);
      if (sandbox) sandboxes.push({ id, state: sandbox.state });
    }
    const from = Math.floor(this.#startedAt / MINUTE_MS) * MINUTE_MS;
    const until = Math.ceil((Date.now() + AFTERWARDS_MS) / MINUTE_MS) * MINUTE_MS;
    const calls = sandboxes.flatMap(({ state }) => callsSince(state, this.#startedAt));
    const when = this.#inputs.map(({ at, input }) => ({ at: `+${(at - from) / 1000}s`, ...input }) as WorldInput);
    const responses = this.#inputs.flatMap(({ id = "", status = this.#answers.get(id) }, index) =>
      status === undefined ? [] : [{ response: index + 1, status }],
    );
    const expected = calls.map(({ number, text }): Expectation => ({ call: number, ...(text && { says: text }) }));
    const phones = Object.fromEntries(
      calls.flatMap(({ number, behaviour }) => (behaviour ? [[number, behaviour]] : [])),
    );
    const schedules = Object.fromEntries(sandboxes.map(({ id, state }) => [id, state.schedules.all()]));
    return {
      name: `Recorded ${new Date(from).toISOString().slice(0, 16).replace("T", " ")}`,
      from: new Date(from).toISOString(),
      until: new Date(until).toISOString(),
      world: { schedules, phones },
      when,
      then: [...expected, { nobodyElse: true }, ...responses],
    };
  }

  get #hooks(): Hooks {
    return (this.RED as unknown as { readonly hooks: Hooks }).hooks;
  }

  #sent({ msg, source: { id, node } }: SendEvent): void {
    if (this.#inputs.length >= MOST_INPUTS) return;
    const { req, webhook } = msg;
    const isWebhook = node.type === "telephony-webhook" && webhook !== undefined;
    if (isWebhook || (node.type === "http in" && req && !this.#seen.has(req))) {
      const given = req ?? received(msg, node);
      const recorded: RecordedInput = { at: Date.now(), input: requestOf(this.RED, given), id: webhook?.id };
      this.#inputs.push(recorded);
      if (req) this.#seen.add(req);
      req?.res?.once("finish", () => {
        recorded.status = req.res?.statusCode;
      });
    } else if (node.type === "inject" && !node["repeat"] && !node["crontab"] && !node["once"])
      // One that repeats fires in a rehearsal, too.
      this.#inputs.push({ at: Date.now(), input: { inject: id } });
  }

  readonly #answered = (message: unknown): void => {
    const { id, status } = message as { readonly id: string; readonly status: number };
    this.#answers.set(id, status);
  };
}

type Received = Pick<Request, "method" | "originalUrl" | "headers" | "body">;

/** The request of a webhook that answers by itself, from its message. */
function received({ webhook, requestId, payload }: SendEvent["msg"], node: SendEvent["source"]["node"]): Received {
  const query = new URLSearchParams(webhook?.query as Record<string, string>);
  const isGet = String(node["get"]) === "true" && isDeepStrictEqual(payload, webhook?.query);
  const headers = { [signedIdOf(senderOf(node)) ?? "idempotency-key"]: requestId };
  const originalUrl = `/${webhook?.path}${query.size > 0 ? `?${query}` : ""}`;
  return { method: isGet ? "GET" : "POST", originalUrl, headers, body: isGet ? undefined : payload };
}

function requestOf(RED: NodeAPI, { method, originalUrl, headers, body }: Received): object {
  const secrets = secretsOf(RED);
  const root = String((RED.settings as { httpNodeRoot?: unknown }).httpNodeRoot || "/").replace(/\/$/, "");
  const path = originalUrl.startsWith(`${root}/`) ? originalUrl.slice(root.length) : originalUrl;
  const hasBody = typeof body === "string" || (typeof body === "object" && body !== null && !Buffer.isBuffer(body));
  const own = headersWithoutSecrets(headers, secrets);
  return {
    post: pathWithoutSecrets(path, secrets),
    ...(method !== "POST" && { method }),
    ...(Object.keys(own).length > 0 && { headers: own }),
    ...(hasBody && Object.keys(body as object).length > 0 && { body: body as unknown }),
  };
}

/** The behaviours of a phone, as a test sets them. */
const BEHAVIOURS = { declined: "declines", unanswered: "never answers", talking: "answers", ended: "answers" } as const;

function callsSince({ calls, phones }: SandboxState, start: number) {
  return calls.newest().flatMap(({ callId, direction, to, events }) => {
    if (direction !== "outbound" || Date.parse(events[0]?.at ?? "") < start || !to?.number) return [];
    const phone = phones.of(callId);
    const isPattern = /^\d{1,20}$/.test(to.number);
    const behaviour = isPattern && phone && phone.state !== "ringing" ? BEHAVIOURS[phone.state] : undefined;
    return [{ number: to.number, text: phone?.spoken[0]?.text, behaviour }];
  });
}
