import { type Source, ValueError } from "../../fields";
import { isBlank } from "../../fields/kinds/coerce";
import { listOf, textOfEntry, toPhoneList } from "../../fields/kinds/phone-list";
import type { NumberNormalizer } from "./number-normalizer";
import { PhoneList } from "./phone-list";
import { inTimeSlices } from "./time-slices";

/** A longer list of a flow file is checked while it is read. The check of these takes some 10 ms. */
const CHECKED_AT_ONCE = 10_000;

/** The store of a list that has not answered by then has none. Milliseconds. */
const LONGEST_ANSWER_MS = 10_000;

/** A list of numbers that may change while it is used: it is read whenever a number is looked for. */
export class ListSource {
  /** The value that was read last: a text, or the texts of a list, which a flow may change in place. */
  #seen: string | readonly unknown[] | undefined;
  /** A promise while a long list is read, and if that fails. */
  #list: PhoneList | Promise<PhoneList> | undefined;
  /** The last list that was read to its end. */
  #complete: PhoneList | undefined;

  /** @throws ValueError for a list that cannot change and has an entry that is no number */
  constructor(
    private readonly source: Source,
    private readonly normalizer: NumberNormalizer,
    private readonly field: string,
  ) {
    if (source.fixed) void this.#listIn(source.read({}));
  }

  /** Whether it has no entry, and never will. */
  get isEmpty(): boolean {
    return this.source.fixed && this.#complete?.isEmpty === true;
  }

  /** A promise unless the list cannot change. Throws, or rejects with, ValueError. */
  read(): PhoneList | Promise<PhoneList> {
    if (this.source.fixed && this.#list) return this.#list;
    return this.#readValue().then((value) => this.#listIn(value));
  }

  #readValue(): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(resolve, LONGEST_ANSWER_MS);
      Promise.resolve(this.source.read({}))
        .finally(() => clearTimeout(timer))
        .then(resolve, reject);
    });
  }

  /** A source without a value is a mistake: it must not lift the rule. An empty list is one. */
  #listIn(value: unknown): PhoneList | Promise<PhoneList> {
    try {
      if (isBlank(value)) throw new ValueError("input.missing", this.field);
      if (this.#list && value === this.#seen && typeof value === "string") return this.#list;
      const entries = listOf(value, this.field);
      if (this.#list && this.#isSeen(entries)) return this.#list;
      this.#list = undefined;
      const texts = entries.map(textOfEntry);
      if (this.source.fixed) toPhoneList(texts.slice(0, CHECKED_AT_ONCE), this.field);
      const list = inTimeSlices(PhoneList.read(texts, this.normalizer, this.field, this.#complete));
      this.#seen = typeof value === "string" ? value : texts;
      this.#list = list instanceof Promise ? this.#completed(list) : list;
      if (!(list instanceof Promise)) this.#complete = list;
      return this.#list;
    } catch (error) {
      throw this.#located(error);
    }
  }

  #completed(reading: Promise<PhoneList>): Promise<PhoneList> {
    const list = reading.then(
      (complete) => {
        this.#complete = complete;
        if (this.#list === list) this.#list = complete;
        return complete;
      },
      (error: unknown) => {
        throw this.#located(error);
      },
    );
    // Nobody may ask for the list.
    list.catch(() => {});
    return list;
  }

  #located(error: unknown): unknown {
    if (error instanceof ValueError) error.source ??= this.source.label;
    return error;
  }

  #isSeen(entries: readonly unknown[]): boolean {
    const seen = this.#seen;
    return (
      Array.isArray(seen) &&
      seen.length === entries.length &&
      entries.every((entry, index) => entry === seen[index] || textOfEntry(entry) === seen[index])
    );
  }
}
