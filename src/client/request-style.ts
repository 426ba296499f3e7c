import { booleansIn, hasParties, type PartyFields, type Request, type Style } from "./request";

const FIRST: Style = { partyFields: "dotted", booleans: "words" };

/**
 * The style in which requests are sent to one tenant. With `auto`, the first success of a request that has party fields,
 * or a boolean in its query, decides how these are written from then on. Outlives a client whose successor sends to the
 * same target.
 */
export class RequestStyle {
  readonly isFixed: boolean;
  #current: Style;
  #proven: Partial<Style> = {};

  /** @param setting of the tenant: a style that is fixed, or one that is found out */
  constructor(setting: "auto" | PartyFields) {
    this.isFixed = setting !== "auto";
    this.#current = setting === "auto" ? FIRST : { ...FIRST, partyFields: setting };
  }

  /** The style of new requests. Another object whenever it changes. */
  get current(): Style {
    return this.#current;
  }

  /** The part of the style that has worked, as far as it was tried; empty for a style that is fixed. */
  get proven(): Readonly<Partial<Style>> {
    return this.#proven;
  }

  succeeded(request: Request, style: Style): void {
    if (this.isFixed) return;
    const { partyFields, booleans } = this.#proven;
    if (request.method === "POST") {
      if (partyFields === undefined && hasParties(request)) this.#remember({ partyFields: style.partyFields });
    } else if (booleans === undefined && booleansIn(request).length > 0) this.#remember({ booleans: style.booleans });
  }

  /**
   * The other style for a request that was refused. `undefined` if the refusal names no field that the styles write
   * differently, or if the style has worked before: then the refusal is about the values.
   */
  otherThan(style: Style, request: Request, named: readonly string[]): Style | undefined {
    if (this.isFixed || named.length === 0) return undefined;
    const { partyFields, booleans } = this.#proven;
    if (hasParties(request))
      return style.partyFields === "dotted" && partyFields !== "dotted"
        ? { ...style, partyFields: "nested" }
        : undefined;
    return style.booleans === "words" && booleans !== "words" ? { ...style, booleans: "digits" } : undefined;
  }

  #remember(known: Partial<Style>): void {
    this.#proven = { ...this.#proven, ...known };
    this.#current = { ...this.#current, ...known };
  }
}
