import type { Report } from "../rehearsal/make-report";

const HEAD = "at,number,nodeId,node,tenant,says,answerUrl,phone,outcome,code,reason";

/**
 * Calls and messages that were not placed, in order of time, as RFC 4180 has it. It begins with a byte order mark: without it
 * spreadsheets take UTF-8 for something else.
 */
export function csvOf({ calls, notPlaced }: Report): string {
  const rows = [
    ...calls.map((call) => ({ ...call, says: call.says.join("\n") })),
    ...notPlaced.map((message) => ({ ...message, outcome: "not placed" })),
  ].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  const columns = HEAD.split(",");
  const lines = rows.map((row: Readonly<Record<string, unknown>>) =>
    columns.map((column) => cell(row[column])).join(","),
  );
  return `\uFEFF${[HEAD, ...lines].map((line) => `${line}\r\n`).join("")}`;
}

function cell(value: unknown): string {
  const text = value === undefined || value === null ? "" : String(value);
  // A spreadsheet would run what begins like a formula. A number to call is none.
  const safe = /^[=+\-@＝＋－＠\t\r\n]/.test(text) && !/^\+[\d ]+$/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
