import { createPrivateKey, X509Certificate } from "node:crypto";
import { type ConnectionOptions, createSecureContext } from "node:tls";
import type { ErrorKey } from "../../fields/text-key";
import { notSent } from "../errors";
import { systemWord } from "./connect-attempt";

/** What OpenSSL says, in the words of its versions, and the sentence for it. */
const WRONG: readonly [said: RegExp, key: ErrorKey][] = [
  [/MISMATCH/, "config.tlsPair"],
  [/BAD_DECRYPT|BAD_PASSWORD|MAC.VERIFY/i, "config.tlsPassphrase"],
  [/PEM|ASN1|UNSUPPORTED$|not enough data|wrong tag/, "config.tlsForm"],
];

/**
 * Takes in the certificates and keys of a TLS configuration, once for all connections: what is wrong with them shows now,
 * not when a message comes. The options returned go with each connection, which reads no certificate or key beside a context.
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
    const [, key = "config.tlsRefused"] = WRONG.find(([said]) => said.test(sys)) ?? [];
    throw notSent("ERR_CONFIG", "config", { key, field: "tls", sys, params: { sys } });
  }
}

/** OpenSSL takes a key of another kind than its certificate without a word, and then shows no certificate at all. */
function checkPair({ cert, key, passphrase = "" }: ConnectionOptions): void {
  if (!isText(cert) || !isText(key)) return;
  const fits = new X509Certificate(cert).checkPrivateKey(createPrivateKey({ key, passphrase }));
  if (!fits) throw new Error("KEY_TYPE_MISMATCH");
}

/** OpenSSL passes over an authority in any other form than PEM, and then trusts nobody. */
function checkAuthority(authority: string | Buffer): void {
  if (!/-----BEGIN [A-Z0-9 ]*CERTIFICATE-----/.test(authority.toString())) throw new Error("no PEM");
  new X509Certificate(authority);
}

function isText(value: unknown): value is string | Buffer {
  return typeof value === "string" || Buffer.isBuffer(value);
}
