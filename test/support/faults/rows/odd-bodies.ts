import { answer, chunk, failure, head, json, says, success } from "../answers";
import type { CatalogueEntry } from "../fault";
import type { RequestRecord } from "../ledger";
import type { Bytes } from "../wire";

const html = { "Content-Type": "text/html; charset=utf-8" };
const withSuccess = (value: unknown) => JSON.stringify({ ...JSON.parse(success), success: value });
const ok = (row: number, body: Bytes, headers: Record<string, string> = json) => ({
  row,
  ...says(answer(200, body, headers)),
});

/** An error page as proxies make them: long, with a control character, and repeating what it was sent, token included. */
const page = (request: RequestRecord) =>
  `<html><body>\x1b[31mGateway\x07 error</body><pre>${request.head}</pre>${"<!-- padding -->".repeat(100)}</html>`;
const token = (request: RequestRecord) => request.headers["authentication"] ?? request.headers["authorization"] ?? "";

/** Row 10: unusual answers that are nevertheless valid. */
export const unusualBodies = {
  "type-html": ok(10, success, html),
  "type-missing": ok(10, success, {}),
  bom: ok(10, `\uFEFF${success}`),
  "chunked-bytewise": {
    row: 10,
    ...says(
      `${head(200, { ...json, "Transfer-Encoding": "chunked" })}${Array.from(success, chunk).join("")}${chunk("")}`,
    ),
  },
  "close-delimited": {
    row: 10,
    at: "request",
    act: (wire) => wire.finish(head(200, { ...json, Connection: "close" }), success),
  },
  /** A success whose data holds the token it was sent with: data is never altered. */
  "token-in-data": {
    row: 10,
    at: "request",
    act: (wire, request) =>
      wire.send(answer(200, JSON.stringify({ ...JSON.parse(success), data: { note: token(request) } }))),
  },
} satisfies Record<string, CatalogueEntry>;

/** Row 11: bodies that are no envelope. */
export const wrongBodies = {
  "html-200": { row: 11, at: "request", act: (wire, request) => wire.send(answer(200, page(request), html)) },
  "html-502": { row: 11, at: "request", act: (wire, request) => wire.send(answer(502, page(request), html)) },
  "empty-200": ok(11, ""),
  "status-204": { row: 11, ...says(head(204)) },
  "json-array": ok(11, `[${success}]`),
  "json-null": ok(11, "null"),
  "json-string": ok(11, JSON.stringify("OK")),
  "json-number": ok(11, "200"),
  /** Well-formed JSON to a decoder that replaces what it cannot read. */
  "invalid-utf8": ok(11, Buffer.from(success.replace("OK", "O\xff\xfeK"), "latin1")),
  "nested-array": ok(11, "[".repeat(10_000) + "]".repeat(10_000)),
  "nested-data": ok(11, success.replace("null", "[".repeat(10_000) + "]".repeat(10_000))),
} satisfies Record<string, CatalogueEntry>;

/** Row 12: envelopes of a 200 that do not say success. */
export const unsuccessful = {
  "success-false": ok(12, failure(200, "Call not found")),
  "success-string": ok(12, withSuccess("true")),
  "success-number": ok(12, withSuccess(1)),
  "success-null": ok(12, withSuccess(null)),
  "success-missing": ok(12, withSuccess(undefined)),
} satisfies Record<string, CatalogueEntry>;
