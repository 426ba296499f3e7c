import { lookup as systemLookup } from "node:dns";
import type { EventEmitter } from "node:events";
import { request as requestOverHttp } from "node:http";
import { request as requestOverHttps } from "node:https";
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from "node:net";
import { type ConnectionOptions, connect as connectTls } from "node:tls";
import type { buildConnector } from "undici";
import { ConnectAttempt, ConnectError } from "./connect-attempt";
import { withoutInterim } from "./interim";

/** Limit of one attempt to connect, in milliseconds: lookup, proxy and TLS together. */
export const CONNECT_LIMIT_MS = 3000;

export interface ProxyServer {
  readonly url: URL;
  /** `Proxy-Authorization` header value. */
  readonly authorization?: string;
}

export interface ConnectOptions {
  readonly tls?: ConnectionOptions;
  /** The proxy for the tenant's address; `undefined` for a loopback address. */
  readonly proxy?: ProxyServer;
  readonly lookup?: LookupFunction;
  readonly limitMs?: number;
}

/**
 * A connector for undici's Pool. undici's own connector and its ProxyAgent do not report the phase in which they failed,
 * and the latter repeats CONNECT without end if a proxy drops it.
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
  const attempt = new ConnectAttempt(limitMs);
  try {
    const socket = await (proxy ? throughProxy(peer, proxy, attempt) : direct(peer, lookup ?? systemLookup, attempt));
    return withoutInterim(peer.secure ? await secured(socket, peer, tls, attempt) : socket);
  } finally {
    attempt.end();
  }
}

function direct({ hostname, port }: Peer, lookup: LookupFunction, attempt: ConnectAttempt): Promise<Socket> {
  return attempt.phaseOf<Socket>("dns", (opened, done, fail) => {
    const known = isIP(hostname) !== 0;
    if (known) attempt.phase = "connect";
    const socket = opened(
      connectTcp({
        host: hostname,
        port,
        noDelay: true,
        keepAlive: true,
        lookup: (name, options, found) =>
          lookup(name, options, (error, address, family) => {
            if (!error) attempt.phase = "connect";
            found(error, address, family);
          }),
      }),
    );
    ignoreErrors(socket);
    socket.once("error", fail);
    socket.once("connect", () => {
      socket.off("error", fail);
      done(socket);
    });
  });
}

function throughProxy({ hostname, port }: Peer, proxy: ProxyServer, attempt: ConnectAttempt): Promise<Socket> {
  const proxyHost = proxy.url.hostname.replace(/^\[|\]$/g, "");
  const authority = `${isIP(hostname) === 6 ? `[${hostname}]` : hostname}:${port}`;
  return attempt.phaseOf<Socket>("proxy", (opened, done, fail) => {
    const request = opened(
      (proxy.url.protocol === "https:" ? requestOverHttps : requestOverHttp)({
        host: proxyHost,
        // Otherwise Node takes the name from the `Host` header, which is the tenant's. An address has no server name.
        servername: isIP(proxyHost) === 0 ? proxyHost : "",
        port: proxy.url.port || (proxy.url.protocol === "https:" ? 443 : 80),
        method: "CONNECT",
        path: authority,
        agent: false,
        headers: {
          host: authority,
          ...(proxy.authorization !== undefined && { "proxy-authorization": proxy.authorization }),
        },
      }),
    );
    ignoreErrors(request);
    request.once("error", fail);
    request.once("response", (response) => fail(new ConnectError("proxy", String(response.statusCode))));
    request.once("connect", (response, socket: Socket, head) => {
      ignoreErrors(socket);
      // Any 2xx means that the tunnel is open (RFC 9110, 9.3.6).
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
  });
}

function secured(raw: Socket, { hostname }: Peer, tls: ConnectionOptions, attempt: ConnectAttempt): Promise<Socket> {
  return attempt.phaseOf<Socket>("tls", (opened, done, fail) => {
    opened(raw);
    // HTTP/1.1 only: over HTTP/2, undici may repeat a request by itself.
    const socket = opened(
      connectTls({
        ...tls,
        socket: raw,
        ALPNProtocols: ["http/1.1"],
        ...(isIP(hostname) === 0 && { servername: tls.servername ?? hostname }),
        host: hostname,
      }),
    );
    const closed = () => fail(new ConnectError("tls", "ECONNRESET"));
    ignoreErrors(socket);
    socket.once("error", fail);
    socket.once("close", closed);
    socket.once("secureConnect", () => {
      socket.off("error", fail);
      socket.off("close", closed);
      done(socket);
    });
  });
}

/** Without a listener, an error between two phases or after giving up would end the process. */
function ignoreErrors(opened: EventEmitter): void {
  opened.on("error", () => {});
}
