import { shared } from "../words";

/** What the runtime's own refusals mean to whoever asked. */
const REFUSALS: Readonly<Record<number, string>> = { 401: "ask.denied", 403: "ask.foreign" };

/** Asks the runtime. Rejects with a sentence that says why there is no answer. */
export function ask<Answer>(url: string, body: object): Promise<Answer> {
  return answerTo({ type: "POST", url, contentType: "application/json", data: JSON.stringify(body) }, REFUSALS);
}

/**
 * Reads from the runtime. Rejects like `ask`.
 * @param refusals texts for further statuses
 */
export function read<Answer>(url: string, refusals: Readonly<Record<number, string>> = {}): Promise<Answer> {
  return answerTo({ url, dataType: "json" }, { ...REFUSALS, ...refusals });
}

function answerTo<Answer>(
  request: JQuery.AjaxSettings & { url: string },
  refusals: Readonly<Record<number, string>>,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    $.ajax(request).then(resolve, ({ status }) => reject(shared(refusals[status] ?? "schedules.unreachable")));
  });
}
