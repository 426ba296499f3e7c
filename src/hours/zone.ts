import type { Temporal } from "temporal-polyfill";
import { attempt } from "../json/rules";
import { DAY_MS, dayOf } from "./dates";
import { ValueError } from "./value-error";

/** A period `[from, until)` in which a zone's offset does not change. All values are in milliseconds. */
interface OffsetPeriod {
  /** Wall clock minus UTC. */
  readonly offset: number;
  readonly from: number;
  readonly until: number;
}

/**
 * The wall clock of a zone. A wall time is written as the epoch milliseconds at which UTC's clock would show it, so that
 * days and minutes can be added as numbers.
 */
export interface Zone {
  readonly name: string;
  /** Whether it is the zone of this machine, by any of its names. */
  readonly isHostZone: boolean;
  /** The known part of the offset period of an instant; the period may begin earlier and end later. */
  offsetPeriodAt(instant: number): OffsetPeriod;
  /**
   * The instant at which the clock shows `wall`: the first of two; a time that the clock skips is moved forward by the
   * length of the gap.
   */
  instantAt(wall: number): number;
  /** Returns another zone, by a name for which `isZone` is true. */
  sibling(name: string): Zone;
}

/**
 * Loads the zone of that name. It is asynchronous because Temporal is loaded where the runtime has none: the polyfill is
 * an ES module, which Node before 20.19 and 22.12 can only import().
 * @throws ValueError `zoneUnknown`
 */
export async function loadZone(name: string): Promise<Zone> {
  if (!isZone(name)) throw new ValueError("input.hours.zoneUnknown", "", { zone: name });
  const native = (globalThis as { Temporal?: typeof Temporal }).Temporal;
  return zoneOf(name, native ?? (await import("temporal-polyfill")).Temporal);
}

/**
 * Makes a zone. Within an offset period, wall time and instant differ by the offset. Temporal is used only for changes and
 * the wall times near them, so that searching a year ahead costs only its two or three changes.
 */
function zoneOf(name: string, temporal: typeof Temporal): Zone {
  /** Wall times this near to a change are left to Temporal. No zone ever changed by more than a day. */
  const near = 2 * DAY_MS;
  /** The polyfill searches three years ahead for a change. Finding none does not rule out a later one. */
  const farthest = 1000 * DAY_MS;
  let known: OffsetPeriod = { offset: 0, from: 0, until: 0 };
  /** The instant up to which the period is used: not its end, where that comes from the search and not from a change. */
  let usableUntil = 0;

  function periodFrom(instant: number): OffsetPeriod {
    const there = temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(name);
    const change = there.getTimeZoneTransition("next")?.epochMilliseconds ?? Number.POSITIVE_INFINITY;
    const until = Math.min(change, instant + farthest);
    usableUntil = until === change ? until : until - 2 * near;
    return { offset: there.offsetNanoseconds / 1e6, from: instant, until };
  }

  function offsetPeriodAt(instant: number): OffsetPeriod {
    if (instant >= known.from && instant < usableUntil) return known;
    // From a little earlier, so that the next instants are not near the beginning of the known part.
    known = periodFrom(instant - 2 * near);
    if (instant >= known.until) known = periodFrom(instant);
    return known;
  }

  function instantAt(wall: number): number {
    const { offset, from, until } = offsetPeriodAt(wall);
    const instant = wall - offset;
    if (instant - from >= near && until - instant >= near) return instant;
    const clock = temporal.Instant.fromEpochMilliseconds(wall).toZonedDateTimeISO("UTC").toPlainDateTime();
    return clock.toZonedDateTime(name, { disambiguation: "compatible" }).epochMilliseconds;
  }

  const isHostZone = isSameZone(name, hostZone());
  return { name, isHostZone, offsetPeriodAt, instantAt, sibling: (other) => zoneOf(other, temporal) };
}

/** The day on the wall clock of a zone, counted since 1970-01-01. */
export function dayIn(zone: Zone, instant: number): number {
  return dayOf(instant + zone.offsetPeriodAt(instant).offset);
}

/** Names that ICU adds to the IANA zones. Temporal refuses them, and they are ambiguous: IST is India, Ireland or Israel. */
const ICU_ONLY =
  /^(?:(?:AC|AE|AG|AR|AS|BE|BS|CA|CN|CS|CT|EA|EC|IE|IS|JS|MI|NE|NS|PL|PN|PR|PS|SS|VS)T|SystemV\/.*|US\/Pacific-New)$/i;

/** Whether this runtime knows the IANA zone. Offsets such as `+07:00`, which Intl accepts, are not zones. */
export function isZone(name: unknown): name is string {
  if (typeof name !== "string" || name.length > 64 || !/^[A-Za-z]/.test(name) || ICU_ONLY.test(name)) return false;
  return canonicalName(name) !== undefined;
}

/** Whether two names mean the same zone, as Asia/Saigon and Asia/Ho_Chi_Minh do. */
export function isSameZone(a: string, b: string): boolean {
  return a === b || canonicalName(a) === canonicalName(b);
}

/**
 * The zone of this machine, and the value of TZ if that has no IANA name: `Date` follows forms such as `JST-9`, and takes
 * everything else for UTC.
 */
export function readHostZone(): { readonly name: string; readonly unnamed?: string } {
  const { TZ = "" } = process.env;
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  // Intl has no name for GMT and for a path either, and takes some of what it does not know for UTC.
  const names = [TZ === "" || timeZone !== "UTC" ? timeZone : "", TZ.replace(/^:?(?:.*\/zoneinfo\/)?/, "")];
  const known = names.find((name) => isZone(name) && isFollowed(name));
  if (known !== undefined) return { name: known };
  const hours = -new Date().getTimezoneOffset() / 60;
  if (TZ === "" && hours === 0) return { name: "UTC" };
  const zone = `Etc/GMT${hours < 0 ? "+" : "-"}${Math.abs(hours)}`;
  return { name: hours !== 0 && isZone(zone) ? zone : "UTC", unnamed: TZ };
}

export const hostZone = (): string => readHostZone().name;

/** Whether `Date` now shows the clock of a zone. */
function isFollowed(timeZone: string): boolean {
  const now = new Date();
  const wall = new Date(now.getTime() - now.getTimezoneOffset() * 60_000);
  return now.toLocaleString("en", { timeZone }) === wall.toLocaleString("en", { timeZone: "UTC" });
}

function canonicalName(timeZone: string): string | undefined {
  return attempt(() => new Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone);
}
