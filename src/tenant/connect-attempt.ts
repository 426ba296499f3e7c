/** How far an attempt to connect had come. */
export type ConnectPhase = "dns" | "connect" | "proxy" | "tls";

/** Why there is no connection. Nothing of a request has left when this is thrown. */
export class ConnectError extends Error {
  constructor(
    readonly phase: ConnectPhase,
    /** The system's or OpenSSL's word, `TIMEOUT`, or the proxy's HTTP status. */
    readonly sys: string,
  ) {
    super(`no connection (${phase}): ${sys}`);
  }
}

const VERIFICATION =
  /CERT|CRL|SELF_SIGNED|UNABLE_TO|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH|HOSTNAME_MISMATCH|_UNTRUSTED|_REJECTED/;

/** Whether a TLS failure is about the certificate, which trying again cannot mend. */
export function isCertificateProblem(error: ConnectError): boolean {
  return error.phase === "tls" && VERIFICATION.test(error.sys) && !error.sys.startsWith("ERR_SSL_");
}

/** One timer for all phases; knows the phase it strikes in and what is to be torn down. */
export class ConnectAttempt {
  phase: ConnectPhase = "dns";
  readonly #timer: NodeJS.Timeout;
  #abandon: ((error: ConnectError) => void) | undefined;

  constructor(limitMs: number) {
    // After a blocked event loop the connection may be there already: the sockets get a turn before the verdict.
    this.#timer = setTimeout(
      () => setImmediate(() => setImmediate(() => this.#abandon?.(new ConnectError(this.phase, "TIMEOUT")))),
      limitMs,
    );
  }

  /** Waits for one phase; whatever ends it first wins, and `close` tears down what the phase had begun. */
  phaseOf<T>(
    phase: ConnectPhase,
    begin: (done: (value: T) => void, fail: (error: Error) => void) => () => void,
  ): Promise<T> {
    this.phase = phase;
    return new Promise<T>((resolve, reject) => {
      const fail = (error: Error) => {
        this.#abandon = undefined;
        close();
        reject(error instanceof ConnectError ? error : new ConnectError(this.phase, systemWord(error)));
      };
      const close = begin((value) => {
        this.#abandon = undefined;
        resolve(value);
      }, fail);
      this.#abandon = fail;
    });
  }

  end(): void {
    this.#abandon = undefined;
    clearTimeout(this.#timer);
  }
}

function systemWord(error: Error): string {
  const code: unknown = "code" in error ? error.code : undefined;
  // Several addresses tried and all failed: the first one's reason stands for them.
  const [first] = error instanceof AggregateError ? (error.errors as Error[]) : [];
  return typeof code === "string" ? code : first ? systemWord(first) : error.message.slice(0, 80);
}
