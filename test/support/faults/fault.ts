import type { CertificateName } from "./certificates";
import type { RequestRecord } from "./ledger";
import type { Wire } from "./wire";

/** A thing that a server does wrong (or right), and the moment. Plain data: one fault can serve many connections at once. */
export type Fault = AcceptFault | CertificateFault | ExchangeFault;

/** Takes over a fresh connection before a byte is read; under TLS before the handshake. No request is ever read. */
export interface AcceptFault {
  name?: string;
  at: "accept";
  act(wire: Wire): void | Promise<void>;
}

/** Goes through the TLS handshake with this certificate, and serves as usual should the client go on. */
export interface CertificateFault {
  name?: string;
  at: "certificate";
  certificate: CertificateName;
}

/** Acts on a request: when its first byte, its whole head or its last byte has been read. */
export interface ExchangeFault {
  name?: string;
  at: "first-byte" | "head" | "request";
  act(wire: Wire, request: RequestRecord): void | Promise<void>;
  /** The fault of the same connection at its next request, regardless of the plan. */
  next?: ExchangeFault;
}

/** A fault of the catalogue, before its name is put on it. */
export type CatalogueEntry = Fault & {
  /** Row of docs/faults.md. */
  row: number;
  /** Whether it can only happen where the client speaks TLS. */
  tls?: true;
  /** Whether it keeps the connection until the client gives up, however long that takes. */
  holds?: true;
};

/** A fault that affects a connection before any request. */
export const isConnection = <F extends Fault>(fault: F): fault is F & (AcceptFault | CertificateFault) =>
  !isExchange(fault);

export const isExchange = <F extends Fault>(fault: F): fault is F & ExchangeFault =>
  fault.at !== "accept" && fault.at !== "certificate";
