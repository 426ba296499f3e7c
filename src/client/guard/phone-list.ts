import { toEntry } from "../../fields/kinds/phone-list";
import { ValueError } from "../../hours/value-error";
import type { NumberNormalizer } from "./number-normalizer";

/** Numbers and beginnings of numbers. A lookup takes no longer in a long list than in a short one. */
export class PhoneList {
  readonly isEmpty: boolean;
  readonly #numbers = new Set<string>();
  readonly #beginnings = new Set<string>();
  /** The lengths of the beginnings. */
  readonly #lengths: readonly number[];

  /** @param entries the forms of each entry, by its text; that of a beginning ends in `*` */
  private constructor(readonly entries: ReadonlyMap<string, readonly string[]>) {
    this.isEmpty = entries.size === 0;
    for (const [entry, forms] of entries)
      for (const form of forms) (entry.endsWith("*") ? this.#beginnings : this.#numbers).add(form);
    this.#lengths = [...new Set([...this.#beginnings].map(({ length }) => length))];
  }

  /**
   * Reads a list, one entry a step.
   * @param before the list before it changed, with the same normalizer: most entries stay
   * @throws ValueError for an entry that cannot be read, or a beginning without a number, such as `00*`
   */
  static *read(
    list: readonly unknown[],
    normalizer: NumberNormalizer,
    field: string,
    before?: PhoneList,
  ): Generator<undefined, PhoneList> {
    const entries = new Map<string, readonly string[]>();
    for (const [index, given] of list.entries()) {
      const entry = toEntry(given, `${field}[${index}]`);
      const forms = before?.entries.get(entry) ?? formsOf(entry, normalizer, field);
      if (forms.length === 0) throw new ValueError("input.notPhoneNumber", `${field}[${index}]`, { value: entry });
      entries.set(entry, forms);
      yield;
    }
    return new PhoneList(entries);
  }

  /** @param form of a number */
  has(form: string): boolean {
    return this.#numbers.has(form) || this.#lengths.some((length) => this.#beginsWithin(form, length));
  }

  #beginsWithin(form: string, length: number): boolean {
    return form.length >= length && this.#beginnings.has(form.slice(0, length));
  }
}

/** Lists the forms of an entry. All numbers begin with nothing. A beginning with several readings blocks all of them, and allows one. */
function formsOf(entry: string, normalizer: NumberNormalizer, field: string): readonly string[] {
  if (entry === "*") return [""];
  if (!entry.endsWith("*")) return normalizer.formsOf(entry);
  return normalizer.formsOfBeginning(entry.slice(0, -1), field === "block");
}
