import { answer, json, success } from "../answers";
import type { CatalogueEntry, ExchangeFault } from "../fault";
import type { Wire } from "../wire";

const reset = (wire: Wire) => wire.reset();
const fin = (wire: Wire) => wire.finish();

// The promise is broken each time: a hint that overrules a client's own idle limit makes the stale socket likelier.
const stayingOpen = answer(200, success, { ...json, Connection: "keep-alive", "Keep-Alive": "timeout=600" });
const stayOpen = (wire: Wire) => wire.send(stayingOpen);

const resetNext: ExchangeFault = { name: "stale-reset-on-next", at: "first-byte", act: reset };
const finNext: ExchangeFault = { name: "stale-fin-on-next", at: "first-byte", act: fin };

/** Short enough for a test to wait, long enough for the answer to be read before the connection goes. */
const idleMs = 30;

/** Long enough for a client to have connected and sent. */
const unreadMs = 20;

/** Rows 5 and 6: connections that end before a status line. */
export const lostConnection = {
  "reset-on-accept": { row: 5, at: "accept", act: reset },
  /** The request stays unread in the server's kernel: no ledger can distinguish it from one never sent. */
  "reset-unread": {
    row: 5,
    at: "accept",
    async act(wire) {
      await wire.pause(unreadMs);
      wire.reset();
    },
  },
  "fin-on-accept": { row: 5, at: "accept", act: fin },
  "reset-at-first-byte": { row: 6, at: "first-byte", act: reset },
  "reset-after-head": { row: 6, at: "head", act: reset },
  "fin-after-head": { row: 6, at: "head", act: fin },
  "reset-after-request": { row: 6, at: "request", act: reset },
  "fin-after-request": { row: 6, at: "request", act: fin },
  "fin-inside-status-line": { row: 6, at: "request", act: (wire) => wire.finish("HTTP/1.1 2") },
  /** A good answer; the connection then closes by itself, whether or not another request is on its way. */
  "stale-closed-when-idle": {
    row: 6,
    at: "request",
    async act(wire) {
      await stayOpen(wire);
      await wire.pause(idleMs);
      wire.finish();
    },
    next: resetNext,
  },
  /** A good answer; the connection looks alive until the next request's first byte. */
  "stale-reset-on-next": { row: 6, at: "request", act: stayOpen, next: resetNext },
  "stale-fin-on-next": { row: 6, at: "request", act: stayOpen, next: finNext },
} satisfies Record<string, CatalogueEntry>;
