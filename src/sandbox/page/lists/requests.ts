import { html, nothing, type TemplateResult } from "lit-html";
import type { LoggedRequest } from "../../inspect/request-log";
import { isFramed, selectNode } from "../connection";
import { redraw } from "../redraw";
import { t, time } from "../texts";
import { WindowedList } from "./windowed";

/** Numbers of the requests whose body is unfolded, also while they are scrolled out of sight. */
const openBodies = new Set<number>();

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
      ${request.body === null ? nothing : sentBody(request)}
    </div>
  </div>`;
}

function sentBody({ number, body }: LoggedRequest): TemplateResult {
  const toggle = ({ target }: Event) => {
    if ((target as HTMLDetailsElement).open) openBodies.add(number);
    else openBodies.delete(number);
    redraw();
  };
  return html`<details ?open=${openBodies.has(number)} @toggle=${toggle}>
    <summary class="soft">${t("sent")}</summary>
    <pre>${JSON.stringify(body, null, 2)}</pre>
  </details>`;
}

const isReading = ({ method }: LoggedRequest) => method === "GET";

/** The requests, newest first: those that read are folded away. */
export class RequestLists {
  readonly #acting = requestList("requests");
  readonly #reading = requestList("readings");
  #isOpen = false;

  render(requests: readonly LoggedRequest[]): TemplateResult {
    const readings = requests.filter(isReading);
    const toggle = ({ target }: Event) => {
      this.#isOpen = (target as HTMLDetailsElement).open;
      redraw();
    };
    return html`
      <details class="panel" ?hidden=${readings.length === 0} @toggle=${toggle}>
        <summary data-value=${readings.length}>${t("readings")}</summary>
        ${this.#isOpen ? this.#reading.render(readings) : nothing}
      </details>
      ${this.#acting.render(requests.filter((request) => !isReading(request)))}`;
  }

  measure(): void {
    this.#acting.measure();
    this.#reading.measure();
  }
}

export function countActing(requests: readonly LoggedRequest[]): number {
  return requests.filter((request) => !isReading(request)).length;
}

function requestList(id: string): WindowedList<LoggedRequest> {
  return new WindowedList(id, ({ number }) => String(number), requestRow);
}
