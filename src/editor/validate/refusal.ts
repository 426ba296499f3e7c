/** The error of a type with which a check refuses a value, `undefined` if it accepts it. Other errors are thrown. */
export function refusal<Refusal extends Error>(
  type: abstract new (...args: never[]) => Refusal,
  check: () => unknown,
): Refusal | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof type) return error;
    throw error;
  }
}
