import { shared } from "./words";

/** What the runtime's own refusals mean to whoever asked. */
const REFUSALS: Readonly<Record<number, string>> = { 401: "ask.denied", 403: "ask.foreign" };

/** Asks the runtime. Rejects with a sentence that says why there is no answer. */
export function ask<Answer>(url: string, body: object): Promise<Answer> {
  return new Promise((resolve, reject) => {
    $.ajax({ type: "POST", url, contentType: "application/json", data: JSON.stringify(body) }).then(
      resolve,
      ({ status }) => reject(shared(REFUSALS[status] ?? "schedules.unreachable")),
    );
  });
}
