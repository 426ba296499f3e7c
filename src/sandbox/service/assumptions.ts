/**
 * The sandbox's assumptions: errors, limits and the life of a call, which the service's interface leaves open. Nothing here
 * is knowledge about the service. When the service's real behaviour is known, change it here.
 */

/** Bounds on the memory of a sandbox. */
export const limits = {
  bodyBytes: 1024 * 1024,
  /** A larger body is answered as usual, but the log holds only its size. */
  loggedBodyBytes: 64 * 1024,
  loggedRequests: 500,
  /** A character takes one or two bytes. The bodies of the oldest requests are dropped first. */
  loggedCharacters: 4 * 1024 * 1024,
  /** Of a path, a query or a message in the log. */
  loggedText: 2000,
  calls: 10_000,
  callsCharacters: 16 * 1024 * 1024,
  eventsPerCall: 100,
  /** One call with its events; the older half of these is dropped first. */
  callCharacters: 1024 * 1024,
  /** One action on a call; of a larger one, only its name is stored. */
  eventCharacters: 300 * 1024,
  /** Of a call's id. */
  callId: 4096,
  schedules: 100_000,
  /** An estimate of the memory that all schedules take. */
  schedulesBytes: 64 * 1024 * 1024,
  /** Sentences in the refusal of a request with wrong fields. */
  problems: 20,
} as const;

/*
 * Other assumptions, and where they are made:
 * - Status and sentence of each refusal; the envelope's `code` repeats the status (`envelope.ts`).
 * - Every operation needs the token, delete too, although the interface does not show it there (`service.ts`).
 * - Path and method are checked before the token, the token before the body (`service.ts`).
 * - A field that is given both dotted and nested is read as dotted (`fields.ts`), and a boolean of a query may be a word
 *   or a digit, unless the sandbox plays a tenant that reads only one of them (`fields.ts`).
 * - Required fields, where the interface has no "Required" column (`call-actions.ts`, `business-hours.ts`).
 * - Actions on a call that has ended are recorded and change nothing else (`calls.ts`).
 * - A request that the service refuses leaves its path and the refusal in the log, but not its body (`request-log.ts`).
 * - A list is ascending with 20 entries a page, as in the interface's sample (`business-hours.ts`).
 * - Injected faults have status 503 unless the plan has another (`inspect/faults.ts`).
 * - Create answers code 200; search matches a part of the name; schedules are ordered by id (`business-hours.ts`).
 * - Page addresses keep the other query parameters; an empty page has null for `from` and `to` (`business-hours.ts`).
 */
