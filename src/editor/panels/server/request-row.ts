import { shared } from "../../words";
import { asDone } from "./as-done";
import { ask, type Refusal, reasonOf, showResult } from "./ask";

/** Longer than a list takes to remove a row. */
const PAUSE_MS = 400;

type Problem = Omit<Refusal, "ok">;

interface Request {
  readonly ok: true;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly problems: readonly Problem[];
}

type Answer = Request | { readonly ok: false; readonly problems?: readonly Problem[] };

/** Ends a dialog with a button that shows the node's request as it would be sent, and keeps it up to date. */
export function showRequest(node: EditorNode): void {
  const row = $("<div>", { class: "form-row telephony-request" }).appendTo($("#node-input-name").closest("form"));
  const button = $("<button>", { type: "button", class: "red-ui-button", "aria-expanded": "false" }).appendTo(row);
  button.append(
    $("<i>", { class: "fa fa-eye", "aria-hidden": "true" }),
    document.createTextNode(` ${shared("request.show")}`),
  );
  const box = $("<div>").hide().appendTo(row);
  const problems = $("<div>", { role: "status" }).appendTo(box);
  const request = $("<pre>", { tabindex: 0, "aria-label": shared("request.label") }).appendTo(box);
  $("<p>", { class: "telephony-hint" }).text(shared("request.hint")).appendTo(box);
  let shown = "";
  let timer: number | undefined;

  button.on("click", () => {
    const isOpen = button.attr("aria-expanded") === "false";
    button.attr("aria-expanded", String(isOpen));
    box.toggle(isOpen);
    shown = "";
    if (isOpen) void update().then(() => row[0]?.scrollIntoView({ block: "nearest" }));
  });
  // A row that is removed by a click or dragged by the mouse triggers no change.
  row.closest("form").on("change input click mouseup keyup", () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => void update(), PAUSE_MS);
  });

  async function update(): Promise<void> {
    if (!box.is(":visible")) return;
    const config = asDone(node);
    const current = JSON.stringify(config);
    if (current === shown) return;
    shown = current;
    const [text, reasons] = await ask<Answer>("telephony/request", { type: node.type, config }).then(
      (answer) => [textOf(answer), (answer.problems ?? []).map((problem) => reasonOf(node, problem))] as const,
      (reason: string) => ["", [reason]] as const,
    );
    if (current !== shown) return;
    problems.empty();
    for (const reason of reasons) showResult($("<p>").appendTo(problems), "wrong", reason);
    request.text(text).toggle(text !== "");
  }
}

function textOf(answer: Answer): string {
  if (!answer.ok) return "";
  const { method, path, body } = answer;
  return `${method} ${path}${body === undefined ? "" : `\n\n${JSON.stringify(body, null, 2)}`}`;
}
