import { setTimeout as sleep } from "node:timers/promises";
import { MAX_ENTRIES, toEntry } from "../../fields/kinds/phone-list";
import { ValueError } from "../../hours/value-error";
import { attempt } from "../../json/rules";
import { engineFailure, notSent, type TenantError } from "../errors";
import { DIGITS, marksOf, marksOfCall } from "./marks";
import type { NumberNormalizer } from "./number-normalizer";
import { inTimeSlices } from "./time-slices";

/** A number that must not be called, or may be called again. Plain data, as it is stored. */
export interface OptOut {
  /** As it was given. */
  readonly number: string;
  /** Epoch milliseconds; `null` for good. */
  readonly until: number | null;
  readonly reason: string | null;
  /** Epoch milliseconds. Of two that have a mark in common, the later one holds. */
  readonly at: number;
  /** Whether the number may be called again. */
  readonly isLifted?: true;
  /** The country with which the marks were found. */
  readonly country: string;
  /** All that a call to the number may be compared with. */
  readonly marks: readonly string[];
}

/** Makes the line that changes what is known of a number, from its forms and the lines that it has; `undefined` changes nothing. */
type Make = (
  number: string,
  forms: readonly string[],
  before: readonly OptOut[],
) => Omit<OptOut, "at" | "country"> | undefined;

/** Keeps opt-outs over a restart. */
export interface OptOutStore {
  /** Whether the clock is known to be right: only then an opt-out ends. */
  readonly isClockRight: boolean;
  /**
   * Resolves when the lines are on disk.
   * @param all what is known, with them
   */
  add(lines: readonly OptOut[], all: () => Iterable<OptOut>): Promise<void>;
}

/** The opt-outs that the instances of a group share. */
export interface SharedOptOuts {
  find(marks: readonly string[]): Promise<readonly OptOut[]>;
  /** Resolves to the line with the instant at which the group has it; one that is `known` is written only where it is the later one. */
  write(line: OptOut, isKnown?: boolean): Promise<OptOut>;
  remove(line: OptOut): Promise<void>;
  all(): AsyncIterable<OptOut>;
  /** Calls back with what another instance has written, and with `undefined` whenever something may have been missed. */
  follow(heard: (line: OptOut | undefined) => void): void;
}

/** A line that lifts an opt-out is kept for so long, so that no older line comes back from elsewhere. Milliseconds. */
const KEPT_LIFTED_MS = 30 * 86_400_000;
/** A group that does not answer in this time is taken for unreachable: what is known of it counts. Milliseconds. */
const LONGEST_ANSWER_MS = 1000;
/** The same before its first answer: nothing is known of it then, and connecting takes up to six seconds. */
const LONGEST_FIRST_ANSWER_MS = 10_000;

/** The numbers of a tenant whose owners do not want to be called. */
export class OptOuts {
  readonly #lines = new Set<OptOut>();
  readonly #byMark = new Map<string, OptOut>();
  /** Lines that are still to be compared with the present country. */
  readonly #unread = new Set<OptOut>();
  /** Another value whenever a line is learned. */
  changes = 0;
  #country = "";
  #normalizer: NumberNormalizer | undefined;
  /** Resolves when all lines are compared with the present country; absent while they are. */
  #reading: Promise<unknown> | undefined;
  #group: Promise<SharedOptOuts | undefined> | undefined;
  #hasAnswered = false;
  /** Changes are made one after the other. */
  #last: Promise<unknown> = Promise.resolve();

  /** @param problem why the numbers cannot be known: nobody is called then */
  constructor(
    private readonly store: OptOutStore = { isClockRight: true, add: async () => {} },
    stored: Iterable<OptOut> = [],
    readonly problem?: TenantError,
  ) {
    for (const line of stored) if (!this.#isOver(line)) this.#learn(line);
  }

  /** Compares numbers as the guard does that has this country. */
  readAs(country: string, normalizer: NumberNormalizer): void {
    this.#normalizer = normalizer;
    this.#country = country;
    for (const line of this.#lines) if (line.country !== country) this.#unread.add(line);
    for (const line of this.#unread) this.#forget(line);
    const learning = inTimeSlices(this.#learnUnread());
    if (!(learning instanceof Promise)) return;
    const reading = Promise.all([this.#reading, learning]).then(() => {
      if (this.#reading === reading) this.#reading = undefined;
    });
    this.#reading = reading;
  }

  *#learnUnread(): Generator<undefined, undefined> {
    for (const line of this.#unread) {
      this.#learn(line);
      this.#unread.delete(line);
      yield;
    }
    return undefined;
  }

  /** Shares them with a group from now on, or with none. */
  share(group: Promise<SharedOptOuts | undefined> | undefined): void {
    if (group === this.#group) return;
    this.#group = group;
    this.#hasAnswered = false;
    void group?.then((shared) =>
      shared?.follow((line) => {
        if (this.#group !== group) return;
        if (line) this.#keep([line]);
        else void this.#catchUp(shared).catch(() => {});
      }),
    );
  }

  /** Returns why a number must not be called, if its owner does not want that. Never throws or rejects. */
  refusal(number: string): TenantError | undefined | Promise<TenantError | undefined> {
    if (this.problem) return this.problem;
    if (!this.#group && !this.#reading) return this.#lines.size === 0 ? undefined : this.refusalNow(number);
    const marks = () => marksOfCall(number, this.#normalizer);
    return Promise.all([this.#askGroup(marks), this.#reading]).then(() => this.refusalNow(number));
  }

  /** The same from what is known without waiting. */
  refusalNow(number: string): TenantError | undefined {
    return this.#find(marksOfCall(number, this.#normalizer)).length > 0 ? REFUSED : undefined;
  }

  /**
   * Blocks a number. Resolves, when that is stored, to whether it changes something. Rejects with ValueError for what is not one
   * number, or with TenantError.
   */
  block(given: unknown, terms: Pick<OptOut, "until" | "reason">): Promise<boolean> {
    return this.#change(given, (number, forms, before) => {
      const [same] = before;
      const isSame = before.length === 1 && same?.until === terms.until && same.reason === terms.reason;
      if (isSame && forms.every((form) => same.marks.includes(form))) return undefined;
      if (before.length === 0 && this.#lines.size >= MAX_ENTRIES && this.#blocked().length >= MAX_ENTRIES)
        throw new ValueError("input.hours.listLong", "number", { most: MAX_ENTRIES });
      return { number, ...terms, marks: [...forms, ...before.flatMap((line) => line.marks)] };
    });
  }

  /** Lets a number be called again. As `block`. */
  unblock(given: unknown): Promise<boolean> {
    return this.#change(given, (number, _, before) => {
      const marks = before.flatMap((line) => line.marks);
      return before.length === 0 ? undefined : { number, until: null, reason: null, isLifted: true, marks };
    });
  }

  /** The blocked numbers, the oldest first. */
  async list(): Promise<readonly OptOut[]> {
    if (this.problem) throw this.problem;
    const group = await this.#group;
    if (group) await this.#catchUp(group).catch(failEngine);
    await this.#reading;
    return this.#blocked().sort((a, b) => a.at - b.at);
  }

  #change(given: unknown, make: Make): Promise<boolean> {
    const changing = this.#last.then(async () => {
      if (this.problem) throw this.problem;
      await this.#reading;
      const number = this.#oneNumber(given);
      const marks = marksOf(number, this.#normalizer);
      const group = await this.#group;
      if (group) this.#keep(await group.find(marks).catch(failEngine));
      // Another number may have the same digits.
      const forms = marks.filter((mark) => !mark.startsWith(DIGITS));
      const made = make(number, forms, this.#find(forms));
      if (!made) return false;
      const all = [...new Set([...marks, ...made.marks])];
      const newest = Math.max(...all.map((mark) => this.#byMark.get(mark)?.at ?? 0));
      const own = { ...made, marks: all, at: Math.max(Date.now(), newest + 1), country: this.#country };
      const line = group ? await group.write(own).catch(failEngine) : own;
      await this.store.add([line], () => [...this.#lines, ...this.#unread, line]).catch(failEngine);
      this.#learn(line);
      return true;
    });
    this.#last = changing.catch(() => {});
    return changing;
  }

  /** A number as an entry of the tenant's own list may be, but no beginning of one. */
  #oneNumber(given: unknown): string {
    const number = attempt(() => toEntry(given, "number"));
    if (number !== undefined && !number.endsWith("*") && this.#normalizer?.formsOf(number).length !== 0) return number;
    throw new ValueError("input.notOnePhoneNumber", "number", { value: given });
  }

  /** Learns what the group knows of a number. A group that cannot be asked is what it was when last heard. */
  async #askGroup(marks: () => readonly string[]): Promise<void> {
    const answer = Promise.resolve(this.#group).then((group) => group?.find(marks()));
    const longest = this.#hasAnswered ? LONGEST_ANSWER_MS : LONGEST_FIRST_ANSWER_MS;
    const found = await Promise.race([answer.catch(() => {}), sleep(longest, undefined, { ref: false })]);
    if (!found) return;
    this.#hasAnswered = true;
    this.#keep(found);
  }

  /** Learns all that the group has, and tells it what it has not, or has forgotten. */
  async #catchUp(group: SharedOptOuts): Promise<void> {
    const shared = new Map<string, number>();
    const lines: OptOut[] = [];
    for await (const line of group.all()) {
      for (const mark of line.marks) shared.set(mark, Math.max(line.at, shared.get(mark) ?? 0));
      if (this.#isOver(line)) await group.remove(line);
      else lines.push(line);
    }
    this.#keep(lines);
    for (const line of [...this.#lines])
      if (!this.#isOver(line) && line.marks.some((mark) => (shared.get(mark) ?? 0) < line.at))
        await group.write(line, true);
  }

  /** Learns lines of others, and stores what is new; should that fail, the group still has them. */
  #keep(lines: readonly OptOut[]): void {
    const added = lines.filter((line) => this.#learn(line));
    if (added.length === 0) return;
    const storing = this.#last.then(() => this.store.add(added, () => [...this.#lines, ...this.#unread]));
    this.#last = storing.catch(() => {});
  }

  /** Returns whether a line was new. */
  #learn(given: OptOut): boolean {
    const isRead = !this.#normalizer || given.country === this.#country;
    const marks = isRead ? given.marks : marksOf(given.number, this.#normalizer);
    const line = isRead ? given : { ...given, country: this.#country, marks };
    let isNew = false;
    for (const mark of marks) {
      const old = this.#byMark.get(mark);
      if (old && old.at >= line.at) continue;
      this.#byMark.set(mark, line);
      isNew = true;
      if (old?.marks.every((each) => this.#byMark.get(each) !== old)) this.#lines.delete(old);
    }
    if (!isNew) return false;
    this.#lines.add(line);
    this.changes += 1;
    return true;
  }

  #forget(line: OptOut): void {
    this.#lines.delete(line);
    for (const mark of line.marks) if (this.#byMark.get(mark) === line) this.#byMark.delete(mark);
  }

  #find(marks: readonly string[]): readonly OptOut[] {
    return this.#blocked(new Set(marks.flatMap((mark) => this.#byMark.get(mark) ?? [])));
  }

  #blocked(lines: Iterable<OptOut> = this.#lines): OptOut[] {
    const holds = (until: OptOut["until"]) => until === null || until > Date.now() || !this.store.isClockRight;
    return [...lines].filter(({ isLifted, until }) => !isLifted && holds(until));
  }

  /** Whether a line says nothing any more. */
  #isOver({ isLifted, until, at }: OptOut): boolean {
    const end = isLifted ? at : until;
    return end !== null && end + KEPT_LIFTED_MS < Date.now() && this.store.isClockRight;
  }
}

const REFUSED = notSent("ERR_BLOCKED", "queue", { key: "blocked.optOut", rule: "opt-out", field: "to.number" });

function failEngine(error: unknown): never {
  throw engineFailure(error, "optOutsFail");
}
