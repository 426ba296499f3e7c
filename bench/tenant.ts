import { createServer, type Socket } from "node:net";
import { received, start, stop } from "./node-red";

/** A tenant in a process of its own. */
export interface Tenant {
  readonly origin: string;
  stop(): Promise<void>;
}

export async function startTenant(): Promise<Tenant> {
  const child = start(__filename);
  const { port } = await received<{ port: number }>(child, "listening");
  return { origin: `http://127.0.0.1:${port}`, stop: () => stop(child) };
}

/**
 * Serves with as little work as possible, so that the client is the bottleneck: reads only as much HTTP/1.1 as requests
 * with a content length need, and answers all of them with success.
 */
function serve(): void {
  const body = JSON.stringify({ success: true, code: 200, locale: "en", message: "OK", data: null });
  const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`;
  const answer = Buffer.from(`${head}\r\n\r\n${body}`);
  const server = createServer((socket: Socket) => {
    let pending = "";
    socket.setNoDelay(true).setEncoding("latin1");
    socket.on("error", () => {});
    socket.on("data", (chunk: string) => {
      pending += chunk;
      for (let end = requestEnd(pending); end !== undefined; end = requestEnd(pending)) {
        socket.write(answer);
        pending = pending.slice(end);
      }
    });
  });
  server.listen(0, "127.0.0.1", 1024, () => process.send?.({ listening: server.address() }));
  process.on("disconnect", () => process.exit());
}

/** The length of the first request in the text, or undefined while it is incomplete. */
function requestEnd(text: string): number | undefined {
  const head = text.indexOf("\r\n\r\n");
  if (head < 0) return undefined;
  const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0;
  const end = head + 4 + Number(length);
  return text.length < end ? undefined : end;
}

if (require.main === module) serve();
