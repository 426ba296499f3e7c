import { FieldError } from "../../fields/problem";
import { quote } from "../../fields/quote";
import type { Spellings } from "./spellings";

/** Numbers and beginnings of numbers. Many entries take no longer to look through than few. */
export class NumberList {
  readonly isEmpty: boolean;
  readonly #numbers = new Set<string>();
  readonly #beginnings = new Set<string>();
  /** The lengths of the beginnings. */
  readonly #lengths: readonly number[];
  /** The forms of the entries: when a list changes, most of them stay. */
  readonly forms = new Map<string, string>();

  /**
   * @param entries checked, each with a `*` at its end if it is a beginning
   * @param before the list before it changed, with the same spellings
   * @throws FieldError for a beginning without a number, such as `00*`: it would be that of all numbers
   */
  constructor(entries: readonly string[], spellings: Spellings, field: string, before?: NumberList) {
    this.isEmpty = entries.length === 0;
    entries.forEach((entry, index) => {
      const isBeginning = entry.endsWith("*");
      const newForm = () => (isBeginning ? spellings.ofBeginning(entry.slice(0, -1)) : spellings.of(entry));
      const form = before?.forms.get(entry) ?? newForm();
      if (form === "" && entry !== "*")
        throw new FieldError("notPhoneNumber", `${field}[${index}]`, { value: quote(entry) });
      this.forms.set(entry, form);
      (isBeginning ? this.#beginnings : this.#numbers).add(form);
    });
    this.#lengths = [...new Set([...this.#beginnings].map(({ length }) => length))];
  }

  /** @param number in its one form */
  has(number: string): boolean {
    return this.#numbers.has(number) || this.#lengths.some((length) => this.#beginsWithin(number, length));
  }

  #beginsWithin(number: string, length: number): boolean {
    return number.length >= length && this.#beginnings.has(number.slice(0, length));
  }
}
