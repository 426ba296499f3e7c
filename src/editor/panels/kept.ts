import type * as Kept from "../kept";

declare const telephony: { readonly kept: typeof Kept };

export const {
  ACCESS,
  addressProblem,
  FieldError,
  HoursError,
  mustache,
  opening,
  problemText,
  readDate,
  readTime,
  SAVED,
  shared,
  shownAccess,
  shownText,
  toNumber,
  VOICES,
  WEEKDAYS,
} = telephony.kept;
