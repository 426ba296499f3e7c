import { limits, statuses } from "./choices";
import { type Answer, refused } from "./envelope";

/** Every way in which the sandbox says no, each with a sentence for the person who reads it. */
export const refusals = {
  notJson: (): Answer => refused(statuses.notJson, "The body must be JSON in UTF-8."),

  badToken: (header: string): Answer =>
    refused(statuses.badToken, `The ${header} header must be the word Bearer, a space and the access token.`),

  foreignOrigin: (): Answer =>
    refused(statuses.foreignOrigin, "Only the sandbox's own pages may ask this from a browser."),

  unknownPath: (path: string): Answer => refused(statuses.unknown, `The path ${path} does not exist.`),

  unknownBusinessHour: (id: string): Answer => refused(statuses.unknown, `The business hour ${id} does not exist.`),

  wrongMethod: (method: string, allowed: readonly string[]): Answer =>
    refused(statuses.wrongMethod, `The method ${method} is not one of ${allowed.join(", ")}.`, {
      allow: allowed.join(", "),
    }),

  bodyTooLarge: (): Answer =>
    refused(statuses.bodyTooLarge, `The body must not be larger than ${limits.bodyBytes} bytes.`),

  notJsonType: (): Answer => refused(statuses.notJsonType, "The content-type header must be application/json."),

  foreignHost: (): Answer =>
    refused(statuses.foreignHost, "The host header must name this sandbox: 127.0.0.1 or localhost with its port."),

  badFields: (problems: readonly string[]): Answer => refused(statuses.badFields, problems.join(" ")),

  tooManySchedules: (): Answer =>
    refused(statuses.badFields, `The sandbox holds at most ${limits.schedules} business hours; delete some first.`),

  ownFault: (error: unknown): Answer =>
    refused(
      statuses.ownFault,
      `The sandbox has a fault of its own: ${error instanceof Error ? error.message : String(error)}`,
    ),
};
