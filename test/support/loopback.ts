import { once } from "node:events";
import type { Server as HttpServer } from "node:http";
import type { AddressInfo, Server } from "node:net";

/** Lets a server listen on loopback. Returns its port. */
export async function listen(server: Server, port = 0): Promise<number> {
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** Ends a server and its connections. */
export async function end(server: HttpServer): Promise<void> {
  server.close();
  server.closeAllConnections();
  await once(server, "close");
}
