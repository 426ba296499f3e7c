import type { GateClosing } from "../../workshop/admin/gate-closing";
import { ask } from "../panels/server/ask";
import { nodeText, translate } from "../texts";

const SHOWN_MS = 4000;
const HOUR_MS = 3_600_000;
const SVG = "http://www.w3.org/2000/svg";

/** What the buttons of nodes on the canvas share. `this` is the node. */
const deployed = {
  title(this: EditorNode): string {
    return nodeText(this, this["command"] ? `story.${String(this["command"])}` : "closing.button");
  },
  enabled(this: EditorNode): boolean {
    return !this.changed;
  },
};

/** Gives the buttons of nodes their tooltips: Node-RED has none. */
RED.hooks.remove("viewRedrawNode.telephony");
RED.hooks.add("viewRedrawNode.telephony", ({ node, el }) => {
  const [text, group] = [node._def?.button?.title?.call(node), el?.__buttonGroup__];
  if (!text || !group) return;
  const title = group.querySelector("title") ?? document.createElementNS(SVG, "title");
  title.textContent = text;
  group.prepend(title);
});

/** Closes a gate until an end that it asks for; while it is closed, offers to open it again. */
export const closeButton = {
  ...deployed,
  onclick(this: EditorNode): void {
    const url = `telephony/gate/${encodeURIComponent(this.id)}/closing`;
    const place = $("<div>");
    const set = (until: string | null) =>
      ask<GateClosing>(place, url, { until }).then(
        ({ until }) => say(until === null ? nodeText(this, "closing.released") : closedUntil(this, until), "success"),
        refuse,
      );
    ask<GateClosing>(place, url).then(({ until }) => {
      if (until === null) return askForEnd(this, set);
      const [no, yes] = [nodeText(this, "closing.cancel"), nodeText(this, "closing.openAgain")];
      question($("<p>", { text: closedUntil(this, until) }), no, yes, () => set(null));
    }, refuse);
  },
};

/** Performs the command that is chosen in the dialog, after a question if it drops messages. */
export const commandButton = {
  ...deployed,
  visible(this: EditorNode): boolean {
    return Boolean(this["command"]);
  },
  onclick(this: EditorNode): void {
    const command = nodeText(this, `story.${String(this["command"])}`);
    const press = () =>
      ask($("<div>"), `telephony/control/${encodeURIComponent(this.id)}`, {}).then(
        () => say(nodeText(this, "pressed", { command }), "success"),
        refuse,
      );
    const sure = $("<p>", { text: translate("control.sure") });
    if (this["command"] === "drop") question(sure, translate("control.keep"), translate("control.dropNow"), press);
    else void press();
  },
};

function askForEnd(node: EditorNode, close: (until: string) => Promise<void>): void {
  const input = $("<input>", { type: "datetime-local", "aria-label": nodeText(node, "closing.end") });
  input.val(localText(new Date(Date.now() + HOUR_MS)));
  const problem = $("<p>", { class: "telephony-problem", role: "status" });
  const content = $("<div>").append($("<p>", { text: nodeText(node, "closing.ask") }), input, problem);
  question(content, nodeText(node, "closing.cancel"), nodeText(node, "closing.close"), () => {
    const end = new Date(String(input.val()));
    if (!(end.getTime() > Date.now())) {
      problem.text(nodeText(node, "closing.past"));
      return false;
    }
    void close(end.toISOString());
    return true;
  });
  input.trigger("focus");
}

/** @param confirmed returns false to leave the question open */
function question(content: JQuery, no: string, yes: string, confirmed: () => unknown): void {
  const notice = RED.notify(content, {
    modal: true,
    fixed: true,
    buttons: [
      { text: no, click: () => notice.close() },
      {
        text: yes,
        class: "primary",
        click: () => {
          if (confirmed() !== false) notice.close();
        },
      },
    ],
  });
}

function say(text: string, type: "success" | "error"): void {
  RED.notify($("<span>", { text }), { type, timeout: SHOWN_MS });
}

function refuse(reason: string): void {
  say(reason, "error");
}

function closedUntil(node: EditorNode, until: string): string {
  const at = new Date(until).toLocaleString(translate("language"), { dateStyle: "medium", timeStyle: "short" });
  return nodeText(node, "closing.done", { at });
}

/** A time of the browser's zone, to the minute, as an input of dates holds it. */
function localText(date: Date): string {
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
