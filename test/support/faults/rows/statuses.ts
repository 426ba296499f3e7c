import { answer, failure, json, says } from "../answers";
import type { CatalogueEntry } from "../fault";

const refused = (row: number, status: number, message: string): CatalogueEntry => ({
  row,
  ...says(answer(status, failure(status, message))),
});
const bare = (row: number, status: number): CatalogueEntry => ({ row, ...says(answer(status, "", {})) });

/** Rows 15 and 16: the service refuses. */
export const refusals = {
  "status-400": refused(15, 400, "The given data was invalid."),
  /** Names a party field, as a tenant would that reads the dots as a path. */
  "status-422": refused(15, 422, "The to.number field is required."),
  "status-404": refused(15, 404, "Call not found"),
  "status-404-bare": bare(15, 404),
  "status-409": refused(15, 409, "The call has ended."),
  /** Repeats the token it was sent: errors, status and log must not. */
  "status-400-token": {
    row: 15,
    at: "request",
    act: (wire, request) =>
      wire.send(answer(400, failure(400, `Bad header: ${request.headers["authentication"] ?? request.head}`))),
  },
  "status-401": refused(16, 401, "Unauthenticated."),
  "status-401-bare": bare(16, 401),
  "status-403": refused(16, 403, "This action is unauthorized."),
} satisfies Record<string, CatalogueEntry>;

/** Row 17: the value of Retry-After as sent; undefined = the header is absent. */
const retryAfter = {
  seconds: () => "2",
  date: () => httpDate(2_000),
  "past-date": () => httpDate(-60_000),
  "iso-date": () => new Date(Date.now() + 2_000).toISOString(),
  negative: () => "-1",
  zero: () => "0",
  fraction: () => "1.5",
  word: () => "soon",
  exponent: () => "1e9",
  list: () => "5, 6",
  infinity: () => "Infinity",
  hexadecimal: () => "0x10",
  "20-digits": () => "99999999999999999999",
  long: () => "86400",
  empty: () => "",
  absent: () => undefined,
};

const httpDate = (inMs: number): string => new Date(Date.now() + inMs).toUTCString();

export const rateLimits = Object.fromEntries(
  Object.entries(retryAfter).map(([name, value]): [string, CatalogueEntry] => [
    `status-429-${name}`,
    {
      row: 17,
      at: "request",
      act(wire) {
        const seconds = value();
        const headers = seconds === undefined ? json : { ...json, "Retry-After": seconds };
        return wire.send(answer(429, failure(429, "Too Many Attempts."), headers));
      },
    },
  ]),
) as Record<`status-429-${keyof typeof retryAfter}`, CatalogueEntry>;

/** Row 18: the service fails. */
export const serverErrors = {
  "status-500": refused(18, 500, "Server Error"),
  "status-500-bare": bare(18, 500),
  "status-502": refused(18, 502, "Bad Gateway"),
  "status-502-bare": bare(18, 502),
  "status-503": refused(18, 503, "Service Unavailable"),
  "status-503-bare": bare(18, 503),
  "status-504": refused(18, 504, "Gateway Timeout"),
  "status-504-bare": bare(18, 504),
} satisfies Record<string, CatalogueEntry>;
