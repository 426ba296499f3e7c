/**
 * Everything the service's interface leaves open and the sandbox had to decide. It says "not shown" of errors, of limits
 * and of what becomes of a call, so none of this is knowledge about the service: whoever learns how the service really
 * behaves changes it here.
 */

/** The HTTP status of each refusal; the envelope's `code` repeats it. */
export const statuses = {
  badToken: 401,
  foreignOrigin: 403,
  unknown: 404,
  wrongMethod: 405,
  bodyTooLarge: 413,
  notJsonType: 415,
  foreignHost: 421,
  notJson: 422,
  badFields: 422,
  ownFault: 500,
} as const;

export const defaults = {
  /** The page size of the interface's sample. */
  perPage: 20,
  ascending: true,
  troubleStatus: 503,
} as const;

/** Bounds that keep a sandbox small, however long it runs. */
export const limits = {
  bodyBytes: 1024 * 1024,
  /** A larger body is answered as usual, but the log only says how large it was. */
  loggedBodyBytes: 64 * 1024,
  loggedRequests: 500,
  calls: 10_000,
  eventsPerCall: 100,
  schedules: 100_000,
} as const;

/*
 * Choices that are not a number, and where they are made:
 * - Every operation wants the token, delete too, though the interface does not show it there (`api.ts`).
 * - A path and a method are judged before the token, the token before the body (`api.ts`).
 * - A field that is given both dotted and nested counts as dotted (`fields.ts`).
 * - Which fields must be given, where the interface has no "Required" column (`call-actions.ts`, `business-hours.ts`).
 * - A call that has ended takes further actions, which are noted and change nothing else (`calls.ts`).
 * - Creating answers code 200; search is by part of the name; schedules come in the order of their ids (`business-hours.ts`).
 * - The page addresses keep the other query parameters; an empty page has null for `from` and `to` (`paged-list.ts`).
 */
