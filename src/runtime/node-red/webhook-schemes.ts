import { createHmac, timingSafeEqual } from "node:crypto";

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The signature scheme of a sender, as it publishes it: HMAC-SHA256 of what `signed` says and the body as it came. */
interface Scheme {
  /** The header with the signatures. Names are in small letters. */
  readonly header: string;
  /** Between several of them. */
  readonly separator?: string;
  /** In front of each. */
  readonly label?: string;
  /** As they are written. Both are read. */
  readonly encoding: "hex" | "base64";
  /** The header with the time stamp, or what is in front of it beside the signatures. */
  readonly time?: string;
  /** Whether the time stamp is in ISO 8601, not in Unix seconds. */
  readonly iso?: true;
  /** The header with the id of the message. */
  readonly id?: string;
  /** Whether the secret is the base64 of the key, perhaps behind `whsec_`. */
  readonly isBase64?: true;
  /** The text that is signed in front of the body. */
  readonly signed?: string;
  /** The beginning of the names of its headers, and another one that is used as well. */
  readonly alias?: readonly [string, string];
}

const SCHEMES: Readonly<Record<string, Scheme>> = {
  standard: {
    ...{ header: "webhook-signature", separator: " ", label: "v1,", encoding: "base64" },
    ...{ time: "webhook-timestamp", id: "webhook-id", signed: "{id}.{time}." },
    ...{ isBase64: true, alias: ["webhook-", "svix-"] },
  },
  stripe: {
    ...{ header: "stripe-signature", separator: ",", label: "v1=", encoding: "hex" },
    ...{ time: "t=", signed: "{time}." },
  },
  slack: {
    ...{ header: "x-slack-signature", label: "v0=", encoding: "hex" },
    ...{ time: "x-slack-request-timestamp", signed: "v0:{time}:" },
  },
  zendesk: {
    ...{ header: "x-zendesk-webhook-signature", encoding: "base64" },
    ...{ time: "x-zendesk-webhook-signature-timestamp", iso: true, signed: "{time}" },
  },
  paddle: {
    ...{ header: "paddle-signature", separator: ";", label: "h1=", encoding: "hex" },
    ...{ time: "ts=", signed: "{time}:" },
  },
  pagerduty: { header: "x-pagerduty-signature", separator: ",", label: "v1=", encoding: "hex" },
};
/** Of the body alone, as GitHub signs. */
const OF_BODY = { encoding: "hex" } as const;

/** The settings of a webhook that say how a sender signs. */
export interface Signing {
  /** In small letters. */
  readonly sign: string;
  readonly scheme: string;
}

/** A right signature: when the request was sent, epoch milliseconds, and its id, as far as they are signed. */
export interface Signature {
  readonly at?: number;
  readonly id?: string;
}

function schemeOf({ sign, scheme }: Signing): Scheme {
  const row = SCHEMES[scheme] ?? OF_BODY;
  return { header: sign, ...row, ...(sign && { header: sign }) };
}

export function signatureHeaders(signing: Signing): readonly string[] {
  const { header, alias = ["", ""] } = schemeOf(signing);
  return [header, header.replace(...alias)].filter(Boolean);
}

/** The signature of a request; `undefined` if it is missing or wrong. Of several, one must be right. */
export function readSignature(headers: Headers, signing: Signing, secret: string, body: Buffer): Signature | undefined {
  const scheme = schemeOf(signing);
  const { header, separator, label = "", time, id, alias = ["", ""] } = scheme;
  const isAlias = headers[header] === undefined;
  const read = (name: string) => String(headers[isAlias ? name.replace(...alias) : name] ?? "").trim();
  const parts =
    separator === undefined
      ? [read(header)]
      : read(header)
          .split(separator)
          .map((part) => part.trim());
  const behind = (beginning: string) =>
    parts.flatMap((part) => (part.startsWith(beginning) ? [part.slice(beginning.length)] : []));
  const stamp = time?.endsWith("=") ? (behind(time)[0] ?? "") : read(time ?? "");
  const values = { time: stamp, id: read(id ?? "") };
  if ((time && !values.time) || (id && !values.id)) return undefined;
  const right = hmac(scheme, secret, values, body);
  // `sha256=` stands in front of signatures of the body, but not of all.
  const given = label ? behind(label) : parts.map((part) => part.replace(/^sha256=/i, ""));
  if (!given.some((text) => isSame(text, right))) return undefined;
  return { ...(time && { at: instantOf(stamp) }), ...(id && { id: values.id }) };
}

/**
 * The headers with a signature, as a sender makes them at an instant. An id that is given is signed.
 * @param at epoch milliseconds
 * @param id of a request that has none
 */
export function sign(
  headers: Readonly<Record<string, string>>,
  signing: Signing,
  secret: string,
  body: string,
  at: number,
  newId: string,
): Readonly<Record<string, string>> {
  const scheme = schemeOf(signing);
  const { header, separator = "", label = "", encoding, time, iso, id } = scheme;
  const stamp = iso ? new Date(at).toISOString() : String(Math.floor(at / 1000));
  const own = id === undefined ? "" : (headers[id] ?? newId);
  const signature = label + hmac(scheme, secret, { time: stamp, id: own }, body).toString(encoding);
  const isBeside = time?.endsWith("=") === true;
  return {
    ...headers,
    ...(time && !isBeside && { [time]: stamp }),
    ...(id && { [id]: own }),
    [header]: isBeside ? `${time}${stamp}${separator}${signature}` : signature,
  };
}

function hmac(
  { signed = "", isBase64 }: Scheme,
  secret: string,
  values: { time: string; id: string },
  body: Buffer | string,
) {
  const key = isBase64 ? Buffer.from(secret.replace(/^whsec_/, ""), "base64") : secret;
  const before = signed.replace(/\{(time|id)\}/g, (_, name: "time" | "id") => values[name]);
  return createHmac("sha256", key).update(before).update(body).digest();
}

function isSame(text: string, right: Buffer): boolean {
  const isHex = /^[\da-f]{64}$/i.test(text);
  if (!isHex && !/^[A-Za-z\d+/]{43}=?$/.test(text)) return false;
  return timingSafeEqual(Buffer.from(text, isHex ? "hex" : "base64"), right);
}

function instantOf(stamp: string): number {
  return /^\d{1,12}$/.test(stamp) ? Number(stamp) * 1000 : Date.parse(stamp);
}
