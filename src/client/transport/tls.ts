import { createPrivateKey, X509Certificate } from "node:crypto";
import { type ConnectionOptions, createSecureContext } from "node:tls";
import type { ErrorKey } from "../../fields/text-key";
import { attempt } from "../../json/rules";
import { notSent } from "../errors";
import { systemWord } from "./connect-attempt";

/** Error codes and texts of several OpenSSL versions, and the sentence for each. */
const WRONG: readonly [said: RegExp, key: ErrorKey][] = [
  [/MISMATCH/, "config.tlsPair"],
  [/BAD_DECRYPT|BAD_PASSWORD|MAC.VERIFY/i, "config.tlsPassphrase"],
  [/PEM|ASN1|UNSUPPORTED$|not enough data|wrong tag/, "config.tlsForm"],
];

/**
 * Reads the certificates and keys of a TLS configuration once for all connections, so that a mistake shows at deploy and
 * not with the first message. Pass the returned options to each connection.
 * @throws TenantError ERR_CONFIG on `tls`
 */
export function readTls(options: ConnectionOptions): ConnectionOptions {
  try {
    const secureContext = createSecureContext(options);
    checkPair(options);
    for (const authority of [options.ca ?? []].flat()) checkAuthority(authority);
    return { ...options, secureContext };
  } catch (error) {
    const sys = systemWord(error as Error);
    const [, found = "config.tlsRefused"] = WRONG.find(([said]) => said.test(sys)) ?? [];
    const key = isLocked(options) ? "config.tlsPassphrase" : found;
    throw notSent("ERR_CONFIG", "config", { key, field: "tls", sys, params: { sys } });
  }
}

/** Whether a key cannot be decrypted. One wrong passphrase in 256 decrypts to bytes that OpenSSL takes for a malformed key. */
function isLocked({ key, passphrase = "" }: ConnectionOptions): boolean {
  return isText(key) && key.toString().includes("ENCRYPTED") && !attempt(() => createPrivateKey({ key, passphrase }));
}

/** Checks the key: OpenSSL silently accepts one of another type than its certificate, and then presents no certificate. */
function checkPair({ cert, key, passphrase = "" }: ConnectionOptions): void {
  if (!isText(cert) || !isText(key)) return;
  const fits = new X509Certificate(cert).checkPrivateKey(createPrivateKey({ key, passphrase }));
  if (!fits) throw new Error("KEY_TYPE_MISMATCH");
}

/** Checks an authority: OpenSSL silently ignores one that is not PEM, and then trusts no server. */
function checkAuthority(authority: string | Buffer): void {
  if (!/-----BEGIN [A-Z0-9 ]*CERTIFICATE-----/.test(authority.toString())) throw new Error("no PEM");
  new X509Certificate(authority);
}

function isText(value: unknown): value is string | Buffer {
  return typeof value === "string" || Buffer.isBuffer(value);
}
