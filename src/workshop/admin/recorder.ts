import type { Request } from "express";
import type { NodeAPI, NodeDef } from "node-red";
import { sandboxOf } from "../../runtime/tenants/sandboxes";
import { runningTenants } from "../../runtime/tenants/tenants";
import type { SandboxState } from "../../sandbox";
import type { Expectation, FlowTest } from "../rehearsal/flow-test";
import type { World, WorldInput } from "../rehearsal/world";
import { headersWithoutSecrets, pathWithoutSecrets, secretsOf } from "./secrets";

interface SendEvent {
  readonly msg: { readonly req?: Request };
  readonly source: { readonly id: string; readonly node: NodeDef & Readonly<Record<string, unknown>> };
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

/** Records the inputs of the flows: requests to HTTP In nodes, and presses of inject buttons. */
export class Recorder {
  readonly #inputs: { readonly at: number; readonly input: object; status?: number | undefined }[] = [];
  readonly #startedAt = Date.now();
  readonly #seen = new WeakSet<object>();

  constructor(private readonly RED: NodeAPI) {
    this.#hooks.add(HOOK, ([event]) => event && this.#sent(event));
  }

  get count(): number {
    return this.#inputs.length;
  }

  /** Makes a test of a recording: the same inputs, the same answers of the phones, and the same calls expected. */
  async stop(): Promise<FlowTest> {
    this.#hooks.remove(HOOK);
    const sandboxes = await this.#sandboxes();
    const from = Math.floor(this.#startedAt / MINUTE_MS) * MINUTE_MS;
    const until = Math.ceil((Date.now() + AFTERWARDS_MS) / MINUTE_MS) * MINUTE_MS;
    const calls = sandboxes.flatMap(({ state }) => callsSince(state, this.#startedAt));
    const when = this.#inputs.map(({ at, input }) => ({ at: `+${(at - from) / 1000}s`, ...input }) as WorldInput);
    const responses = this.#inputs.flatMap(({ status }, index) =>
      status === undefined ? [] : [{ response: index + 1, status }],
    );
    const expected = calls.map(({ number, text }): Expectation => ({ call: number, ...(text && { says: text }) }));
    const phones = Object.fromEntries(
      calls.flatMap(({ number, behaviour }) => (behaviour ? [[number, behaviour]] : [])),
    );
    const schedules = Object.fromEntries(sandboxes.map(({ id, state }) => [id, state.schedules.all()]));
    const world: World = { schedules, ...(Object.keys(phones).length > 0 && { phones }) };
    return {
      name: `Recorded ${new Date(from).toISOString().slice(0, 16).replace("T", " ")}`,
      from: new Date(from).toISOString(),
      until: new Date(until).toISOString(),
      world,
      when,
      then: [...expected, { nobodyElse: true }, ...responses],
    };
  }

  get #hooks(): Hooks {
    return (this.RED as unknown as { readonly hooks: Hooks }).hooks;
  }

  #sent({ msg, source: { id, node } }: SendEvent): void {
    if (this.#inputs.length >= MOST_INPUTS) return;
    if (node.type === "http in" && msg.req && !this.#seen.has(msg.req)) {
      this.#seen.add(msg.req);
      const recorded = {
        at: Date.now(),
        input: requestOf(this.RED, msg.req),
        status: undefined as number | undefined,
      };
      this.#inputs.push(recorded);
      msg.req.res?.once("finish", () => {
        recorded.status = msg.req?.res?.statusCode;
      });
    } else if (node.type === "inject" && !node["repeat"] && !node["crontab"] && !node["once"])
      // One that repeats fires in a rehearsal, too.
      this.#inputs.push({ at: Date.now(), input: { inject: id } });
  }

  async #sandboxes(): Promise<{ readonly id: string; readonly state: SandboxState }[]> {
    const found = await Promise.all(
      runningTenants().map(async ({ id }) => ({ id, state: (await sandboxOf(id))?.state })),
    );
    return found.flatMap(({ id, state }) => (state ? [{ id, state }] : []));
  }
}

function requestOf(RED: NodeAPI, { method, originalUrl, headers, body }: Request): object {
  const secrets = secretsOf(RED);
  const root = String((RED.settings as { httpNodeRoot?: unknown }).httpNodeRoot || "/").replace(/\/$/, "");
  const path = originalUrl.startsWith(root) ? originalUrl.slice(root.length) : originalUrl;
  const hasBody = typeof body === "string" || (typeof body === "object" && body !== null && !Buffer.isBuffer(body));
  const own = headersWithoutSecrets(headers, secrets);
  return {
    post: pathWithoutSecrets(path, secrets),
    ...(method !== "POST" && { method }),
    ...(Object.keys(own).length > 0 && { headers: own }),
    ...(hasBody && Object.keys(body as object).length > 0 && { body: body as unknown }),
  };
}

interface RecordedCall {
  readonly number: string;
  readonly text: string | undefined;
  readonly behaviour: "answers" | "declines" | "never answers" | undefined;
}

function callsSince({ calls, phones }: SandboxState, start: number): RecordedCall[] {
  return calls.newest().flatMap(({ callId, direction, to, events }) => {
    if (direction !== "outbound" || Date.parse(events[0]?.at ?? "") < start || !to?.number) return [];
    const phone = phones.of(callId);
    const isPattern = /^\d{1,20}$/.test(to.number);
    const behaviours = {
      declined: "declines",
      unanswered: "never answers",
      talking: "answers",
      ended: "answers",
    } as const;
    const state = phone?.state;
    const behaviour = isPattern && state && state !== "ringing" ? behaviours[state] : undefined;
    return [{ number: to.number, text: phone?.spoken[0]?.text, behaviour }];
  });
}
