import { reasonOf } from "./quote";
import type { InputKey } from "./text-key";
import type { Params } from "./word";

/**
 * A problem with one field of a request. It has a catalogue key and parameters instead of a sentence, so that the runtime
 * can show it in the reader's language.
 */
export class FieldError extends Error {
  /** Where the value came from, e.g. `msg.payload.to.number`; set where the value is read. */
  source: string | undefined;

  constructor(
    /** Key below `errors.input` in the shared catalogue. */
    readonly key: InputKey,
    /** The interface's name of the field, e.g. `to.number`, `days[2].open`. */
    readonly field: string,
    readonly params: Params = {},
    source?: string,
  ) {
    super(`${field}: ${key}`);
    this.source = source;
  }
}

/** The error itself if it is a `FieldError`; any other comes from a getter, a proxy or a context store. */
export function fieldError(error: unknown, field: string, source: string): FieldError {
  const problem =
    error instanceof FieldError ? error : new FieldError("unreadable", field, { reason: reasonOf(error) }, source);
  problem.source ??= source;
  return problem;
}
