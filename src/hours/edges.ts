import type { Exceptions } from "./exceptions";
import type { Schedule } from "./schedule";
import { planAround, spans } from "./spans";
import { dayIn, type Zone } from "./zone";

/** An opening or a closing of a schedule. */
export interface Edge {
  readonly opens: boolean;
  /** Epoch milliseconds, with the offset. */
  readonly at: number;
}

/** Finds the edges in `(after, until]`, in epoch milliseconds and in order. */
export type Edges = (after: number, until: number) => Edge[];

/**
 * Days around those that are asked for. An opening reaches into the second day after its own, and one that begins before
 * the first day that is looked at must not seem to open there.
 */
const DAYS_AROUND = 4;

/**
 * Places the openings and closings of a schedule on the wall clock of a zone. Times that touch are one, as for
 * {@link calendar}: a schedule that never closes has no edges. Of two edges at one instant, the closing is first. The offsets
 * are milliseconds that are added to the instants, at most a day; a negative one comes before.
 */
export function edges(
  schedule: Schedule,
  exceptions: Exceptions,
  zone: Zone,
  { opening, closing }: Readonly<Record<"opening" | "closing", number>>,
): Edges {
  if (!schedule.enabled) return () => [];
  const plan = planAround(schedule.days, exceptions, zone);
  return (after, until) => {
    const found: Edge[] = [];
    const first = dayIn(zone, after - Math.max(opening, closing)) - DAYS_AROUND;
    const last = dayIn(zone, until - Math.min(opening, closing)) + DAYS_AROUND;
    for (const { start, end } of spans(plan(after), zone, first, last))
      found.push({ opens: true, at: start + opening }, { opens: false, at: end + closing });
    return found
      .filter(({ at }) => after < at && at <= until)
      .sort((a, b) => a.at - b.at || Number(a.opens) - Number(b.opens));
  };
}
