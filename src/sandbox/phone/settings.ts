import {
  listUpTo,
  matching,
  objectOf,
  oneOf,
  type Rule,
  readOnlyFields,
  required,
  textUpTo,
  wholeNumber,
} from "../../json/rules";
import { type Mix, mix, type PhonesByNumber, phonesByNumber } from "./behaviour";

/** The settings of a sandbox's controls, as a new one has it. */
export const DEFAULT_SETTINGS = {
  /** The one who answers calls: everybody after a moment, nobody, or the person at the page. */
  answers: "everybody" as "everybody" | "nobody" | "ask",
  /** Phones that behave in a way of their own. The first pattern that fits counts. */
  phones: {} as PhonesByNumber,
  /** The behaviour of the phones without a pattern. The rest follow `answers`. */
  mix: { answers: 0, declines: 0, "never answers": 0 } as Mix,
  /** Decides what happens by chance: the same seed gives the same calls. */
  seed: 1,
  /** The time for which an unanswered call rings, seconds. */
  ringSeconds: 30,
  /** Hosts besides loopback whose answer addresses and webhooks are asked. */
  hosts: [] as readonly string[],
  /** The webhook of incoming calls, and what is posted to it: the builder writes it, since the service documents no events. */
  incoming: {
    webhook: "",
    /** JSON text; `{{callId}}`, `{{from}}` and `{{to}}` are replaced. */
    body: '{"callId": "{{callId}}", "from": "{{from}}", "to": "{{to}}"}',
    headers: [] as readonly { readonly name: string; readonly value: string }[],
    from: "0000000000",
    to: "0000000000",
  },
};
export type SandboxSettings = Readonly<typeof DEFAULT_SETTINGS>;

const host = matching(/^[a-z0-9.-]{1,253}(?::\d{1,5})?$/i, "a host name, with or without a port");
const headerName = matching(/^[\w!#$%&'*+.^`|~-]{1,100}$/, "the name of a header");
/** Checks a header's value, which may be empty, but not missing. */
const headerValue: Rule<string> = (value, field) =>
  matching(/^[\x20-\x7E]{0,1000}$/, "printable characters")(value ?? null, field);

const FIELDS = {
  answers: oneOf("everybody", "nobody", "ask"),
  phones: phonesByNumber,
  mix,
  seed: wholeNumber(0, 2 ** 32 - 1),
  ringSeconds: wholeNumber(1, 600),
  hosts: listUpTo(20, host),
  incoming: objectOf({
    webhook: textUpTo(2000),
    body: textUpTo(20_000),
    headers: listUpTo(50, objectOf({ name: required(headerName), value: headerValue })),
    from: textUpTo(200),
    to: textUpTo(200),
  }),
};

/** Merges settings with the changes that a request asks for, or returns one sentence for each problem with them. */
export function changedSettings(
  settings: SandboxSettings,
  body: unknown,
): { readonly settings: SandboxSettings; readonly problems: readonly string[] } {
  const { values, problems } = readOnlyFields(body, FIELDS);
  if (problems.length > 0) return { settings, problems };
  const newMix = values.mix ? { ...DEFAULT_SETTINGS.mix, ...values.mix } : settings.mix;
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
  const incoming = { ...settings.incoming, ...values.incoming };
  return { settings: { ...settings, ...given, mix: newMix, incoming }, problems: [] };
}
