import { type EventEmitter, once } from "node:events";

export type ConnectPhase = "dns" | "connect" | "proxy" | "tls";

/** The reason why there is no connection. Nothing of a request was sent. */
export class ConnectError extends Error {
  constructor(
    readonly phase: ConnectPhase,
    /** The system's or OpenSSL's error code, `TIMEOUT`, or the proxy's HTTP status. */
    readonly sys: string,
    /** Another attempt would fail in the same way. */
    readonly final = false,
  ) {
    super(`no connection (${phase}): ${sys}`);
  }
}

const VERIFICATION =
  /CERT|CRL|SELF_SIGNED|UNABLE_TO|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH|HOSTNAME_MISMATCH|_UNTRUSTED|_REJECTED/;

/** Whether a TLS failure is about the certificate of the service or the proxy: another attempt would fail in the same way. */
export function isCertificateProblem(error: ConnectError): boolean {
  return (
    (error.phase === "tls" || error.phase === "proxy") &&
    VERIFICATION.test(error.sys) &&
    !error.sys.startsWith("ERR_SSL_")
  );
}

interface Opened extends EventEmitter {
  destroy(): unknown;
}

/** The sockets that were opened for one connection, phase by phase, with one timer for all of them. */
export class ConnectAttempt {
  phase: ConnectPhase = "dns";
  readonly #opened: Opened[] = [];
  readonly #over = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(limitMs: number) {
    const giveUp = () => this.#over.abort(new ConnectError(this.phase, "TIMEOUT"));
    // After a blocked event loop the connection may be open already: let sockets report it before giving up.
    this.#timer = setTimeout(() => setImmediate(() => setImmediate(giveUp)), Math.max(limitMs, 0));
  }

  /** Begins a phase. An exception is final: the same arguments would be refused again. */
  open<T extends Opened>(phase: ConnectPhase, begin: () => T): T {
    this.phase = phase;
    try {
      return this.own(begin());
    } catch (error) {
      throw new ConnectError(phase, systemWord(error as Error), true);
    }
  }

  own<T extends Opened>(opened: T): T {
    // Without a listener, an error between two phases or after giving up would end the process.
    opened.on("error", () => {});
    this.#opened.push(opened);
    return opened;
  }

  /** Resolves to the arguments of an event. Rejects with an error of the emitter, or when the time is up. */
  event(emitter: EventEmitter, name: string): Promise<unknown[]> {
    return once(emitter, name, { signal: this.#over.signal });
  }

  /** Destroys all that was opened, the last first. Returns why there is no connection. */
  fail(error: unknown): ConnectError {
    for (const opened of this.#opened.reverse()) opened.destroy();
    if (error instanceof ConnectError) return error;
    const { aborted, reason } = this.#over.signal;
    return aborted ? (reason as ConnectError) : new ConnectError(this.phase, systemWord(error as Error));
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#over.abort();
  }
}

/** The code of an error; the beginning of its message if it has none. */
export function systemWord(error: Error): string {
  const code: unknown = "code" in error ? error.code : undefined;
  // If several addresses failed, the reason of the first is reported.
  const [first] = error instanceof AggregateError ? (error.errors as Error[]) : [];
  return typeof code === "string" ? code : first ? systemWord(first) : error.message.slice(0, 80);
}
