import { inTimeSlices } from "../../client/guard/time-slices";
import { errorIn } from "../../fields/value-error";
import { type Exceptions, exceptionSteps, type Zone } from "../../hours";
import { DAY_MS } from "../../hours/dates";

/** Reads exceptions, as `toExceptions` does, without blocking Node-RED for long. Rejects with `ValueError`. */
export async function exceptionsInSlices(value: unknown, field: string): Promise<Exceptions> {
  try {
    return await inTimeSlices(exceptionSteps(value));
  } catch (error) {
    throw errorIn(field, error);
  }
}

/**
 * Resolves exceptions for an instant and the day that follows it, without blocking Node-RED for long, so that the next
 * decisions cost nothing. A promise only where there is much to do.
 */
export function resolvedInSlices(
  { exceptions, zone }: { readonly exceptions: Exceptions; readonly zone: Zone },
  instant: number,
): void | Promise<void> {
  const resolver = exceptions.icalendar?.resolverIn(zone);
  if (!resolver) return undefined;
  return inTimeSlices(
    (function* () {
      yield* resolver.steps(instant);
      yield* resolver.steps(instant + DAY_MS);
    })(),
  );
}
