import { STATUS_CODES } from "node:http";
import type { ExchangeFault } from "./fault";
import { type Bytes, bytesOf } from "./wire";

/** The body of a success as the service's interface shows it for every call action. */
export const success = '{"success":true,"code":200,"locale":"en","message":"OK","data":null}';

/** The body of a failure. The interface shows none: this is the envelope of every response. */
export const failure = (code: number, message: string): string =>
  JSON.stringify({ success: false, code, locale: "en", message, data: null });

export const json = { "Content-Type": "application/json" };

/** A status line and headers, with the empty line that ends them. */
export function head(status: number, headers: Record<string, string> = {}): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "Unknown"}\r\n${lines.join("")}\r\n`;
}

/** A whole answer with a correct length; as bytes, so that it is written in one piece. */
export function answer(status: number, body: Bytes, headers: Record<string, string> = json): Buffer {
  const content = bytesOf(body);
  return Buffer.concat([Buffer.from(head(status, { ...headers, "Content-Length": `${content.length}` })), content]);
}

/** Writes one chunk of a chunked body; the empty one ends the body. */
export const chunk = (content: string): string => `${Buffer.byteLength(content).toString(16)}\r\n${content}\r\n`;

/** A fault that is nothing but its answer. */
export const says = (bytes: Bytes): Pick<ExchangeFault, "at" | "act"> => ({
  at: "request",
  act: (wire) => wire.send(bytes),
});

export const good: ExchangeFault = { name: "good", ...says(answer(200, success)) };
