import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { attempt } from "../../json/rules";
import { limits } from "../service/assumptions";
import type { Body } from "../service/request";

/**
 * Reads a request to its end, even when it is too large: a client that is cut off while sending would see a lost
 * connection instead of the answer. Rejects when the connection is lost.
 */
export async function readBody(request: IncomingMessage): Promise<Body> {
  const { "content-length": length, "transfer-encoding": encoding } = request.headers;
  if (encoding === undefined && (length === undefined || length === "0")) return { bytes: 0 };

  let chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= limits.bodyBytes) chunks.push(chunk);
    else chunks = [];
  }
  const whole = Buffer.concat(chunks);
  if (bytes > limits.bodyBytes || !isUtf8(whole)) return { bytes };
  const text = whole.toString();
  return { bytes, text, value: attempt(() => JSON.parse(text)) };
}
