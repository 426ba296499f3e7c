import { gzipSync } from "node:zlib";
import { chunk, head, json, success } from "../answers";
import type { CatalogueEntry } from "../fault";
import type { Wire } from "../wire";

const [opening = "", closing = ""] = success.split("null");
const megabyte = 1 << 20;
const spaces = Buffer.alloc(megabyte / 16, " ");
const spacesChunk = Buffer.from(chunk(spaces.toString()));

/** Far beyond any cap, and yet an end: a client without one must not fill the machine. */
const enough = 64 * megabyte;

async function flood(wire: Wire, start: string, piece: Buffer): Promise<void> {
  await wire.send(start);
  for (let sent = 0; sent < enough; sent += piece.length) await wire.send(piece);
  wire.reset();
}

// Gzip members may stand one after the other: the bomb is one small member many times, cheap to build and to keep.
const padding = gzipSync(Buffer.alloc(megabyte, " "));
const bomb = Buffer.concat([
  gzipSync(opening),
  ...Array.from({ length: 200 }, () => padding),
  gzipSync(`null${closing}`),
]);

/** Row 13: answers too large to read in full. */
export const oversize = {
  "huge-length": {
    row: 13,
    at: "request",
    act: (wire) => flood(wire, head(200, { ...json, "Content-Length": `${1024 * megabyte}` }) + opening, spaces),
  },
  /** Only the length is announced: the body is never sent. */
  "huge-length-silent": {
    row: 13,
    holds: true,
    at: "request",
    act: (wire) => wire.send(head(200, { ...json, "Content-Length": `${1024 * megabyte}` })),
  },
  "endless-chunks": {
    row: 13,
    at: "request",
    act: (wire) => flood(wire, head(200, { ...json, "Transfer-Encoding": "chunked" }) + chunk(opening), spacesChunk),
  },
  "endless-until-close": {
    row: 13,
    at: "request",
    act: (wire) => flood(wire, head(200, { ...json, Connection: "close" }) + opening, spaces),
  },
  /** 200 KB that unpack to 200 MB, a valid envelope if unpacked in full. */
  "gzip-bomb": {
    row: 13,
    at: "request",
    act: (wire) =>
      wire.send(head(200, { ...json, "Content-Encoding": "gzip", "Content-Length": `${bomb.length}` }), bomb),
  },
  "header-64k": {
    row: 13,
    at: "request",
    act: (wire) => wire.send(head(200, { ...json, "X-Long": "a".repeat(65_536), "Content-Length": "0" })),
  },
  "headers-64k": {
    row: 13,
    at: "request",
    act: (wire) =>
      wire.send(head(200, Object.fromEntries(Array.from({ length: 2_048 }, (_, i) => [`X-${i}`, "a".repeat(24)])))),
  },
} satisfies Record<string, CatalogueEntry>;
