import { once } from "node:events";
import { createServer } from "node:net";

/** A port as a user writes it, or undefined. */
export function readPort(text) {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? port : undefined;
}

/** A neighbouring port, to suggest. */
export function neighbour(port) {
  return port < 65_535 ? port + 1 : port - 1;
}

/** The system's code for why nothing can listen on a port of loopback, such as `EADDRINUSE`; undefined when it is free. */
export async function whyTaken(port) {
  const server = createServer();
  try {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    return undefined;
  } catch (error) {
    return error.code;
  } finally {
    server.close();
  }
}

export async function firstFree(ports) {
  for (const port of ports) if (!(await whyTaken(port))) return port;
  return undefined;
}
