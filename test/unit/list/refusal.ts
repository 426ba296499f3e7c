import { fail } from "node:assert/strict";
import { ValueError } from "../../../src/fields";

/** The error with which a list is refused. */
export async function refusalOf(reading: Promise<unknown>) {
  try {
    await reading;
  } catch (error) {
    if (!(error instanceof ValueError)) throw error;
    const { key, path, params } = error;
    return { key, path, params };
  }
  return fail("nothing was refused");
}
