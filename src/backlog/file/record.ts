import {
  boolean,
  listOf,
  listUpTo,
  objectOf,
  oneOf,
  type Rule,
  type Rules,
  readFields,
  required,
  rule,
  text,
} from "../../json/rules";
import type { Use } from "../deduplication-keys";
import type { Entry, Outcome, Unknown } from "../entry";

/** The lines of a journal. After a rewrite, `begin` and `end` may occur twice. */
export type Record =
  /** The format, the store's clock with the wall clock beside it, epoch milliseconds, and which start of the machine this was. */
  | { readonly v: number; readonly now: number; readonly wall: number; readonly boot?: string | undefined }
  | { readonly accept: Entry; readonly uses?: readonly (Use | string)[]; readonly replaced?: string }
  /** The date of an entry has come, and these uses of keys are its own, too. */
  | { readonly due: string; readonly uses: readonly Use[] }
  | { readonly holdBack: readonly string[]; readonly records: readonly string[] }
  /** The entries and records that are released, or all. */
  | { readonly release: true; readonly ids?: readonly string[]; readonly records?: readonly string[] }
  | { readonly begin: string }
  | { readonly unbegin: string }
  | {
      readonly end: string;
      readonly outcome: Outcome;
      readonly uses?: readonly (Use | string)[];
      /** The entry stays until a further `end`. */
      readonly unknown?: Unknown | undefined;
    }
  /** Somebody has decided about an entry whose outcome was unknown, which had ended at this instant, epoch milliseconds. */
  | { readonly decided: string; readonly at: number }
  | { readonly forget: string }
  | { readonly use: Use | string }
  /** Without a value, the record was removed. */
  | { readonly record: string; readonly value?: unknown }
  | { readonly paused: boolean }
  | { readonly proven: true };

/** The latest instant that a `Date` can be, epoch milliseconds. */
const LATEST = 8.64e15;
const OUTCOMES = ["applied", "rejected", "not-applied", "unknown"] as const;

const number = rule<number>((value) => typeof value === "number" && Math.abs(value) <= LATEST, "a number");
const yes = rule<true>((value) => value === true, "true");
const late = rule((value) => value === true || value === "late", "true or late");
const outcome = required(oneOf(...OUTCOMES));
const all = <T>(each: Rule<T>) => listUpTo(Number.POSITIVE_INFINITY, each);
const [name, amount, names] = [required(text), required(number), required(all(text))];
const orText = (other: Rule<unknown>): Rule<unknown> => {
  return (value, field) => (typeof value === "string" ? [] : other(value, field));
};
const use = required(
  objectOf({
    ...{ hash: name, at: amount, forMs: amount, until: number },
    outcome: required(oneOf(...OUTCOMES, "pending")),
  }),
);
const uses = all(orText(use));
const unknown = objectOf({ at: amount, sentAt: text, code: text, uses: listOf({ hash: name, at: amount }) });
const fields: { readonly [Field in keyof Required<Entry>]: Rule<unknown> } = {
  ...{ id: name, nodeId: name, nodeType: text, name: text, list: text, again: text, unknown },
  ...{ size: amount, notBefore: number, at: number, notAfter: number },
  ...{ content: orText((value) => (value === null ? [] : ["no text"])), keys: listOf({ hash: name, forMs: amount }) },
  ...{ replaces: yes, isDue: yes, heldBack: late, ofRestored: yes, anytime: yes, urgent: yes, alarm: yes },
};

/** The fields of a line by its kind, which `Contents` applies in this order. */
const KINDS = Object.entries<Rules>({
  v: { v: amount, now: amount, wall: amount, boot: text },
  accept: { accept: required(objectOf(fields)), uses, replaced: text },
  due: { due: name, uses: required(all(use)) },
  holdBack: { holdBack: names, records: names },
  release: { release: required(yes), ids: all(text), records: all(text) },
  begin: { begin: name },
  unbegin: { unbegin: name },
  end: { end: name, outcome, uses, unknown },
  decided: { decided: name, at: amount },
  forget: { forget: name },
  use: { use: required(orText(use)) },
  record: { record: name },
  proven: { proven: required(yes) },
  paused: { paused: required(boolean) },
});

/** Whether a line makes sense, so that it can be applied: its checksum shows only that it is as it was written. */
export function isRecord(line: object): line is Record {
  const [, fields] = KINDS.find(([kind]) => kind in line) ?? [];
  return fields !== undefined && readFields(line, fields).problems.length === 0;
}
