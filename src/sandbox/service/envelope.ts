import { limits } from "./assumptions";

/** The shape of every answer (docs/service-interface.md, "Response envelope"). */
interface Envelope {
  readonly success: boolean;
  readonly code: number;
  readonly locale: "en";
  readonly message: string;
  readonly data: unknown;
}

/** An envelope with its HTTP status and headers. */
export interface Answer {
  readonly status: number;
  readonly envelope: Envelope;
  readonly headers?: Readonly<Record<string, string>>;
}

export function accepted(data: unknown, code = 200): Answer {
  return { status: 200, envelope: { success: true, code, locale: "en", message: "OK", data } };
}

export function refused(status: number, message: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, envelope: { success: false, code: status, locale: "en", message, data: null }, headers };
}

/** The time in the service's format: ISO 8601 in UTC with microseconds and a trailing Z. */
export function timestamp(): string {
  return new Date().toISOString().replace("Z", "000Z");
}

/** Every refusal of the sandbox. The interface shows no errors, so statuses and sentences are assumptions. */
export const refusals = {
  notJson: () => refused(422, "The body must be JSON in UTF-8."),
  badToken: (sentence: string) => refused(401, sentence),
  foreignOrigin: () => refused(403, "Only the sandbox's own pages may ask this from a browser."),
  unknownPath: (path: string) => refused(404, `The path ${path} does not exist.`),
  unknownBusinessHour: (id: string) => refused(404, `The business hour ${id} does not exist.`),
  wrongMethod: (method: string, allowed: readonly string[]) =>
    refused(405, `The method ${method} is not one of ${allowed.join(", ")}.`, {
      allow: allowed.join(", "),
    }),
  bodyTooLarge: () => refused(413, `The body must not be larger than ${limits.bodyBytes} bytes.`),
  notJsonType: () => refused(415, "The content-type header must be application/json."),
  foreignHost: () => refused(421, "The host header must name this sandbox: 127.0.0.1 or localhost with its port."),
  badFields: (problems: readonly string[]) => refused(422, problems.slice(0, limits.problems).join(" ")),
  schedulesFull: () => refused(422, "The sandbox has no memory left for business hours; delete some first."),
  ownFault: (error: unknown) =>
    refused(500, `The sandbox has a fault of its own: ${error instanceof Error ? error.message : String(error)}`),
};
