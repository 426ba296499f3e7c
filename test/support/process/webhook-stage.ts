import { setImmediate as nextTurn } from "node:timers/promises";
import { LiveTenant } from "../live-tenant";
import { at, change, type FlowNode, NodeRed, page } from "./node-red";
import { userFolder } from "./user-folder";

export const SECRET = "a secret of the webhook's test";
export const NUMBER = "84901234567";
export const ORDER = { phone: NUMBER };
export const BY_SECRET = { "x-call-secret": SECRET };

/** The content of a call that says something. */
export const SAYS = { actions: [{ action: "talk", text: "Hello", textType: "str" }], actionsType: "list" };

/** The answer of a webhook. */
export interface Told {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Headers;
}

/** The environment of Node-RED. */
const ENV = { CALL_SECRET: SECRET, CORE_PATH: "/orders" };

/** A Node-RED with a webhook at /orders, whose messages go to a `call-out` and into a list. */
export class WebhookStage {
  private constructor(
    readonly folder: string,
    readonly tenant: LiveTenant,
    public nodeRed: NodeRed,
  ) {}

  /** @param options of Node-RED's command */
  static async start(...options: string[]): Promise<WebhookStage> {
    const folder = await userFolder();
    const tenant = await LiveTenant.start();
    return new WebhookStage(folder, tenant, await NodeRed.start(folder, ENV, ...options));
  }

  end(): void {
    this.nodeRed.kill();
    this.tenant.stop();
  }

  async restart(): Promise<void> {
    this.nodeRed = await NodeRed.start(this.folder, ENV);
  }

  flow(webhook: object = {}, call: object = {}, more: readonly FlowNode[] = [], tenant: object = {}): FlowNode[] {
    const toTenant = { url: this.tenant.url, mode: "live", engine: "memory", timeout: "120", fromNumber: "0000000000" };
    const toNumber = { toNumber: "payload.phone", toNumberType: "msg", toKind: "external", toKindType: "str" };
    const of = { path: "orders", credentials: { secret: SECRET } };
    return [
      { id: "tab", type: "tab", label: "Orders" },
      {
        ...{ id: "tenant", type: "telephony-tenant", credentials: { token: "token-of-the-webhook" } },
        ...{ ...toTenant, onTrouble: "fail", ...tenant },
      },
      { ...at("hook", "telephony-webhook", of, ["call", "seen"]), ...webhook },
      { ...at("call", "call-out", { tenant: "tenant", ...toNumber, ...SAYS, target: "-" }, []), ...call },
      change("seen", '$append($globalContext("seen"), [$$])', [], "seen", "global"),
      page("/seen", "show"),
      change("show", '$append([], $globalContext("seen"))', ["shown"]),
      at("shown", "http response", { headers: { "content-type": "application/json" } }),
      ...more,
    ];
  }

  /** Deploys to a Node-RED that is as good as new. */
  async deploy(...parts: Parameters<WebhookStage["flow"]>): Promise<void> {
    await this.nodeRed.renew();
    await this.nodeRed.deploy(this.flow(...parts));
  }

  /** The messages that the webhook has sent. */
  async seen(): Promise<readonly Readonly<Record<string, unknown>>[]> {
    return (await (await fetch(`${this.nodeRed.url}/seen`)).json()) as Readonly<Record<string, unknown>>[];
  }

  /** @param body JSON, unless it is text or bytes */
  async send(body: unknown, headers: object = BY_SECRET, path = "/orders", method = "POST"): Promise<Told> {
    const isRaw = typeof body === "string" || Buffer.isBuffer(body);
    const answer = await fetch(this.nodeRed.url + path, {
      method,
      headers: { ...(!isRaw && { "content-type": "application/json" }), ...headers },
      ...(method === "POST" && { body: isRaw ? (body as string) : JSON.stringify(body) }),
    });
    const text = await answer.text();
    // What was printed before has been read.
    await nextTurn();
    return { status: answer.status, body: text.startsWith("{") ? JSON.parse(text) : {}, headers: answer.headers };
  }

  /** The numbers that were called, in order. */
  get rung(): readonly string[] {
    // A probe rings nobody.
    return this.tenant.received.flatMap(({ body }) => (body ? [String(Object(body)["to.number"])] : []));
  }
}
