import { lookup as systemLookup } from "node:dns";
import { request as requestOverHttp } from "node:http";
import { request as requestOverHttps } from "node:https";
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from "node:net";
import { type ConnectionOptions, connect as connectTls } from "node:tls";
import type { buildConnector } from "undici";
import { withoutInterim } from "./interim";

/** One attempt to connect may take this long, lookup, proxy and TLS included. */
export const CONNECT_LIMIT_MS = 3000;

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

export interface ProxyServer {
  readonly url: URL;
  /** `Proxy-Authorization` header value. */
  readonly authorization?: string;
}

export interface ConnectOptions {
  readonly tls?: ConnectionOptions;
  /** The proxy for the tenant's address; loopback addresses must come without one. */
  readonly proxy?: ProxyServer;
  readonly lookup?: LookupFunction;
  readonly limitMs?: number;
}

/**
 * Connects as undici's Pool wants it, in our own hands because neither undici's connector nor its ProxyAgent knows in
 * which phase it failed, and because the latter repeats CONNECT without end when a proxy drops it.
 */
export function connector(options: ConnectOptions): buildConnector.connector {
  return ({ hostname, protocol, port }, callback) => {
    const secure = protocol === "https:";
    connect(
      { hostname: hostname.replace(/^\[|\]$/g, ""), port: Number(port) || (secure ? 443 : 80), secure },
      options,
    ).then(
      (socket) => callback(null, socket),
      (error: Error) => callback(error, null),
    );
  };
}

interface Peer {
  readonly hostname: string;
  readonly port: number;
  readonly secure: boolean;
}

async function connect(
  peer: Peer,
  { tls = {}, proxy, lookup, limitMs = CONNECT_LIMIT_MS }: ConnectOptions,
): Promise<Socket> {
  const attempt = new Attempt(limitMs);
  try {
    const socket = await (proxy ? throughProxy(peer, proxy, attempt) : direct(peer, lookup ?? systemLookup, attempt));
    return withoutInterim(peer.secure ? await secured(socket, peer, tls, attempt) : socket);
  } finally {
    attempt.end();
  }
}

/** One timer for all phases; knows the phase it strikes in and what is to be torn down. */
class Attempt {
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

function direct({ hostname, port }: Peer, lookup: LookupFunction, attempt: Attempt): Promise<Socket> {
  return attempt.phaseOf<Socket>("dns", (done, fail) => {
    const known = isIP(hostname) !== 0;
    if (known) attempt.phase = "connect";
    const socket = connectTcp({
      host: hostname,
      port,
      noDelay: true,
      keepAlive: true,
      lookup: (name, options, found) =>
        lookup(name, options, (error, address, family) => {
          if (!error) attempt.phase = "connect";
          found(error, address, family);
        }),
    });
    hearErrors(socket);
    socket.once("error", fail);
    socket.once("connect", () => {
      socket.off("error", fail);
      done(socket);
    });
    return () => socket.destroy();
  });
}

function throughProxy({ hostname, port }: Peer, proxy: ProxyServer, attempt: Attempt): Promise<Socket> {
  const authority = `${isIP(hostname) === 6 ? `[${hostname}]` : hostname}:${port}`;
  return attempt.phaseOf<Socket>("proxy", (done, fail) => {
    const request = (proxy.url.protocol === "https:" ? requestOverHttps : requestOverHttp)({
      host: proxy.url.hostname.replace(/^\[|\]$/g, ""),
      port: proxy.url.port || (proxy.url.protocol === "https:" ? 443 : 80),
      method: "CONNECT",
      path: authority,
      agent: false,
      headers: {
        host: authority,
        ...(proxy.authorization !== undefined && { "proxy-authorization": proxy.authorization }),
      },
    });
    request.once("error", fail);
    request.once("response", (response) => fail(new ConnectError("proxy", String(response.statusCode))));
    request.once("connect", (response, socket: Socket, head) => {
      hearErrors(socket);
      // Any 2xx means that the tunnel stands (RFC 9110, 9.3.6).
      if (Math.trunc((response.statusCode ?? 0) / 100) !== 2) {
        socket.destroy();
        fail(new ConnectError("proxy", String(response.statusCode)));
        return;
      }
      if (head.length > 0) socket.unshift(head);
      socket.setNoDelay(true);
      done(socket);
    });
    request.end();
    return () => {
      request.on("error", () => {});
      request.destroy();
    };
  });
}

function secured(raw: Socket, { hostname }: Peer, tls: ConnectionOptions, attempt: Attempt): Promise<Socket> {
  return attempt.phaseOf<Socket>("tls", (done, fail) => {
    // The service speaks HTTP/1.1 here: over HTTP/2 a request may be sent again without being asked.
    const socket = connectTls({
      ...tls,
      socket: raw,
      ALPNProtocols: ["http/1.1"],
      ...(isIP(hostname) === 0 && { servername: tls.servername ?? hostname }),
      host: hostname,
    });
    const closed = () => fail(new ConnectError("tls", "ECONNRESET"));
    hearErrors(socket);
    socket.once("error", fail);
    socket.once("close", closed);
    socket.once("secureConnect", () => {
      socket.off("error", fail);
      socket.off("close", closed);
      done(socket);
    });
    return () => {
      socket.destroy();
      raw.destroy();
    };
  });
}

/** An error between two phases, or after a socket was given up, must not end the process for want of a listener. */
function hearErrors(socket: Socket): void {
  socket.on("error", () => {});
}

const VERIFICATION =
  /CERT|CRL|SELF_SIGNED|UNABLE_TO|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH|HOSTNAME_MISMATCH|_UNTRUSTED|_REJECTED/;

/** Whether a TLS failure is about the certificate, which trying again cannot mend. */
export function isCertificateProblem(error: ConnectError): boolean {
  return error.phase === "tls" && VERIFICATION.test(error.sys) && !error.sys.startsWith("ERR_SSL_");
}
