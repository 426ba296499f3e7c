import type { RefusalAnswer } from "../../../workshop/admin/refused";
import { translate } from "../../texts";
import { problemText } from "../../validate/problem";

/** Texts for the HTTP statuses with which Node-RED denies a request. */
const DENIALS: Readonly<Record<number, string>> = { 401: "ask.denied", 403: "ask.foreign", 404: "ask.notRunning" };

/**
 * Sends a request to the runtime, a POST if it has a body: JSON, or a file as it is. Rejects with the reason, as a sentence, if it is refused or there
 * is no answer. The promise never settles if a later request is made for the same area, or the dialog is closed.
 * @param area element that shows the answer, with the latest request as its data `request`
 * @param node whose labels a refusal uses
 */
export function ask<Answer>(area: JQuery, url: string, body?: object, node?: EditorNode): Promise<Answer> {
  const sent =
    body instanceof Blob
      ? { contentType: "application/octet-stream", data: body as object, processData: false }
      : { contentType: "application/json", data: JSON.stringify(body) };
  const request = $.ajax({ url, dataType: "json", ...(body && { type: "POST", ...sent }) });
  area.data("request", request);
  const isAwaited = () => area.data("request") === request;
  return new Promise((resolve, reject) => {
    request.then(
      (answer: RefusalAnswer | { readonly ok?: true }) => {
        if (!isAwaited()) return;
        if (answer.ok === false) reject(problemText(node, answer.key, answer.params));
        else resolve(answer as Answer);
      },
      ({ status }) => {
        if (isAwaited()) reject(translate(denialOf(status), { status }));
      },
    );
  });
}

function denialOf(status: number) {
  return DENIALS[status] ?? (status > 399 && status < 500 ? "ask.refused" : "schedules.unreachable");
}

/** Milliseconds for which a dialog must be unchanged before a request is sent. */
const PAUSE_MS = 300;

/** Makes a function that calls another one after a pause, unless it is called again before. */
export function afterPause(): (act: () => void, milliseconds?: number) => void {
  let timer: number | undefined;
  return (act, milliseconds = PAUSE_MS) => {
    clearTimeout(timer);
    timer = window.setTimeout(act, milliseconds);
  };
}

const ICONS = {
  hint: "fa-info-circle",
  busy: "fa-spinner fa-spin",
  fine: "fa-check",
  wrong: "fa-exclamation-triangle",
};

export function showResult(line: JQuery, kind: keyof typeof ICONS, text: string): void {
  line.toggleClass("telephony-problem", kind === "wrong").toggleClass("telephony-fine", kind === "fine");
  line
    .empty()
    .append($("<i>", { class: `fa ${ICONS[kind]}`, "aria-hidden": "true" }), document.createTextNode(` ${text}`));
}
