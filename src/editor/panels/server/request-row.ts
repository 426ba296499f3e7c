import { showResult } from "./ask";
import { followPreview } from "./preview";

/** Makes the button of a dialog show the node's request as it would be sent, and keeps it up to date. */
export function showRequest(node: EditorNode): void {
  const row = $("#telephony-request");
  const button = row.children("button");
  const box = row.children("div");
  const problems = box.children("[role=status]");
  let isOpening = false;
  const update = followPreview(node, {
    what: "request",
    place: problems,
    more: () => (box.is(":visible") ? {} : undefined),
    show({ lines, request = "" }) {
      problems.empty();
      for (const { text } of lines) showResult($("<p>").appendTo(problems), "wrong", text);
      box
        .children("pre")
        .text(request)
        .toggle(request !== "");
      if (isOpening) row[0]?.scrollIntoView({ block: "nearest" });
      isOpening = false;
    },
  });
  button.on("click", () => {
    isOpening = button.attr("aria-expanded") === "false";
    button.attr("aria-expanded", String(isOpening));
    box.toggle(isOpening);
    update();
  });
}
