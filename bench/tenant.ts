import { createServer, type Socket } from "node:net";
import { envelope, page, SCHEDULES, schedule } from "./answers";

/*
 * A tenant in a process of its own, as lean as one can be, so that the client is what gets measured. Reads just enough
 * HTTP/1.1 for requests with a content length, and gives the answers of the service's interface.
 */

const SUCCESS = answer(envelope(null));
const schedules = new Map<string, Buffer>();
let requests = 0;

function answer(body: string): Buffer {
  const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`;
  return Buffer.from(head + body);
}

function answerTo(requestLine: string): Buffer {
  if (!requestLine.startsWith("GET ")) return SUCCESS;
  const target = requestLine.slice(4, requestLine.indexOf(" ", 4));
  const known = schedules.get(target) ?? answer(read(target));
  schedules.set(target, known);
  return known;
}

function read(target: string): string {
  const [path = "", search = ""] = target.split("?");
  const query = new URLSearchParams(search);
  const id = Number(path.split("/").at(-1));
  if (Number.isInteger(id)) return envelope(schedule(id));
  const limit = Number(query.get("limit") ?? 20);
  return envelope(query.has("search") ? page(1, limit, 1) : page(Number(query.get("page") ?? 1), limit, SCHEDULES));
}

function serve(socket: Socket): void {
  let pending = "";
  socket.setNoDelay(true).setEncoding("latin1");
  socket.on("data", (chunk: string) => {
    pending += chunk;
    for (let end = lengthOf(pending); end !== undefined; end = lengthOf(pending)) {
      requests += 1;
      socket.write(answerTo(pending));
      pending = pending.slice(end);
    }
  });
  socket.on("error", () => {});
}

/** Characters of the first request, `undefined` while it is not there as a whole. */
function lengthOf(text: string): number | undefined {
  const head = text.indexOf("\r\n\r\n");
  if (head < 0) return undefined;
  const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0;
  const end = head + 4 + Number(length);
  return text.length < end ? undefined : end;
}

const server = createServer(serve);
server.listen(0, "127.0.0.1", 1024, () => process.send?.({ listening: server.address() }));
process.on("message", () => process.send?.({ requests }));
process.on("disconnect", () => process.exit());
