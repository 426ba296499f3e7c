import { lookup as systemLookup } from "node:dns";
import { type IncomingMessage, request as requestOverHttp } from "node:http";
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
    const peer = { hostname: hostname.replace(/^\[|\]$/g, ""), port: Number(port) || (secure ? 443 : 80), secure };
    connect(peer, options).then(
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
  } catch (error) {
    throw attempt.fail(error);
  } finally {
    attempt.end();
  }
}

async function direct({ hostname, port }: Peer, lookup: LookupFunction, attempt: ConnectAttempt): Promise<Socket> {
  const socket = attempt.open(isIP(hostname) === 0 ? "dns" : "connect", () =>
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
  await attempt.event(socket, "connect");
  return socket;
}

async function throughProxy({ hostname, port }: Peer, proxy: ProxyServer, attempt: ConnectAttempt): Promise<Socket> {
  const proxyHost = proxy.url.hostname.replace(/^\[|\]$/g, "");
  const authority = `${isIP(hostname) === 6 ? `[${hostname}]` : hostname}:${port}`;
  const request = attempt.open("proxy", () =>
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
  request.once("connect", (_response, socket: Socket) => attempt.own(socket));
  request.end();
  const answered = await Promise.race([attempt.event(request, "connect"), attempt.event(request, "response")]);
  const [{ statusCode = 0 }, socket, head] = answered as [IncomingMessage, Socket?, Buffer?];
  // Any 2xx to CONNECT means that the tunnel is open (RFC 9110, 9.3.6).
  if (!socket || Math.trunc(statusCode / 100) !== 2) throw new ConnectError("proxy", String(statusCode));
  if (head && head.length > 0) socket.unshift(head);
  socket.setNoDelay(true);
  return socket;
}

async function secured(
  raw: Socket,
  { hostname }: Peer,
  tls: ConnectionOptions,
  attempt: ConnectAttempt,
): Promise<Socket> {
  const socket = attempt.open("tls", () =>
    connectTls({
      ...tls,
      socket: raw,
      // HTTP/1.1 only: over HTTP/2, undici may repeat a request by itself.
      ALPNProtocols: ["http/1.1"],
      ...(isIP(hostname) === 0 && { servername: tls.servername ?? hostname }),
      host: hostname,
    }),
  );
  const closed = attempt.event(socket, "close").then(() => {
    throw new ConnectError("tls", "ECONNRESET");
  });
  await Promise.race([attempt.event(socket, "secureConnect"), closed]);
  return socket;
}
