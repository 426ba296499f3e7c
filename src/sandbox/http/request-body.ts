import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { limits } from "../service/choices";

/** What came as the body of a request. `text` and `value` are undefined where there is none. */
export interface Body {
  readonly bytes: number;
  /** The whole text; not for a body that is too large or no UTF-8. */
  readonly text?: string;
  /** The JSON, whatever it is. */
  readonly value?: unknown;
}

const noBody: Body = { bytes: 0 };

/**
 * Reads to the end even what is too large, and keeps none of that: a client that is cut off while it still sends would
 * see a lost connection instead of the answer. Rejects when the connection is lost.
 */
export async function readBody(request: IncomingMessage): Promise<Body> {
  const { "content-length": length, "transfer-encoding": encoding } = request.headers;
  if (encoding === undefined && (length === undefined || length === "0")) return noBody;

  let chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= limits.bodyBytes) chunks.push(chunk);
    else chunks = [];
  }
  return bytes > limits.bodyBytes ? { bytes } : parse(Buffer.concat(chunks));
}

function parse(whole: Buffer): Body {
  const bytes = whole.length;
  if (!isUtf8(whole)) return { bytes };
  const text = whole.toString();
  try {
    return { bytes, text, value: JSON.parse(text) };
  } catch {
    return { bytes, text };
  }
}
