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
  calls: 10_000,
  callsCharacters: 16 * 1024 * 1024,
  eventsPerCall: 100,
  /** Of a call's id. */
  callId: 4096,
  /** An estimate of the memory that all schedules take. */
  schedulesBytes: 64 * 1024 * 1024,
  /** Sentences in the refusal of a request with wrong fields. */
  problems: 20,
} as const;

/**
 * The other assumptions, which the page lists: each is the key of its sentence (`sandboxPage` in `locales/<lang>/telephony.json`),
 * with the file that makes it.
 */
export const assumptions = [
  "assumesRinging", // phone/phones.ts
  "assumesAddress", // phone/phones.ts, phone/outside.ts
  "assumesSpeech", // phone/speech.ts
  "assumesHangingUp", // phone/phones.ts
  "assumesCalls", // service/calls.ts
  "assumesFields", // service/call-actions.ts, service/business-hours.ts
  "assumesRefusals", // service/envelope.ts, service/service.ts
  "assumesFormats", // src/json/rules.ts
  "assumesLists", // service/business-hours.ts
] as const;
