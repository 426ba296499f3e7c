import type { LoggedRequest } from "../inspect/request-log";
import { clock, make } from "./make";

/** Numbers of the requests whose body is unfolded; it stays so when the list is redrawn. */
const openBodies = new Set<number>();

export function requestRow(request: LoggedRequest): HTMLElement {
  const { at, method, path, status, message, durationMs } = request;
  const query = new URLSearchParams(request.query).toString();
  const good = status < 300 && message === "OK";
  return make(
    "tr",
    "",
    make("td", "", clock(at)),
    make("td", "", make("code", "", `${method} ${path}${query && `?${query}`}`), sentBody(request)),
    make("td", good ? "good" : "bad", `${status} ${message}`),
    make("td", "number soft", `${durationMs.toFixed(1)} ms`),
  );
}

function sentBody({ number, body }: LoggedRequest): Node | string {
  if (body === null) return "";
  const text = make("pre", "", JSON.stringify(body, null, 2));
  const details = make("details", "", make("summary", "soft", "sent"), text);
  details.open = openBodies.has(number);
  details.addEventListener("toggle", () => {
    if (details.open) openBodies.add(number);
    else openBodies.delete(number);
  });
  return details;
}
