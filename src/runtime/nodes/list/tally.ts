import type { Outcome } from "../../../client";
import { noOutcomes } from "../../metrics/today";
import type { Ended, StoredList, Subject } from "./list-file";

/** The ends of a list's rows: each counts once. */
export class Tally {
  /** By index from 0. */
  readonly results: (Ended | undefined)[] = [];
  readonly outcomes = noOutcomes();
  readonly codes: Record<string, number> = {};
  ended = 0;

  readonly total: number;
  readonly #list: string;

  constructor({ id, list }: Subject) {
    this.#list = id;
    this.total = list.rows.length;
  }

  /** Counts the rows of a list in its file. */
  static of({ subject, lines }: StoredList): Tally {
    const tally = new Tally(subject);
    for (const line of lines) if ("row" in line) tally.count(line.row, line.ended);
    return tally;
  }

  get isOver(): boolean {
    return this.ended === this.total;
  }

  count(index: number, ended: Ended): void {
    if (this.results[index]) return;
    const [outcome, code] = ended;
    this.results[index] = ended;
    this.ended += 1;
    this.outcomes[outcome] += 1;
    if (code !== "") this.codes[code] = (this.codes[code] ?? 0) + 1;
  }

  /** The list as `telephony/unfinished.jsonl` names it if nobody learns how it ends. @param inFlight rows */
  unfinished(inFlight = 0) {
    const { total, outcomes } = this;
    const notCalled = total - outcomes.applied - outcomes.rejected - outcomes.unknown - inFlight;
    const outcome: Outcome = notCalled < total ? "unknown" : "not-applied";
    return { summary: { list: this.#list, total, notCalled }, outcome };
  }
}
