import type { Acceptance, End, Entry, Limits, Run } from "../../../src/backlog/backlog";
import { LocalBacklog } from "../../../src/backlog/local/local-backlog";
import { memory, type Remains } from "../../../src/backlog/local/store";

const NO_LIMITS: Limits = { rate: 0, entries: 1000, bytes: 2 ** 28, places: 8 };

/** A backlog of one process whose runs end when the test says so. */
export class Stage {
  readonly backlog: LocalBacklog;
  readonly runs: Run[] = [];
  readonly ends: [id: string, end: End][] = [];
  /** What was told about records. */
  readonly told: unknown[][] = [];
  isOpen = true;
  places = Number.POSITIVE_INFINITY;
  others = { waiting: 0, bytes: 0 };
  #next = 0;

  constructor(limits: Partial<Limits> = {}, store = memory, remains?: Remains) {
    this.backlog = new LocalBacklog(store, remains);
    this.backlog.serve(
      {
        places: () => this.places,
        isOpen: () => this.isOpen,
        others: () => this.others,
        adopted: (name, value) => this.told.push(["adopted", name, value]),
        noted: (name, note) => this.told.push(["noted", name, note]),
        begin: (run) => {
          this.places -= 1;
          this.runs.push(run);
        },
        ended: ({ id }, end) => this.ends.push([id, end]),
        changed: () => {},
        trouble: () => {},
      },
      { ...NO_LIMITS, ...limits },
    );
  }

  accept(more: Partial<Entry> = {}): Promise<Acceptance> {
    this.#next += 1;
    return this.backlog.accept({ id: String(this.#next), nodeId: "a", size: 1, content: null, ...more });
  }

  get begun(): readonly string[] {
    return this.runs.map(({ entry }) => entry.id);
  }
}
