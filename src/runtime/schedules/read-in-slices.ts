import { inTimeSlices } from "../../client/guard/time-slices";
import { inField } from "../../fields/value-error";
import { type Exceptions, exceptionSteps } from "../../hours";

/** Reads exceptions, as `toExceptions` does, without blocking Node-RED for long. Rejects with `ValueError`. */
export async function exceptionsInSlices(value: unknown, field: string): Promise<Exceptions> {
  try {
    return await inTimeSlices(exceptionSteps(value));
  } catch (error) {
    return inField(field, () => {
      throw error;
    });
  }
}
