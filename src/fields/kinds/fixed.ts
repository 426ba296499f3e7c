import { isGiven } from "../../hours/untrusted";
import { ValueError } from "../../hours/value-error";
import { attempt, isLoopback } from "../../json/rules";
import { withoutVariable } from "../variable";
import { isBlank, toNumber, toText } from "./coerce";

/** Takes one of the choices exactly as it is written; `""` may be one. Throws `ValueError`. */
export function toOption(value: unknown, field: string, { choices = [] }: { readonly choices?: readonly string[] }) {
  if (!isGiven(value)) return undefined;
  if (choices.some((choice) => choice === value)) return value;
  throw new ValueError("config.notChoice", field, { value, choices: choices.join(", ") });
}

interface Range {
  readonly from?: number;
  readonly to?: number;
  readonly whole?: true;
}

/** A number, or its decimal text, in a range. Throws `ValueError`. */
export function toNumberInRange(value: unknown, field: string, { from = 0, to = 0, whole }: Range): number | undefined {
  if (isBlank(value)) return undefined;
  const number = attempt(() => toNumber(value, field)) ?? Number.NaN;
  if (number >= from && number <= to && (!whole || Number.isInteger(number))) return number;
  throw new ValueError("config.range", field, { from, to });
}

/** Takes two letters. Which countries there are is known where numbers are compared. Throws `ValueError`. */
export function toCountry(value: unknown, field: string): string | undefined {
  const code = toText(value, field);
  if (code === undefined || /^[A-Za-z]{2}$/.test(code)) return code?.toUpperCase();
  throw new ValueError("config.country", field, { country: code.slice(0, 60) });
}

/** A name of an encoding. Throws `ValueError`. */
export function toEncoding(value: unknown, field: string): string | undefined {
  const name = toText(value, field);
  if (name === undefined || attempt(() => new TextDecoder(name))) return name;
  throw new ValueError("config.encoding", field, { value: name });
}

/** The base address of a service: https, or http for a loopback host. Throws `ValueError`, for a blank value too. */
export function toAddress(value: unknown, field: string): string {
  const text = toText(value, field) ?? "";
  if (text === "") throw new ValueError("config.addressMissing", field);
  const url = text.length <= 2048 && attempt(() => new URL(text));
  if (!url) throw new ValueError("config.addressUnreadable", field);
  if (url.protocol !== "https:" && url.protocol !== "http:") throw new ValueError("config.addressProtocol", field);
  if (url.protocol === "http:" && !isLoopback(url.hostname)) throw new ValueError("config.addressNotSecure", field);
  if (url.username !== "" || url.password !== "") throw new ValueError("config.addressUserInfo", field);
  // `search` and `hash` are empty for a bare "?" or "#", which is a mistake, too.
  if (/[?#]/.test(text)) throw new ValueError("config.addressQuery", field);
  return text;
}

/** Headers that HTTP or this client sets itself. undici refuses or merges some of them. */
const RESERVED =
  /^(?:host|content-(?:length|type)|transfer-encoding|connection|accept(?:-encoding)?|expect|keep-alive|upgrade)$/i;

/** The name of a header that a request may have. Throws `ValueError`. */
export function toHeader(value: unknown, field: string): string | undefined {
  const name = toText(value, field);
  if (name === undefined) return undefined;
  if (/^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/.test(name) && !RESERVED.test(name)) return name;
  throw new ValueError("config.authHeader", field);
}

/** The path of a webhook. Throws `ValueError`, for a blank value too. */
export function toPath(value: unknown, field: string): string {
  const path = toText(value, field) ?? "";
  if (/^[\w/.-]{1,200}$/.test(path) && !/\/\/|\.\.|^\/$/.test(path)) return path;
  throw new ValueError("config.webhookPath", field);
}

/**
 * The secret of a webhook.
 * @param scheme of its signatures
 * @throws ValueError
 */
export function readSecret(text: string, scheme: unknown = ""): string {
  const isText = /^(?! )[\x20-\x7e]{8,200}$(?<! )/.test(withoutVariable(text, "secret"));
  if (!isText) throw new ValueError("config.webhookSecret", "secret");
  if (scheme === "standard" && !/^(?:whsec_)?(?:[A-Za-z\d+/]{4})+(?:[A-Za-z\d+/]{2,3}={0,2})?$/.test(text))
    throw new ValueError("config.secretBase64", "secret");
  return text;
}
