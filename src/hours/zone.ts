import type { Temporal } from "temporal-polyfill";
import { MILLISECONDS_A_DAY } from "./dates";
import { HoursError } from "./hours-error";
import { isZone } from "./zone-name";

/** A time during which a zone's clock is never put forward or back; all in milliseconds, `[from, until)`. */
export interface Stretch {
  /** Wall clock minus UTC. */
  readonly offset: number;
  readonly from: number;
  readonly until: number;
}

/**
 * The clock on the wall of one zone. A wall time is written as the epoch milliseconds that UTC's clock would need to
 * show it, so that days and minutes are plain sums.
 */
export interface Zone {
  readonly name: string;
  /** The stretch an instant lies in, as far as it is known: it may begin earlier and go on for longer. */
  stretchAt(instant: number): Stretch;
  /** When the wall clock shows `wall`: the first time of two; a time that it leaps over is moved forward by the leap. */
  instantAt(wall: number): number;
}

/**
 * The zone of that name, ready for use. Loads Temporal where the runtime has none, which is why it is asynchronous: the
 * polyfill is an ES module, and Node before 20.19 and 22.12 can only import() those.
 * @throws HoursError `zoneUnknown`
 */
export async function loadZone(name: string): Promise<Zone> {
  if (!isZone(name)) throw new HoursError("zoneUnknown", "", { value: name });
  const native = (globalThis as { Temporal?: typeof Temporal }).Temporal;
  return zoneOf(name, native ?? (await import("temporal-polyfill")).Temporal);
}

/**
 * Between two changes of the clock a wall time and its instant differ by a sum, so Temporal is asked for the changes and
 * for the wall times near them: a year ahead is searched at the cost of its two or three changes.
 */
function zoneOf(name: string, temporal: typeof Temporal): Zone {
  /** Wall times this near to a change are left to Temporal. No zone ever leapt further than a day. */
  const near = 2 * MILLISECONDS_A_DAY;
  /** The polyfill looks three years ahead of the clock for a change; none found says nothing about the time after. */
  const farthest = 1000 * MILLISECONDS_A_DAY;
  let known: Stretch = { offset: 0, from: 0, until: 0 };

  function lookFrom(instant: number): Stretch {
    const there = temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(name);
    const change = there.getTimeZoneTransition("next")?.epochMilliseconds ?? Number.POSITIVE_INFINITY;
    return {
      offset: there.offsetNanoseconds / 1e6,
      from: instant,
      until: Math.min(change, instant + farthest),
    };
  }

  function stretchAt(instant: number): Stretch {
    if (instant >= known.from && instant < known.until) return known;
    // From a little earlier, so that what is asked next is not near to where the known stretch begins.
    known = lookFrom(instant - 2 * near);
    if (instant >= known.until) known = lookFrom(instant);
    return known;
  }

  function instantAt(wall: number): number {
    const { offset, from, until } = stretchAt(wall);
    const instant = wall - offset;
    if (instant - from >= near && until - instant >= near) return instant;
    const clock = temporal.Instant.fromEpochMilliseconds(wall).toZonedDateTimeISO("UTC").toPlainDateTime();
    return clock.toZonedDateTime(name, { disambiguation: "compatible" }).epochMilliseconds;
  }

  return { name, stretchAt, instantAt };
}
