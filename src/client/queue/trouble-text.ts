import type { HoldReason, Until } from "../../backlog";
import type { Params, TextKey } from "../../fields";
import { DAY_MS } from "../../hours/dates";
import { momentOf, WEEKDAYS, wallTime } from "../../hours/moment";
import { joined } from "../../texts/catalogue";
import { NO_CONNECTION } from "../errors";

type Text = (key: TextKey, params?: Params) => string;

/** The trouble that holds the call-outs of a tenant. Instants are epoch milliseconds. */
export interface Hold {
  /** The code of the trouble. */
  readonly reason: string;
  readonly since: number;
  /** Call-outs that wait for its end. */
  readonly waiting: number;
  /** The tenant's zone; the host's without one. */
  readonly zone: string | undefined;
}

/** The zone in which an instant is shown; the host's without one. */
interface Shown {
  readonly zone?: string | undefined;
  readonly today?: string | undefined;
}

function kindOf(reason: string): "token" | "rate" | "connection" | "service" {
  if (reason === "ERR_AUTH") return "token";
  if (reason === "ERR_RATE_LIMITED") return "rate";
  return NO_CONNECTION.has(reason) ? "connection" : "service";
}

/** Returns why call-outs wait, since when, and how many: for a status, and as a sentence that says what to do. */
export function holdTexts(text: Text, { reason, since, waiting: count, zone }: Hold) {
  const kind = kindOf(reason);
  const what = text("trouble.since", { reason: text(`trouble.${kind}`), time: timeText(text, since, zone) });
  const waiting = count === 0 ? "" : text(count === 1 ? "trouble.one" : "trouble.several", { count });
  const todo = text(`trouble.todo.${kind}`);
  return {
    status: joined(text, "pattern.beside", count === 0 ? [what] : [what, text("status.waiting", { count })]),
    sentence: text("trouble.sentence", { what, waiting, todo }).replace(/ {2,}/, " "),
  };
}

/** The words for what holds call-outs: until when, and if that is not known. */
const HELD: Readonly<Record<HoldReason, { readonly until: TextKey; readonly unknown: TextKey }>> = {
  pause: { until: "status.paused", unknown: "status.paused" },
  hours: { until: "status.waitsUntil", unknown: "status.waitsForHours" },
  trouble: { until: "trouble.again", unknown: "tab.waits.for.trouble" },
};

/**
 * Returns what holds call-outs, and until when.
 * @param today the date on the calendar of an end with a zone of its own; without one, that of its offset
 */
export function heldText(text: Text, reason: HoldReason, until: Until, { zone, today }: Shown = {}): string {
  if (until === undefined) return text(HELD[reason].unknown);
  const at =
    typeof until === "number" ? timeText(text, until, zone) : momentText(text, until, today ?? dateBeside(until));
  return text(HELD[reason].until, { at });
}

/** The date now, on the clock of an instant with an offset. */
function dateBeside(iso: string): string {
  const offset = Date.parse(`${iso.slice(0, 19)}Z`) - Date.parse(iso);
  return new Date(Date.now() + offset).toISOString();
}

/** An instant on the clock of a zone, with its weekday if that is a day away. */
export function timeText(text: Text, at: number, zone: string | undefined): string {
  const [date = "", time = ""] = wallTime(at, zone).split("T");
  const weekday = WEEKDAYS[new Date(date).getUTCDay()];
  return weekday && Math.abs(Date.now() - at) >= DAY_MS ? `${text(`status.days.${weekday}`)} ${time}` : time;
}

/**
 * A moment to come, as `momentOf` has it, in words.
 * @param today a date on the same calendar, perhaps with a time
 */
export function momentText(text: Text, iso: string, today: string): string {
  const { weekday, text: moment } = momentOf(iso, today.slice(0, 10));
  return weekday ? `${text(`status.days.${weekday}`)} ${moment}` : moment;
}
