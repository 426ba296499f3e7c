import { chunk, head, json, success } from "../answers";
import type { CatalogueEntry } from "../fault";
import type { Wire } from "../wire";

const half = success.slice(0, success.length / 2);
const counted = (length: number) => head(200, { ...json, "Content-Length": `${length}` });
const chunked = head(200, { ...json, "Transfer-Encoding": "chunked" });
const closeDelimited = head(200, { ...json, Connection: "close" });

// A reset discards what the client's kernel has not handed over yet: let the bytes before it be read first.
async function sendThenReset(wire: Wire, ...parts: string[]): Promise<void> {
  await wire.send(...parts);
  await wire.pause(20);
  wire.reset();
}

/** Row 9: answers whose status line arrived and whose end did not. */
export const cutBodies = {
  "cut-inside-headers": { row: 9, at: "request", act: (wire) => wire.finish("HTTP/1.1 200 OK\r\nContent-Ty") },
  "cut-length": { row: 9, at: "request", act: (wire) => wire.finish(counted(success.length), half) },
  "cut-length-by-reset": { row: 9, at: "request", act: (wire) => sendThenReset(wire, counted(success.length), half) },
  /** The envelope is whole, but more was announced. */
  "cut-length-after-envelope": {
    row: 9,
    at: "request",
    act: (wire) => wire.finish(counted(success.length + 10), success),
  },
  "cut-chunked": { row: 9, at: "request", act: (wire) => wire.finish(chunked, chunk(half)) },
  "cut-chunked-by-reset": { row: 9, at: "request", act: (wire) => sendThenReset(wire, chunked, chunk(half)) },
  /** The envelope is whole, but the chunk that ends the body never comes. */
  "cut-chunked-after-envelope": { row: 9, at: "request", act: (wire) => wire.finish(chunked, chunk(success)) },
  /** To HTTP this is a complete answer: only the content shows the cut. */
  "cut-close-delimited": { row: 9, at: "request", act: (wire) => wire.finish(closeDelimited, half) },
  "cut-close-delimited-by-reset": {
    row: 9,
    at: "request",
    act: (wire) => sendThenReset(wire, closeDelimited, half),
  },
} satisfies Record<string, CatalogueEntry>;
