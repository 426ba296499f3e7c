/** The phase of an attempt to connect. */
export type ConnectPhase = "dns" | "connect" | "proxy" | "tls";

/** Why there is no connection. Nothing of a request was sent. */
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

/** A socket or request that a phase has opened. */
interface Opened {
  destroy(): unknown;
}

/** One timer for all phases; knows the current phase, and what to destroy when the time is up. */
export class ConnectAttempt {
  phase: ConnectPhase = "dns";
  readonly #timer: NodeJS.Timeout;
  #abandon: ((error: ConnectError) => void) | undefined;

  constructor(limitMs: number) {
    // After a blocked event loop the connection may be open already: let sockets report it before giving up.
    this.#timer = setTimeout(
      () => setImmediate(() => setImmediate(() => this.#abandon?.(new ConnectError(this.phase, "TIMEOUT")))),
      Math.max(limitMs, 0),
    );
  }

  /**
   * Waits for one phase. If it fails, everything passed to `opened` is destroyed, the last first. An exception while it
   * begins is final: the same arguments would be refused again.
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

/** The code of an error; the beginning of its message if it has none. */
export function systemWord(error: Error): string {
  const code: unknown = "code" in error ? error.code : undefined;
  // If several addresses failed, the reason of the first is reported.
  const [first] = error instanceof AggregateError ? (error.errors as Error[]) : [];
  return typeof code === "string" ? code : first ? systemWord(first) : error.message.slice(0, 80);
}
