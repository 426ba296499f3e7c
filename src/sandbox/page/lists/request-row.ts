import type { LoggedRequest } from "../../inspect/request-log";
import { isFramed, selectNode } from "../connection";
import { button, clock, make } from "../make";
import { t } from "../words";

/** Numbers of the requests whose body is unfolded; it stays so when the list is redrawn. */
const openBodies = new Set<number>();

/** A request and its answer. The log has no headers, so the token cannot be shown. */
export function requestRow(request: LoggedRequest): HTMLElement {
  const { at, method, path, status, message, durationMs, isLost, node, number } = request;
  const query = new URLSearchParams(request.query).toString();
  const good = status < 300 && message === "OK" && !isLost;
  const name = make("code", "", `${method} ${path}${query && `?${query}`}`);
  const line =
    node !== undefined && isFramed ? button("link", "", () => selectNode(node), `request ${number}`) : make("span", "");
  if (line instanceof HTMLButtonElement) line.title = t("showNode");
  line.append(name);
  const answer = make("span", good ? "good" : "bad", `${status} ${message}${isLost ? `, ${t("lostAnswer")}` : ""}`);
  const took = make("span", "soft", `${durationMs.toFixed(1)} ms`);
  return make(
    "div",
    "request",
    clock(at),
    make("div", "", line, make("div", "", answer, " ", took), sentBody(request)),
  );
}

function sentBody({ number, body }: LoggedRequest): Node | string {
  if (body === null) return "";
  const summary = make("summary", "soft", t("sent"));
  summary.dataset["key"] = `sent ${number}`;
  const details = make("details", "", summary, make("pre", "", JSON.stringify(body, null, 2)));
  details.open = openBodies.has(number);
  details.addEventListener("toggle", () => {
    if (details.open) openBodies.add(number);
    else openBodies.delete(number);
  });
  return details;
}
