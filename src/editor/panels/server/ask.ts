import type { Params } from "../../../fields";
import { problemText, shared } from "../kept";

/** Why the runtime has no answer: the key of a sentence and what fills its gaps. */
export interface Refusal {
  readonly ok: false;
  readonly key?: string;
  readonly params?: Params;
}

/** What the runtime says of a tenant that it does not have: not deployed yet, or disabled. */
export const NOT_DEPLOYED = "config.notDeployed";

/** A refusal in the language of the editor; the runtime's own sentences are in that of the server. */
export function reasonOf(node: EditorNode, { key, params }: Omit<Refusal, "ok">): string {
  return key === undefined ? shared("schedules.unreachable") : problemText(node, key, params);
}

/** What the runtime's own refusals mean to whoever asked. */
const REFUSALS: Readonly<Record<number, string>> = { 401: "ask.denied", 403: "ask.foreign" };

/** Asks the runtime. Rejects with a sentence that says why there is no answer. */
export function ask<Answer>(url: string, body: object): Promise<Answer> {
  return answerTo({ type: "POST", url, contentType: "application/json", data: JSON.stringify(body) });
}

/** Reads from the runtime. Rejects like `ask`. */
export function read<Answer>(url: string): Promise<Answer> {
  return answerTo({ url, dataType: "json" });
}

function answerTo<Answer>(request: JQuery.AjaxSettings & { url: string }): Promise<Answer> {
  return new Promise((resolve, reject) => {
    $.ajax(request).then(resolve, ({ status }) => reject(shared(REFUSALS[status] ?? "schedules.unreachable")));
  });
}
