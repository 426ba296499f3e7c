import { formatInstant, readInstant, type Zone } from "../../hours";
import { DAY_MS } from "../../hours/dates";
import { CannotRehearse, type WorldInput } from "./world";

const DEFAULT_DAYS = 7;

export function endOf(until: string | number | undefined, from: number, zone: Zone): number {
  if (typeof until === "string") return instantOf(until, from, zone);
  const wall = from + zone.offsetPeriodAt(from).offset;
  return zone.instantAt(wall + (until ?? DEFAULT_DAYS) * DAY_MS);
}

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

/** Of one rehearsal: more inputs than this that `every` makes are a mistake. */
const MOST_REPEATED = 10_000;

/**
 * Finds the instants of inputs: of each its own, then the later ones that its `every` makes. A number of days keeps the time of the zone's clock.
 * @throws CannotRehearse
 */
export function timed(inputs: readonly WorldInput[], from: number, until: number, zone: Zone) {
  let repeated = 0;
  return inputs.flatMap((input) => {
    const [first, end] = [instantOf(input.at, from, zone), endOfInput(input, from, until, zone)];
    if (first < from || first >= until) {
      const time = `${formatInstant(from, zone)} to ${formatInstant(until, zone)}`;
      throw new CannotRehearse(`The input at ${input.at} is not in the time that is rehearsed, ${time}: correct it.`);
    }
    const instants = [first];
    const next = nextOf(input, first, zone);
    for (let at = next?.(1) ?? end; next && at < end; at = next(instants.length)) {
      instants.push(at);
      repeated += 1;
      if (repeated > MOST_REPEATED)
        throw new CannotRehearse(
          `More than ${MOST_REPEATED} inputs are made by every: repeat the one at ${input.at} less often, or end it earlier.`,
        );
    }
    return instants.map((at) => ({ input, at }));
  });
}

function endOfInput({ at, every, until }: WorldInput, from: number, end: number, zone: Zone): number {
  if (until === undefined) return end;
  if (every === undefined) throw new CannotRehearse(`The input at ${at} has until and no every: give both.`);
  const given = instantOf(until, from, zone);
  if (given > instantOf(at, from, zone)) return Math.min(given, end);
  throw new CannotRehearse(`The input at ${at} ends before it begins: give it a later until.`);
}

/** Returns a function of the number of repetitions. */
function nextOf({ every }: WorldInput, first: number, zone: Zone): ((times: number) => number) | undefined {
  const [, amount, unit = ""] = /^(\d+)([mhd])$/.exec(every ?? "") ?? [];
  if (amount === undefined) return undefined;
  const step = Number(amount) * (MILLISECONDS[unit] ?? 0);
  if (unit !== "d") return (times) => first + times * step;
  const wall = first + zone.offsetPeriodAt(first).offset;
  return (times) => zone.instantAt(wall + times * step);
}
