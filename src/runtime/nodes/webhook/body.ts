import { isUtf8 } from "node:buffer";
import { once } from "node:events";
import { realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import type { Handler, Request } from "express";
import type { NodeAPI } from "node-red";

/** Why a request does not reach the flow. */
export class Refused extends Error {
  /** @param key of the text below `webhook.refused` */
  constructor(
    readonly status: number,
    readonly key = String(status),
  ) {
    super(key);
  }
}

/** Of a body, as it comes and inflated. Bytes. */
const LIMIT = 2 ** 20;
const MAX_MS = 10_000;
const DECODERS = new Map([
  ["gzip", promisify(gunzip)],
  ["deflate", promisify(inflate)],
  ["br", promisify(brotliDecompress)],
]);

type Parser = (request: object, response: object, done: (error?: unknown) => void) => void;

/** A package of which Node-RED's own nodes are made: webhooks read and answer as the HTTP In node does. */
export function corePackage<T>({ settings }: NodeAPI, name: string): T {
  const { coreNodesDir = "" } = settings as { readonly coreNodesDir?: string };
  return createRequire(join(realpathSync(coreNodesDir), "package.json"))(name) as T;
}

/**
 * Returns a function that reads the body of a request: an object or a list of JSON, the fields of a form, or a text; an object
 * without properties if there is none. Its second argument is called with the bytes as they come, before anything is made of
 * them. Rejects with Refused.
 */
export function bodyReader(RED: NodeAPI) {
  const readAll = corePackage<(stream: Readable, options: object) => Promise<Buffer>>(RED, "raw-body");
  const { json, urlencoded, text } = corePackage<Record<string, (options: object) => Handler>>(RED, "body-parser");
  const parsers = [
    json?.({ type: ["json", "+json"], limit: LIMIT, reviver, verify: verify(true) }),
    urlencoded?.({ extended: true, limit: LIMIT, verify: verifyNames }),
    text?.({ type: "text/*", limit: LIMIT, verify: verify(false) }),
  ].map((parser) => promisify(parser as Parser));

  async function read(request: Request, check?: (bytes: Buffer) => void): Promise<unknown> {
    const { headers } = request;
    // Something in front has read the body, and its bytes are gone.
    if (request.readableEnded && check) throw new Refused(500, "bodyRead");
    if (request.readableEnded) return (request.body as unknown) ?? {};
    const late = once(AbortSignal.timeout(MAX_MS), "abort").then(() => Promise.reject(new Refused(408)));
    const raw = await Promise.race([readAll(request, { limit: LIMIT, length: headers["content-length"] }), late]);
    check?.(raw);
    if (raw.length === 0) return {};
    const encoding = headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
    const decode = DECODERS.get(encoding);
    if (!decode && encoding !== "identity") throw new Refused(415);
    const bytes = decode ? await decode(raw, { maxOutputLength: LIMIT }) : raw;
    const content = { "content-type": headers["content-type"], "content-length": String(bytes.length) };
    const plain = Object.assign(Readable.from([bytes]), { headers: content, body: undefined, _body: false });
    for (const parse of parsers) await parse(plain, {});
    if (!plain._body) throw new Refused(415);
    return plain.body;
  }

  return (...args: Parameters<typeof read>) =>
    read(...args).catch((error: { readonly status?: number; readonly code?: string }) => {
      if (error instanceof Refused) throw error;
      throw new Refused(error.status ?? (error.code === "ERR_BUFFER_TOO_LARGE" ? 413 : 400));
    });
}

/** Refuses a property of JSON: a flow that copies it changes the prototype of its copy. */
function reviver(name: string, value: unknown): unknown {
  if (name === "__proto__") throw new SyntaxError(name);
  return value;
}

/** Refuses the same in a form, where its reader would leave it out. */
function verifyNames(_: unknown, __: unknown, bytes: Buffer): void {
  const names = [...new URLSearchParams(bytes.toString()).keys()];
  if (names.some((name) => name.includes("__proto__"))) throw new Refused(400);
}

/** Refuses bytes that would be read as other characters. */
function verify(isJson: boolean) {
  return (_: unknown, __: unknown, bytes: Buffer, charset: string): void => {
    if (isJson && charset !== "utf-8") throw new Refused(415);
    if (charset === "utf-8" && !isUtf8(bytes)) throw new Refused(400);
  };
}
