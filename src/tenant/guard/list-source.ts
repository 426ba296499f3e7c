import { FieldError, type Source } from "../../fields";
import { isBlank } from "../../fields/kinds/coerce";
import { listOf, textOfEntry, toEntry } from "../../fields/kinds/numbers";
import { NumberList } from "./number-list";
import type { Spellings } from "./spellings";

/** A list of numbers that may change while it is used: it is read whenever a number is looked for. */
export class ListSource {
  readonly #source: Source;
  readonly #spellings: Spellings;
  readonly #field: string;
  /** What was read last: a text, or the texts of a list, which a flow may change in place. */
  #seen: string | readonly unknown[] | undefined;
  #list: NumberList | undefined;

  /** @throws FieldError for a list that cannot change and is not valid */
  constructor(source: Source, spellings: Spellings, field: string) {
    this.#source = source;
    this.#spellings = spellings;
    this.#field = field;
    if (source.fixed) this.#listIn(source.read({}));
  }

  /** A promise unless the list cannot change. Throws, or rejects with, FieldError. */
  read(): NumberList | Promise<NumberList> {
    if (this.#source.fixed && this.#list) return this.#list;
    return Promise.resolve(this.#source.read({})).then((value) => this.#listIn(value));
  }

  /** A source without a value is a mistake: it must not lift the rule. An empty list is one. */
  #listIn(value: unknown): NumberList {
    try {
      if (isBlank(value)) throw new FieldError("missing", this.#field);
      if (this.#list && value === this.#seen && typeof value === "string") return this.#list;
      const entries = listOf(value, this.#field);
      if (this.#list && this.#isSeen(entries)) return this.#list;
      const checked = entries.map((entry, index) => toEntry(entry, `${this.#field}[${index}]`));
      this.#list = new NumberList(checked, this.#spellings, this.#field, this.#list);
      this.#seen = typeof value === "string" ? value : entries.map(textOfEntry);
      return this.#list;
    } catch (error) {
      if (error instanceof FieldError) error.source ??= this.#source.label;
      throw error;
    }
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
