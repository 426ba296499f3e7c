/** How far an attempt to connect had come. */
export type ConnectPhase = "dns" | "connect" | "proxy" | "tls";

/** Why there is no connection. Nothing of a request has left when this is thrown. */
export class ConnectError extends Error {
  constructor(
    readonly phase: ConnectPhase,
    /** The system's or OpenSSL's word, `TIMEOUT`, or the proxy's HTTP status. */
    readonly sys: string,
    /** Trying again cannot mend it. */
    readonly final = false,
  ) {
    super(`no connection (${phase}): ${sys}`);
  }
}

const VERIFICATION =
  /CERT|CRL|SELF_SIGNED|UNABLE_TO|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH|HOSTNAME_MISMATCH|_UNTRUSTED|_REJECTED/;

/** Whether a TLS failure is about the service's certificate, which trying again cannot mend. */
export function isCertificateProblem(error: ConnectError): boolean {
  return error.phase === "tls" && VERIFICATION.test(error.sys) && !error.sys.startsWith("ERR_SSL_");
}

/** A socket or a request that a phase has opened. */
interface Opened {
  destroy(): unknown;
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

  /**
   * Waits for one phase; whatever ends it first wins. When it fails, all that it gave to `opened` is destroyed, the last
   * first. What throws at once refuses what it was given, and would again.
   */
  phaseOf<T>(
    phase: ConnectPhase,
    begin: (opened: <O extends Opened>(thing: O) => O, done: (value: T) => void, fail: (error: Error) => void) => void,
  ): Promise<T> {
    this.phase = phase;
    return new Promise<T>((resolve, reject) => {
      const things: Opened[] = [];
      const fail = (error: Error) => {
        this.#abandon = undefined;
        for (const thing of things.splice(0).reverse()) thing.destroy();
        reject(error instanceof ConnectError ? error : new ConnectError(this.phase, systemWord(error)));
      };
      this.#abandon = fail;
      try {
        begin(
          (thing) => {
            things.push(thing);
            return thing;
          },
          (value) => {
            this.#abandon = undefined;
            resolve(value);
          },
          fail,
        );
      } catch (error) {
        fail(new ConnectError(this.phase, systemWord(error as Error), true));
      }
    });
  }

  end(): void {
    this.#abandon = undefined;
    clearTimeout(this.#timer);
  }
}

/** The short word that programs know an error by; the beginning of its message where it has none. */
export function systemWord(error: Error): string {
  const code: unknown = "code" in error ? error.code : undefined;
  // Several addresses tried and all failed: the first one's reason stands for them.
  const [first] = error instanceof AggregateError ? (error.errors as Error[]) : [];
  return typeof code === "string" ? code : first ? systemWord(first) : error.message.slice(0, 80);
}
