import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { FaultName } from "./catalogue";
import type { FaultServerOptions } from "./fault-server";
import { type ConnectionRecord, Ledger } from "./ledger";
import type { MixOptions } from "./mix";

type Name = "good" | FaultName;

/** A plan as plain data. */
export type Order = { always: Name } | { inTurn: [Name, ...Name[]] } | { mix: MixOptions };

/** The parent's requests to the child, and the replies. */
export interface Requests {
  start: { options: FaultServerOptions };
  behave: { order: Order };
  ledger: Record<never, never>;
  refuse: Record<never, never>;
  listen: Record<never, never>;
  restart: { downMs: number };
}
export type Request = { [Ask in keyof Requests]: { ask: Ask } & Requests[Ask] }[keyof Requests];
export type Reply = { url: string; connections: ConnectionRecord[] };

/**
 * A {@link FaultServer} in a process of its own: for tests that block the event loop, measure memory or kill the server.
 */
export class FaultServerProcess {
  url = "";

  readonly #exited = new AbortController();
  #lastAnswer: Promise<unknown> = Promise.resolve();

  private constructor(private readonly child: ChildProcess) {
    child.once("exit", () => this.#exited.abort());
  }

  static async start(options: FaultServerOptions = {}): Promise<FaultServerProcess> {
    const server = new FaultServerProcess(
      // The debugger's and the coverage tool's arguments are for the parent alone.
      fork(join(__dirname, "fault-server-child.js"), { serialization: "advanced", execArgv: [] }),
    );
    server.url = (await server.#ask({ ask: "start", options })).url;
    return server;
  }

  behave = async (order: Order): Promise<void> => void (await this.#ask({ ask: "behave", order }));
  refuse = async (): Promise<void> => void (await this.#ask({ ask: "refuse" }));
  listen = async (): Promise<void> => void (await this.#ask({ ask: "listen" }));
  restart = async (downMs = 0): Promise<void> => void (await this.#ask({ ask: "restart", downMs }));

  /** A copy of the current ledger. */
  async ledger(): Promise<Ledger> {
    return new Ledger((await this.#ask({ ask: "ledger" })).connections);
  }

  /** Stops as a machine that loses power, but for the resets its kernel still sends. */
  async stop(): Promise<void> {
    const exited = once(this.child, "exit");
    this.child.kill("SIGKILL");
    await exited;
  }

  /** Sends one request at a time, since answers carry no number. Rejects when the child ends meanwhile. */
  #ask(request: Request): Promise<Reply> {
    const answer = this.#lastAnswer.then(async () => {
      const reply = once(this.child, "message", { signal: this.#exited.signal });
      this.child.send(request);
      return ((await reply) as [Reply])[0];
    });
    this.#lastAnswer = answer.catch(() => {});
    return answer;
  }
}
