import { translate } from "../../texts";

/** What a tenant with the automatic party format has accepted so far. */
export interface FoundStyle {
  readonly partyFields?: "dotted" | "nested";
  readonly booleans?: "words" | "digits";
}

/** What was found out, in sentences; empty if nothing was. */
export function styleText({ partyFields, booleans }: FoundStyle): string {
  return [
    ...(partyFields === undefined ? [] : [translate(`style.${partyFields}`)]),
    ...(booleans === undefined ? [] : [translate(`style.${booleans}`)]),
  ].join(" ");
}
