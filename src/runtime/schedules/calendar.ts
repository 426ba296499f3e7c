import { DownloadError } from "../../client/transport/download";
import type { CalendarSource } from "../../fields";
import type { CalendarCopy } from "../../fields/kinds/calendar-copy";
import { decoded, isICalendar } from "../../hours/icalendar";
import { ValueError } from "../../hours/value-error";
import { Followed } from "./followed";
import { exceptionsInSlices } from "./read-in-slices";

/** The ports through which a calendar reaches the world. */
interface CalendarPorts {
  /** Fetches the bytes. Rejects with DownloadError. */
  fetch(): Promise<Uint8Array>;
  /** The copy of an earlier run. Never rejects. */
  readCopy(): Promise<CalendarCopy | undefined>;
  /** Writes the copy. Never rejects. */
  writeCopy(copy: CalendarCopy): Promise<void>;
  /** Resolves when the flows run: the calendar may be served by one of them. */
  ready(): Promise<void>;
  /** The server, and why its last answer brought nothing. */
  label(problem: DownloadError | undefined): string;
}

/** A calendar at one address, for all nodes that name it. The last good text is kept. */
export class Calendar extends Followed<CalendarCopy, DownloadError | ValueError> implements CalendarSource {
  readonly #loaded: Promise<void>;

  constructor(private readonly ports: CalendarPorts) {
    super();
    this.#loaded = ports.readCopy().then((copy) => {
      this.value ??= copy;
    });
  }

  /**
   * The last good text; without one, the text that is being fetched, unless the last time brought nothing: messages must
   * not wait for each new attempt. `undefined` if there is none.
   * Rejects with ValueError if a text was fetched that cannot be read.
   */
  async read(): Promise<string | undefined> {
    await this.#loaded;
    if (!this.value && !this.problem) await this.renewal;
    if (this.value) return this.value.text;
    const { problem } = this;
    // Each reader adds its own field to the error.
    if (problem instanceof ValueError) throw new ValueError(problem.key, problem.path, problem.params);
    return undefined;
  }

  get label(): string {
    return this.ports.label(this.problem instanceof DownloadError ? this.problem : undefined);
  }

  protected async load(): Promise<void> {
    await this.#loaded;
    await this.ports.ready();
    try {
      const text = await readable(await this.ports.fetch(), this.value !== undefined);
      const copy = { text, fetchedAt: new Date().toISOString() };
      this.succeed(copy);
      await this.ports.writeCopy(copy);
    } catch (error) {
      const isKnown = error instanceof ValueError || error instanceof DownloadError;
      this.fail(isKnown ? error : new DownloadError("ERR_BAD_RESPONSE"));
    }
  }

  /** Whether it need not be fetched now: each deploy fetches it, once for all of its nodes. */
  protected override get isFresh(): boolean {
    return this.isFollowed && super.isFresh;
  }

  protected doubt(): void {
    if (!this.value) this.problem = undefined;
  }
}

/** Rejects with ValueError for what cannot be read, and for a text that breaks off if there is a copy; DownloadError for nothing */
async function readable(bytes: Uint8Array, hasCopy: boolean): Promise<string> {
  const text = decoded(bytes);
  if (text.trim() === "") throw new DownloadError("download.empty");
  const isCalendar: boolean = isICalendar(text);
  try {
    const { first, breaksOff } = (await exceptionsInSlices(text, "")).icalendar?.leftOut ?? {};
    if (hasCopy && breaksOff) throw first;
  } catch (error) {
    // Named as a web page where it is one.
    if (isCalendar || (error instanceof ValueError && error.key === "input.hours.webPage")) throw error;
  }
  if (isCalendar) return text;
  throw new ValueError("input.hours.icalLine", "", { line: 1, value: text.trimStart().slice(0, 40) });
}
