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
import type { Params } from "../../../fields";
import { errorPlace } from "../../../json/error-place";

/** The reason why a request does not reach the flow. */
export class Refused extends Error {
  /**
   * @param key of the text below `webhook.refused`
   * @param retryAfter seconds
   */
  constructor(
    readonly status: number,
    readonly key = String(status),
    readonly params: Params = {},
    readonly retryAfter?: number,
  ) {
    super(key);
  }
}

/** Of a body, as it comes and inflated. Bytes. */
export const LONGEST_BODY = 2 ** 20;
const MAX_MS = 10_000;
const MOST_FIELDS = 100;
/** Fields and files. Each takes its time to read. */
const MOST_PARTS = 2 * MOST_FIELDS;
const FORM = "application/x-www-form-urlencoded";
const DECODERS = new Map([
  ["gzip", promisify(gunzip)],
  ["deflate", promisify(inflate)],
  ["br", promisify(brotliDecompress)],
]);

type Parser = (request: object, response: object, done: (error?: unknown) => void) => void;
type Promised = (request: object, response: object) => Promise<unknown>;

/** A package of which Node-RED's own nodes are made: webhooks read and answer as the HTTP In node does. */
export function corePackage<T>({ settings }: NodeAPI, name: string): T {
  const { coreNodesDir = "" } = settings as { readonly coreNodesDir?: string };
  return createRequire(join(realpathSync(coreNodesDir), "package.json"))(name) as T;
}

export interface Body<Proof = undefined> {
  /** An object or a list of JSON, the fields of a form, or a text; an object without properties if there is nothing. */
  readonly payload: unknown;
  /** The names of a form's files, which are left out. */
  readonly files?: readonly string[];
  /** The result of the check of its bytes. */
  readonly proof?: Proof | undefined;
}

/**
 * Returns a function that reads the body of a request. Its second argument is called with the bytes as they come, before anything
 * is made of them. Rejects with Refused.
 */
export function bodyReader(RED: NodeAPI) {
  const readAll = corePackage<(stream: Readable, options: object) => Promise<Buffer>>(RED, "raw-body");
  const { urlencoded, text } = corePackage<Record<string, (options: object) => Handler>>(RED, "body-parser");
  // What comes is limited before.
  const any = { type: () => true, limit: Infinity };
  const [parseForm, parseText] = [
    urlencoded?.({ ...any, extended: true, verify: verifyNames }),
    text?.({ ...any, verify: verifyText }),
  ].map((parser) => promisify(parser as Parser));

  async function read<Proof>(request: Request, check?: (bytes: Buffer) => Proof): Promise<Body<Proof>> {
    const { headers } = request;
    // Something in front has read the body, and its bytes are gone.
    if (request.readableEnded && check) throw new Refused(500, "bodyRead");
    if (request.readableEnded) return { payload: (request.body as unknown) ?? {} };
    const late = once(AbortSignal.timeout(MAX_MS), "abort").then(() => Promise.reject(new Refused(408)));
    const raw = await Promise.race([
      readAll(request, { limit: LONGEST_BODY, length: headers["content-length"] }),
      late,
    ]);
    const proof = check?.(raw);
    return { ...(raw.length > 0 ? await made(raw, headers) : { payload: {} }), proof };
  }

  /** Makes of the bytes what their type says, or what they are. */
  async function made(raw: Buffer, headers: Request["headers"]): Promise<Body> {
    const encoding = headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
    const decode = DECODERS.get(encoding);
    if (!decode && encoding !== "identity") throw new Refused(415);
    const bytes = decode ? await decode(raw, { maxOutputLength: LONGEST_BODY }) : raw;
    const contentType = headers["content-type"] || "application/octet-stream";
    const [type = ""] = contentType.toLowerCase().split(/[\s;]/, 1);
    const json = readJson(bytes, contentType, /[/+]json$/.test(type));
    if (json !== undefined) return { payload: json };
    if (type === FORM) return { payload: await parse(parseForm, bytes, contentType) };
    if (type === "multipart/form-data") {
      const { fields, files } = await readParts(bytes, contentType);
      return { payload: await parse(parseForm, Buffer.from(fields.toString()), FORM), files };
    }
    if (type === "application/octet-stream") return { payload: await parse(parseText, bytes, "text/plain") };
    if (!type.startsWith("text/")) throw new Refused(415);
    return { payload: await parse(parseText, bytes, contentType) };
  }

  return <Proof>(...args: Parameters<typeof read<Proof>>) =>
    read<Proof>(...args).catch((error: { readonly status?: number; readonly code?: string }) => {
      if (error instanceof Refused) throw error;
      throw new Refused(error.status ?? (error.code === "ERR_BUFFER_TOO_LARGE" ? 413 : 400));
    });
}

async function parse(parser: Promised | undefined, bytes: Buffer, contentType: string): Promise<unknown> {
  const headers = { "content-type": contentType, "content-length": String(bytes.length) };
  const request = Object.assign(Readable.from([bytes]), { headers, body: undefined, _body: false });
  await parser?.(request, {});
  return request.body;
}

/** The object or the list of a body, whatever its type; `undefined` if it is none, and its type does not say that it is. */
function readJson(bytes: Buffer, contentType: string, isJson: boolean): unknown {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1] ?? "utf-8";
  const isOther = !/^utf-?8$/i.test(charset);
  // JSON is mostly ASCII, which charsets of one byte have in common.
  if (isJson && isOther && (/^utf/i.test(charset) || !isUtf8(bytes))) throw new Refused(415);
  const text = bytes.toString().replace(/^\uFEFF/, "");
  if (isJson && !isUtf8(bytes)) throw new Refused(400, "json", errorPlace(text.replace(/\uFFFD.*/s, "")));
  // Templates of senders leave line breaks and tabs in texts.
  const blanked = text.replace(/\p{Cc}/gu, " ");
  if (!isJson && (!/^ *[{[]/.test(blanked) || !isUtf8(bytes))) return undefined;
  try {
    const value: unknown = JSON.parse(blanked, reviver);
    if (typeof value === "object" && value !== null) return value;
  } catch (error) {
    if (error instanceof Refused) throw error;
    if (isJson) throw new Refused(400, "json", errorPlace(text, blanked));
    return undefined;
  }
  throw new Refused(400);
}

/** Refuses a property of JSON: a flow that copies it changes the prototype of its copy. */
function reviver(name: string, value: unknown): unknown {
  if (name === "__proto__") throw new Refused(400);
  return value;
}

/** The fields of a form in parts, and the names of its files. */
async function readParts(bytes: Buffer, contentType: string) {
  const boundary = /;\s*boundary\s*=\s*(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType)?.slice(1).find(Boolean);
  if (boundary === undefined) throw new Refused(400);
  if (bytes.toString("latin1").split(`--${boundary}`).length - 2 > MOST_PARTS) throw new Refused(413, "fields");
  const data = await new Response(new Uint8Array(bytes), { headers: { "content-type": contentType } }).formData();
  const fields = new URLSearchParams();
  const files: string[] = [];
  for (const [name, value] of data)
    if (typeof value === "string") fields.append(name, value);
    else if (value.name !== "") files.push(value.name);
  if (fields.size > MOST_FIELDS) throw new Refused(413, "fields");
  return { fields, files };
}

/** Refuses the same in a form, where its reader would leave it out. */
function verifyNames(_: unknown, __: unknown, bytes: Buffer): void {
  const names = [...new URLSearchParams(bytes.toString()).keys()];
  if (names.some((name) => name.includes("__proto__"))) throw new Refused(400);
}

/** Refuses bytes that would be read as other characters. */
function verifyText(_: unknown, __: unknown, bytes: Buffer, charset: string): void {
  if (charset === "utf-8" && !isUtf8(bytes)) throw new Refused(400);
}
