import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { Refused } from "./refused";

/** Of a body, as it comes and inflated. */
export const MAX_BYTES = 2 ** 20;
const MAX_MS = 10_000;
const DECODERS = { gzip: promisify(gunzip), deflate: promisify(inflate), br: promisify(brotliDecompress) };
const JSON_TYPE = /^application\/(?:json|[\w.!#$&^-]+\+json)$/;

/** Reads a form as core's nodes do. */
export type FormReader = (bytes: Buffer, type: string) => Promise<unknown>;

/** The client has gone before its body was read: nobody is there to be answered. */
export class ClientGone extends Error {}

/**
 * The bytes of a body as they come.
 * @throws Refused 408, 413
 */
export function rawBody(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = Number(request.headers["content-length"]) > MAX_BYTES ? Infinity : 0;
    const end = (act: () => void) => {
      clearTimeout(timer);
      request.off("data", onData);
      act();
    };
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) end(() => reject(new Refused(413, "tooLarge")));
      else chunks.push(chunk);
    };
    const timer = setTimeout(() => end(() => reject(new Refused(408, "tooSlow"))), MAX_MS);
    if (bytes > 0) return end(() => reject(new Refused(413, "tooLarge")));
    request.on("data", onData);
    request.once("end", () => end(() => resolve(Buffer.concat(chunks))));
    request.once("close", () => end(() => reject(new ClientGone())));
    request.once("error", () => end(() => reject(new ClientGone())));
  });
}

/**
 * What a body says: an object or a list of JSON, the fields of a form, or a text; an object without properties if there is none.
 * @throws Refused 400, 413, 415
 */
export async function readBody(
  { headers }: Pick<IncomingMessage, "headers">,
  raw: Buffer,
  readForm: FormReader,
): Promise<unknown> {
  if (raw.length === 0) return {};
  const bytes = await inflated(raw, headers["content-encoding"]?.trim().toLowerCase() ?? "identity");
  const [type = "", ...parameters] = (headers["content-type"] ?? "").toLowerCase().split(";");
  const name = type.trim();
  const [, charset = "utf-8"] = /charset\s*=\s*"?([\w.:-]+)/.exec(parameters.join(";")) ?? [];
  if (JSON_TYPE.test(name)) {
    if (!["utf-8", "utf8", "us-ascii"].includes(charset)) throw new Refused(415, "charset");
    return fromJson(decoded(bytes, "utf-8"));
  }
  if (name === "application/x-www-form-urlencoded") return readForm(bytes, headers["content-type"] ?? "");
  if (name.startsWith("text/")) return decoded(bytes, charset);
  throw new Refused(415, "contentType");
}

async function inflated(raw: Buffer, encoding: string): Promise<Buffer> {
  if (encoding === "identity") return raw;
  if (!Object.hasOwn(DECODERS, encoding)) throw new Refused(415, "encoding");
  try {
    return await DECODERS[encoding as keyof typeof DECODERS](raw, { maxOutputLength: MAX_BYTES });
  } catch (error) {
    const isLarge = (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE";
    throw isLarge ? new Refused(413, "tooLarge") : new Refused(400, "unreadable");
  }
}

function decoded(bytes: Buffer, charset: string): string {
  let decoder: TextDecoder;
  try {
    decoder = new TextDecoder(charset, { fatal: true });
  } catch {
    throw new Refused(415, "charset");
  }
  try {
    return decoder.decode(bytes);
  } catch {
    throw new Refused(400, "unreadable");
  }
}

function fromJson(text: string): unknown {
  const value = parsed(text);
  if (typeof value !== "object" || value === null) throw new Refused(400, "noObject");
  return value;
}

function parsed(text: string): unknown {
  try {
    // A flow that copies this property changes the prototype of its copy.
    return JSON.parse(text, (name, value: unknown) => {
      if (name === "__proto__") throw new SyntaxError(name);
      return value;
    });
  } catch {
    throw new Refused(400, "unreadable");
  }
}
