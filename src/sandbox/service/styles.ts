/**
 * The styles of requests that the sandbox reads. The interface shows dotted party fields and does not show how a boolean is
 * written in a query; tenants may differ. By default the sandbox reads every style.
 */
export interface Styles {
  /** `dotted`: `{"to.number": …}`. `nested`: `{"to": {"number": …}}`, as a validator that takes the dots as a path. */
  readonly parties: "either" | "dotted" | "nested";
  /** `words`: `true` and `false`. `digits`: `1` and `0`. */
  readonly booleans: "either" | "words" | "digits";
}

export const EVERY_STYLE: Styles = { parties: "either", booleans: "either" };
