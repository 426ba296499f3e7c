import type { Texts } from "../texts";

type Errors = Texts["errors"];

/** Key below `errors` in the catalogue. `config`: the value of a setting, which is the same for every message. */
export type ValueKey =
  | `input.${Exclude<keyof Errors["input"], "hours" | "list">}`
  | `input.hours.${keyof Errors["input"]["hours"]}`
  | `input.list.${keyof Errors["input"]["list"]}`
  | `config.${keyof Errors["config"]}`;

/**
 * A value is not accepted. It has a catalogue key and parameters instead of a sentence, which is made in the reader's
 * language (src/fields/value-error.ts).
 */
export class ValueError extends Error {
  constructor(
    readonly key: ValueKey,
    /** The field or setting, e.g. `to.number`, or a path inside the value: `[2].open`; `""` for the value itself. */
    readonly path: string,
    /** `value`, `from` and `to` are the refused values, unchanged. */
    readonly params: Readonly<Record<string, unknown>> = {},
    /** The source of the value, e.g. `msg.payload.to.number`; set where the value is read. */
    public source?: string,
  ) {
    super(`${key}${path && ` at ${path}`}`);
  }
}

/** The error with which a check refuses a value, `undefined` if it accepts it. Other errors are thrown. */
export function refusal(check: () => unknown): ValueError | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof ValueError) return error;
    throw error;
  }
}
