import { chunk, head, json, success } from "../answers";
import type { CatalogueEntry } from "../fault";
import type { RequestRecord } from "../ledger";
import type { Wire } from "../wire";

const half = success.slice(0, success.length / 2);
const counted = { ...json, "Content-Length": `${success.length}` };
const chunked = { ...json, "Transfer-Encoding": "chunked" };

// Drips never end by themselves: every deadline of a client expires in the middle of one.
async function dripForEver(wire: Wire, request: RequestRecord, text: string): Promise<void> {
  request.struck = true;
  for (;;) await wire.drip(text);
}

/** Rows 7 and 8: answers that never start, or never end. */
export const stalls = {
  "no-headers": { row: 7, holds: true, at: "request", act() {} },
  "headers-dripped": {
    row: 7,
    holds: true,
    at: "request",
    async act(wire, request) {
      await wire.drip("HTTP/1.1 200 OK\r\n");
      await dripForEver(wire, request, "X-Drip: drop\r\n");
    },
  },
  "headers-stalled": { row: 7, holds: true, at: "request", act: (wire) => wire.send("HTTP/1.1 200 OK\r\nDate: ") },
  "continue-then-nothing": { row: 7, holds: true, at: "request", act: (wire) => wire.send(head(100)) },
  "continue-for-ever": {
    row: 7,
    holds: true,
    at: "request",
    async act(wire, request) {
      for (;;) {
        await wire.send(head(100));
        request.struck = true;
        await wire.pause(50);
      }
    },
  },
  "body-never-begun": { row: 8, holds: true, at: "request", act: (wire) => wire.send(head(200, counted)) },
  "body-stalled": { row: 8, holds: true, at: "request", act: (wire) => wire.send(head(200, counted), half) },
  "body-stalled-chunked": {
    row: 8,
    holds: true,
    at: "request",
    act: (wire) => wire.send(head(200, chunked), chunk(half)),
  },
  "body-dripped": {
    row: 8,
    holds: true,
    at: "request",
    async act(wire, request) {
      await wire.send(head(200, { ...json, "Content-Length": "1000000" }), half);
      await dripForEver(wire, request, " ");
    },
  },
  "body-dripped-chunked": {
    row: 8,
    holds: true,
    at: "request",
    async act(wire, request) {
      await wire.send(head(200, chunked), chunk(half));
      await dripForEver(wire, request, chunk(" "));
    },
  },
} satisfies Record<string, CatalogueEntry>;
