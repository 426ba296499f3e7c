import { DownloadError } from "../../client/transport/download";
import type { CalendarCopy } from "../../fields/kinds/calendar-copy";
import { DAY_MS } from "../../hours/dates";
import { isICalendar } from "../../hours/icalendar";
import { ValueError } from "../../hours/value-error";
import { exceptionsInSlices } from "./read-in-slices";

/** What a calendar does with the world. */
interface CalendarPorts {
  /** Fetches the bytes. Rejects with DownloadError. */
  fetch(signal: AbortSignal): Promise<Uint8Array>;
  /** The copy of an earlier run. Never rejects. */
  readCopy(): Promise<CalendarCopy | undefined>;
  /** Never rejects. */
  writeCopy(copy: CalendarCopy): Promise<void>;
  /** Resolves when the flows run: the calendar may be served by one of them. */
  ready(): Promise<void>;
}

/** After a failure, it is fetched again after 5 s, then after twice the time, up to an hour. */
const FIRST_RETRY_MS = 5000;
const LONGEST_RETRY_MS = 3_600_000;

/** A calendar at one address, for all nodes that name it: fetched at deploy and once a day. The last good text is kept. */
export class Calendar {
  readonly #followers = new Map<object, () => void>();
  readonly #loaded: Promise<void>;
  #copy: CalendarCopy | undefined;
  #problem: DownloadError | ValueError | undefined;
  #fetching: Promise<void> | undefined;
  #abort: AbortController | undefined;
  #begunAt = Number.NEGATIVE_INFINITY;
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly ports: CalendarPorts) {
    this.#loaded = ports.readCopy().then((copy) => {
      this.#copy ??= copy;
    });
  }

  get isFollowed(): boolean {
    return this.#followers.size > 0;
  }

  /** The last good text. */
  get copy(): CalendarCopy | undefined {
    return this.#copy;
  }

  /** Why the last time brought nothing. */
  get problem(): DownloadError | ValueError | undefined {
    return this.#problem;
  }

  /**
   * Calls back when the text, or what is wrong with it, has changed. It is fetched now unless it was since a moment.
   * @param since `performance.now()` of the deploy, so that all nodes of a deploy share one request
   */
  follow(follower: object, changed: () => void, since: number): void {
    this.#followers.set(follower, changed);
    if (this.#begunAt < since) {
      // What is wrong now is found out again.
      if (!this.#copy) this.#problem = undefined;
      void this.fetch();
    } else if (!this.#fetching) this.#plan();
  }

  unfollow(follower: object): void {
    this.#followers.delete(follower);
    if (this.#followers.size > 0) return;
    clearTimeout(this.#timer);
    this.#abort?.abort();
  }

  /**
   * The last good text; without one, the text that is being fetched, unless the last time brought nothing: messages must
   * not wait for each new attempt. `undefined` if there is none.
   * Rejects with ValueError if a text was fetched that cannot be read.
   */
  async read(): Promise<string | undefined> {
    await this.#loaded;
    if (!this.#copy && !this.#problem) await this.#fetching;
    if (this.#copy) return this.#copy.text;
    const problem = this.#problem;
    // Each reader adds its own field to the error.
    if (problem instanceof ValueError) throw new ValueError(problem.key, problem.path, problem.params);
    return undefined;
  }

  /** Fetches it, or waits for the request that is under way. Never rejects. */
  fetch(): Promise<void> {
    this.#fetching ??= this.#fetchNow().finally(() => {
      this.#fetching = undefined;
      this.#plan();
    });
    return this.#fetching;
  }

  async #fetchNow(): Promise<void> {
    clearTimeout(this.#timer);
    const abort = new AbortController();
    this.#abort = abort;
    await this.#loaded;
    await this.ports.ready();
    // It was unfollowed meanwhile, and may be followed again.
    if (abort.signal.aborted) return this.isFollowed ? this.#fetchNow() : undefined;
    const before = this.#state();
    this.#begunAt = performance.now();
    try {
      const text = await readable(await this.ports.fetch(abort.signal), this.#copy !== undefined);
      this.#copy = { text, fetchedAt: new Date().toISOString() };
      this.#problem = undefined;
      this.#failures = 0;
      await this.ports.writeCopy(this.#copy);
    } catch (error) {
      if (abort.signal.aborted) return this.isFollowed ? this.#fetchNow() : undefined;
      this.#failures += 1;
      this.#problem =
        error instanceof ValueError || error instanceof DownloadError ? error : new DownloadError("ERR_BAD_RESPONSE");
    }
    if (JSON.stringify(before) !== JSON.stringify(this.#state()))
      for (const changed of [...this.#followers.values()]) changed();
  }

  #state(): unknown {
    const problem = this.#problem;
    return [this.#copy?.text, problem?.key, problem?.params];
  }

  #plan(): void {
    clearTimeout(this.#timer);
    if (!this.isFollowed) return;
    const retry = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(this.#failures - 1, 20));
    const wait = this.#failures > 0 ? retry : DAY_MS;
    const passed = performance.now() - this.#begunAt;
    this.#timer = setTimeout(() => void this.fetch(), Math.max(0, wait - passed));
  }
}

/** Rejects with ValueError for what cannot be read, and for a text that breaks off if there is a copy; DownloadError for nothing */
async function readable(bytes: Uint8Array, hasCopy: boolean): Promise<string> {
  const text = Buffer.from(bytes).toString("utf8");
  if (text.trim() === "") throw new DownloadError("download.empty");
  const isCalendar: boolean = isICalendar(text);
  try {
    const { first } = (await exceptionsInSlices(text, "")).icalendar?.leftOut ?? {};
    if (hasCopy && first?.key === "input.hours.icalEnd") throw first;
  } catch (error) {
    // Named as a web page where it is one.
    if (isCalendar || (error instanceof ValueError && error.key === "input.hours.webPage")) throw error;
  }
  if (isCalendar) return text;
  throw new ValueError("input.hours.icalLine", "", { line: 1, value: text.trimStart().slice(0, 40) });
}
