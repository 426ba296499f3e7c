import { answer } from "../answers";
import type { CatalogueEntry } from "../fault";

/** Row 4: TLS that does not come about. What a proxy can do wrong is in fault-proxy.ts. */
export const handshake = {
  "certificate-self-signed": { row: 4, tls: true, at: "certificate", certificate: "self-signed" },
  "certificate-expired": { row: 4, tls: true, at: "certificate", certificate: "expired" },
  "certificate-wrong-name": { row: 4, tls: true, at: "certificate", certificate: "wrong-name" },
  /** An https address whose port speaks plain HTTP, as common web servers answer a TLS hello. */
  "plaintext-port": {
    row: 4,
    tls: true,
    at: "accept",
    async act(wire) {
      await wire.firstBytes();
      wire.finish(
        answer(400, "<h1>The plain HTTP request was sent to HTTPS port</h1>", { "Content-Type": "text/html" }),
      );
    },
  },
  "handshake-reset": {
    row: 4,
    tls: true,
    at: "accept",
    async act(wire) {
      await wire.firstBytes();
      wire.reset();
    },
  },
  "handshake-fin": {
    row: 4,
    tls: true,
    at: "accept",
    async act(wire) {
      await wire.firstBytes();
      wire.finish();
    },
  },
  "handshake-stall": {
    row: 4,
    tls: true,
    holds: true,
    at: "accept",
    async act(wire) {
      await wire.firstBytes();
    },
  },
} satisfies Record<string, CatalogueEntry>;
