import { shared } from "../kept";
import { asDone } from "./as-done";
import { ask, type Refusal, reasonOf } from "./ask";
import { tell } from "./tell";

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

/** Makes the button that shows the node's request as it would be sent, and goes on showing it as it changes. */
export function requestRow(node: EditorNode, row: JQuery): void {
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
    if (isOpen) void look().then(() => row[0]?.scrollIntoView({ block: "nearest" }));
  });
  // Rows are removed by a click and dragged by the mouse, and tell nobody.
  row.closest("form").on("change input click mouseup keyup", () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => void look(), PAUSE_MS);
  });

  async function look(): Promise<void> {
    if (!box.is(":visible")) return;
    const config = asDone(node);
    const now = JSON.stringify(config);
    if (now === shown) return;
    shown = now;
    const answer = ask<Answer>("telephony/request", { type: node.type, config });
    const [text, wrong] = await answer.then(
      (given) => read(node, given),
      (reason: string) => ["", [reason]] as const,
    );
    if (now !== shown) return;
    problems.empty();
    for (const reason of wrong) tell($("<p>").appendTo(problems), "wrong", reason);
    request.text(text).toggle(text !== "");
  }
}

function written({ method, path, body }: Request): string {
  return `${method} ${path}${body === undefined ? "" : `\n\n${JSON.stringify(body, null, 2)}`}`;
}

/** A request as text, nothing where there is none, and what is wrong with it. */
function read(node: EditorNode, answer: Answer): readonly [string, readonly string[]] {
  return [answer.ok ? written(answer) : "", (answer.problems ?? []).map((problem) => reasonOf(node, problem))];
}
