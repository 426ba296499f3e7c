import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createSecureContext, type SecureContext } from "node:tls";
import { root } from "../root";

/** `good` is signed by {@link authority} for 127.0.0.1 and localhost; the others fail in the one way their name says. */
export type CertificateName = "good" | "self-signed" | "expired" | "wrong-name";

// The compiler copies no PEM files: read them from the source tree.
const folder = join(root, "test/support/faults/certs");

/** The PEM of the authority that a client must trust to accept `good`. */
export const authority = (): string => readFileSync(join(folder, "ca.pem"), "utf8");

/** Loads every certificate, ready to serve. */
export function serverCertificates(): Record<CertificateName, SecureContext> {
  const load = (name: CertificateName) =>
    createSecureContext({
      cert: readFileSync(join(folder, `${name}.pem`)),
      key: readFileSync(join(folder, `${name}.key.pem`)),
    });
  return {
    good: load("good"),
    "self-signed": load("self-signed"),
    expired: load("expired"),
    "wrong-name": load("wrong-name"),
  };
}
