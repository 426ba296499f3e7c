import { readInstant, type Zone } from "../../hours";
import { DAY_MS } from "../../hours/dates";
import { CannotRehearse } from "./world";

const MILLISECONDS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: DAY_MS };

/**
 * Reads `+90s` after `from` (also `m`, `h` and `d`), `09:00` as the first such time at or after `from`, or ISO 8601, without
 * offset in the zone.
 * @param from epoch milliseconds
 * @returns epoch milliseconds
 * @throws CannotRehearse
 */
export function instantOf(text: string, from: number, zone: Zone): number {
  const [, amount, unit = ""] = /^\+(\d+(?:\.\d+)?)([smhd])$/.exec(text) ?? [];
  if (amount !== undefined) return from + Math.round(Number(amount) * (MILLISECONDS[unit] ?? 0));
  const [, hours, minutes, seconds = "0"] = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/.exec(text) ?? [];
  if (hours !== undefined) {
    const time = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
    return firstAtOrAfter(from, time, zone);
  }
  try {
    return readInstant(text, zone);
  } catch {
    const shown = JSON.stringify(text).slice(0, 60);
    throw new CannotRehearse(`${shown} is no instant: use ISO 8601, "+90s" after the start, or "09:00".`);
  }
}

function firstAtOrAfter(from: number, time: number, zone: Zone): number {
  const wall = from + zone.offsetPeriodAt(from).offset;
  const midnight = Math.floor(wall / DAY_MS) * DAY_MS;
  const today = zone.instantAt(midnight + time);
  return today >= from ? today : zone.instantAt(midnight + DAY_MS + time);
}
