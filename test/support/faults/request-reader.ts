import { instant } from "./clock";
import { callKey, type RequestRecord } from "./ledger";
import { type BodyReader, ChunkedBody, CountedBody } from "./request-body";

/** Called while bytes come in: at a request's first byte, after its head, after its last byte. */
export interface RequestListener {
  begin(): RequestRecord;
  head(request: RequestRecord): void;
  whole(request: RequestRecord): void;
}

const headEnd = Buffer.from("\r\n\r\n");
const mostHeadBytes = 1 << 20;

/** Splits one connection's bytes into HTTP/1.1 requests, and keeps the part of an incomplete one that arrived. */
export class RequestReader {
  #request: RequestRecord | undefined;
  #head = Buffer.alloc(0);
  #body: BodyReader | undefined;
  #lost = false;

  constructor(private readonly listener: RequestListener) {}

  push(chunk: Buffer): void {
    let rest = chunk;
    while (rest.length > 0 && !this.#lost) rest = this.#body ? this.#readBody(rest, this.#body) : this.#readHead(rest);
  }

  #readHead(chunk: Buffer): Buffer {
    this.#request ??= this.listener.begin();
    const request = this.#request;
    const before = this.#head.length;
    this.#head = Buffer.concat([this.#head, chunk]);
    const end = this.#head.indexOf(headEnd);
    const taken = end < 0 ? chunk.length : end + headEnd.length - before;
    request.bytes += taken;
    request.head = this.#head.toString("latin1", 0, end < 0 ? undefined : end);
    if (end < 0) {
      if (this.#head.length > mostHeadBytes) this.#refuse(request, "endless head");
      return Buffer.alloc(0);
    }
    this.#head = Buffer.alloc(0);
    const problem = readHead(request);
    if (problem) {
      this.#refuse(request, problem);
      return Buffer.alloc(0);
    }
    this.#body =
      request.headers["transfer-encoding"] === "chunked"
        ? new ChunkedBody()
        : new CountedBody(Number(request.headers["content-length"] ?? 0));
    this.listener.head(request);
    if (this.#body.done) this.#finish(request);
    return chunk.subarray(taken);
  }

  #readBody(chunk: Buffer, body: BodyReader): Buffer {
    const request = this.#request as RequestRecord;
    const taken = body.take(chunk);
    request.bytes += taken;
    request.body = body.text();
    if (body.problem) this.#refuse(request, body.problem);
    else if (body.done) this.#finish(request);
    return chunk.subarray(taken);
  }

  #finish(request: RequestRecord): void {
    request.complete = true;
    request.completeAt = instant();
    const key = callKey(request.body);
    if (key !== undefined) request.key = key;
    this.#request = this.#body = undefined;
    this.listener.whole(request);
  }

  #refuse(request: RequestRecord, problem: string): void {
    request.malformed = problem;
    this.#lost = true;
  }
}

/** Fills in what the head says; returns what is wrong with it. */
function readHead(request: RequestRecord): string | undefined {
  const [requestLine = "", ...lines] = request.head.split("\r\n");
  const [, method, path] = /^([A-Z]+) (\S+) HTTP\/1\.1$/.exec(requestLine) ?? [];
  if (method === undefined || path === undefined) return "request line";
  Object.assign(request, { method, path });
  for (const line of lines) {
    const [, name, value] = /^([^\s:]+):[ \t]*(.*?)[ \t]*$/.exec(line) ?? [];
    if (name === undefined || value === undefined) return "header line";
    const key = name.toLowerCase();
    const earlier = request.headers[key];
    request.headers[key] = earlier === undefined ? value : `${earlier}, ${value}`;
  }
  const length = request.headers["content-length"];
  const encoding = request.headers["transfer-encoding"];
  if (length !== undefined && !/^\d+$/.test(length)) return "content-length";
  if (encoding !== undefined && (encoding !== "chunked" || length !== undefined)) return "transfer-encoding";
  return undefined;
}
