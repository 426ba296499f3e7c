import type { InputKey } from "./text-key";
import type { Params } from "./word";

/**
 * What is wrong with one field of a request. Carries a catalogue key and its parameters instead of a sentence, so that
 * the runtime can say it in the reader's language.
 */
export class FieldError extends Error {
  /** Where the value came from, e.g. `msg.payload.to.number`; known to whoever read the value. */
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
