import { once } from "node:events";
import { createServer } from "node:net";

/** Reads a port as people give it; undefined when it is none. */
export function readPort(text) {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? port : undefined;
}

/** Another port, to propose. */
export function next(port) {
  return port < 65_535 ? port + 1 : port - 1;
}

/**
 * Tries a port on loopback, 0 for any free one.
 * @returns the port, or the system's word for why it is not to be had, such as `EADDRINUSE`
 */
export async function tryPort(port) {
  const server = createServer();
  try {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    return { port: server.address().port };
  } catch (error) {
    return { reason: error.code };
  } finally {
    server.close();
  }
}
