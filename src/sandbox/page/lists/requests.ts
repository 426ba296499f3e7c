import { html, nothing, type TemplateResult } from "lit-html";
import type { LoggedRequest } from "../../inspect/request-log";
import { isFramed, selectNode } from "../connection";
import { t, time } from "../texts";
import { newest } from "./newest";

/** A request and its answer. The log has no headers, so the token cannot be shown. */
export function requestRow(request: LoggedRequest): TemplateResult {
  const { at, method, path, status, message, durationMs, node } = request;
  const query = new URLSearchParams(request.query).toString();
  const isGood = status < 300 && message === "OK";
  const name = html`<code>${method} ${path}${query && `?${query}`}</code>`;
  const select = node !== undefined && isFramed ? () => selectNode(node) : undefined;
  return html`<div class="request">
    ${time(at)}
    <div>
      ${select ? html`<button class="link" title=${t("showNode")} @click=${select}>${name}</button>` : name}
      <div>
        <span class=${isGood ? "good" : "bad"}>${status} ${message}</span>
        <span class="soft">${durationMs.toFixed(1)} ms</span>
      </div>
      ${
        request.body === null
          ? nothing
          : html`<details>
        <summary class="soft">${t("sent")}</summary>
        <pre>${JSON.stringify(request.body, null, 2)}</pre>
      </details>`
      }
    </div>
  </div>`;
}

const isReading = ({ method }: LoggedRequest) => method === "GET";

/** The requests, newest first: those that read are folded away. */
export function requestLists(requests: readonly LoggedRequest[]): TemplateResult {
  const list = (id: string, rows: readonly LoggedRequest[]) => newest(id, rows, ({ number }) => number, requestRow);
  const readings = requests.filter(isReading);
  const acting = requests.filter((request) => !isReading(request));
  return html`<details class="panel" ?hidden=${readings.length === 0}>
      <summary>${t("readings")} <span class="soft">${readings.length}</span></summary>
      ${list("readings", readings)}
    </details>
    ${list("requests", acting)}`;
}

export function countActing(requests: readonly LoggedRequest[]): number {
  return requests.filter((request) => !isReading(request)).length;
}
