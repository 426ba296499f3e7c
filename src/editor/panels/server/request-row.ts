import type { RequestPreview } from "../../../workshop/admin/request-preview";
import { asDone } from "./as-done";
import { afterPause, ask, reasonOf, showResult } from "./ask";

/** Longer than a list takes to remove a row. */
const PAUSE_MS = 400;

/** Makes the button of a dialog show the node's request as it would be sent, and keeps it up to date. */
export function showRequest(node: EditorNode): void {
  const row = $("#telephony-request");
  const button = row.children("button");
  const box = row.children("div");
  const problems = box.children("[role=status]");
  const request = box.children("pre");
  let shown = "";
  const later = afterPause();

  button.on("click", () => {
    const isOpen = button.attr("aria-expanded") === "false";
    button.attr("aria-expanded", String(isOpen));
    box.toggle(isOpen);
    shown = "";
    if (isOpen) void update().then(() => row[0]?.scrollIntoView({ block: "nearest" }));
  });
  // A row that is removed by a click or dragged by the mouse triggers no change.
  row.closest("form").on("change input click mouseup keyup", () => later(() => void update(), PAUSE_MS));

  async function update(): Promise<void> {
    if (!box.is(":visible")) return;
    const config = asDone(node);
    const current = JSON.stringify(config);
    if (current === shown) return;
    shown = current;
    const [text, reasons] = await ask<RequestPreview>(problems, "telephony/request", { type: node.type, config }).then(
      (answer) => [textOf(answer), answer.problems.map((problem) => reasonOf(node, problem))] as const,
      (reason: string) => ["", [reason]] as const,
    );
    problems.empty();
    for (const reason of reasons) showResult($("<p>").appendTo(problems), "wrong", reason);
    request.text(text).toggle(text !== "");
  }
}

function textOf(answer: RequestPreview): string {
  if (!answer.ok) return "";
  const { method, path, body } = answer;
  return `${method} ${path}${body === undefined ? "" : `\n\n${JSON.stringify(body, null, 2)}`}`;
}
