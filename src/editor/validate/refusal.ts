import { shownParams, ValueError } from "../../fields";
import { translate } from "../texts";

/** The error with which a check refuses a value, `undefined` if it accepts it. Other errors are thrown. */
export function refusal(check: () => unknown): ValueError | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof ValueError) return error;
    throw error;
  }
}

/** Why a check refuses a value, under the label of its input. */
export function refusalUnder(field: string, check: () => unknown): string | undefined {
  const error = refusal(check);
  return error && translate(`errors.${error.key}`, { ...shownParams(error), field });
}
