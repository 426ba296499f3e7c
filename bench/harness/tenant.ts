import { createServer, type Socket } from "node:net";
import { received, start, stop } from "./child";

/** A tenant in a process of its own. */
export interface Tenant {
  readonly origin: string;
  stop(): Promise<void>;
}

export async function startTenant(): Promise<Tenant> {
  const child = start([__filename]);
  const { port } = await received<{ port: number }>(child, "listening");
  return { origin: `http://127.0.0.1:${port}`, stop: () => stop(child) };
}

/**
 * Serves with as little work as possible, so that the client is the bottleneck: reads only as much HTTP/1.1 as requests
 * with a content length need, and has two answers, as the service's interface shows them.
 */
function serve(): void {
  const days = ["mon", "tue", "wed", "thu", "fri"].map((day, id) => ({ id, day, open: "08:00:00", close: "17:30:00" }));
  const schedules = [{ id: 1, name: "Schedule 1", enable: 1, days }];
  const success = answer(null);
  const list = answer({ current_page: 1, data: schedules, from: 1, last_page: 1, per_page: 20, to: 1, total: 1 });
  const server = createServer((socket: Socket) => {
    let pending = "";
    socket.setNoDelay(true).setEncoding("latin1");
    socket.on("error", () => {});
    socket.on("data", (chunk: string) => {
      pending += chunk;
      for (let end = requestEnd(pending); end !== undefined; end = requestEnd(pending)) {
        socket.write(pending.startsWith("GET ") ? list : success);
        pending = pending.slice(end);
      }
    });
  });
  server.listen(0, "127.0.0.1", 1024, () => process.send?.({ listening: server.address() }));
  process.on("disconnect", () => process.exit());
}

function answer(data: unknown): Buffer {
  const body = JSON.stringify({ success: true, code: 200, locale: "en", message: "OK", data });
  return Buffer.from(
    `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
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
