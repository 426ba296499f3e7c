import type { Verdict } from "../../../hours";
import { DAY_MS, dayOf, wallOf } from "../../../hours/dates";
import { memoizeLast } from "../../../hours/memoize";
import { textsOf } from "../../node-red/catalogue";
import { LANGUAGES, type Language } from "./settings";

/** The part of a verdict that a sentence uses. */
type Announced = Pick<Verdict, "open" | "closesAt" | "opensAt" | "exception" | "hasSpecialHours">;

export type Speaker = (verdict: Announced, checkedAt: string) => string;

/**
 * Speaks one language.
 * @param language of the node; `""` for the server's
 * @param ofServer the server's, as its catalogue names it, e.g. `zh-CN`. English replaces one that has no catalogue.
 */
export function speaker(language: Language, ofServer: string): Speaker {
  const chosen = language || ofServer.slice(0, 2);
  const known = LANGUAGES.find((each) => each !== "" && each === chosen) ?? "en";
  const text = textsOf(known);
  const dates = new Intl.DateTimeFormat(known, { weekday: "long", day: "numeric", month: "long", timeZone: "UTC" });

  /** All instants are texts with the offset of one zone. Most messages ask about the same verdict on the same date. */
  const sentence = memoizeLast(
    (open: boolean, edge: string | null, exception: string | null, hasSpecialHours: unknown, today: string) => {
      const wall = edge === null ? 0 : wallOf(edge);
      const midnight = (dayOf(wallOf(today)) + 1) * DAY_MS;
      // Midnight ends the same date.
      const day = edge === null ? "" : wall < midnight ? "Today" : open && wall === midnight ? "Midnight" : "Until";
      const name = nameOf(exception);
      // After the special hours of a date, nobody is closed for the exception.
      const state = open ? "open" : name !== null && hasSpecialHours && day !== "Today" ? "over" : "closed";
      const clock = new Date(wall);
      const time = `${clock.getUTCHours()}:${String(clock.getUTCMinutes()).padStart(2, "0")}`;
      const parts = Object.fromEntries(dates.formatToParts(clock).map(({ type, value }) => [type, value]));
      const key = `sentence.${name === null ? "plain" : "named"}.${state}${day}`;
      return text(key, { name, time, date: text("sentence.date", parts) }) ?? "";
    },
  );
  return ({ open, closesAt, opensAt, exception, hasSpecialHours }, checkedAt) =>
    sentence(open, open ? closesAt : opensAt, exception, hasSpecialHours, `${checkedAt.slice(0, 10)}T00:00:00`);
}

/** Invisible marks of pasted text, which a voice may read out. */
const DIRECTION_MARKS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/g;

/** The part of a name that is spoken, in whole characters. */
const SPOKEN_NAME = /^.{0,100}/su;

/** Puts a name on one line: it comes from a flow or a calendar, and is spoken in the middle of a sentence. */
function nameOf(exception: string | null): string | null {
  const name = (exception ?? "")
    .slice(0, 1000)
    .replace(DIRECTION_MARKS, "")
    .replace(/[\p{Cc}\p{Z}]+/gu, " ");
  return SPOKEN_NAME.exec(name.trim())?.[0].trim() || null;
}
