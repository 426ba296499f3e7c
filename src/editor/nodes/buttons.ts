import type { GateClosing } from "../../workshop/admin/gate-closing";
import { ask } from "../panels/server/ask";
import { stopList } from "../panels/server/lists";
import { nodeText, translate } from "../texts";

type State = "open" | "closed";

const SHOWN_MS = 4000;
const HOUR_MS = 3_600_000;
const SVG = "http://www.w3.org/2000/svg";

/** The part that the buttons of nodes on the canvas share. `this` is the node. */
const deployed = {
  title(this: EditorNode): string {
    return nodeText(this, this["command"] ? `story.${String(this["command"])}` : "closing.ask");
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

/** Opens or closes a gate until an end that it asks for; until then, offers to let the hours decide again. */
export const gateButton = {
  ...deployed,
  onclick(this: EditorNode): void {
    const url = `telephony/gate/${encodeURIComponent(this.id)}/closing`;
    const area = $("<div>");
    const set = (until: string | null, state?: State) =>
      ask<GateClosing>(area, url, { until, state }).then((now) => say(sentence(this, now), "success"), refuse);
    ask<GateClosing>(area, url).then((now) => {
      if (now.until === null) return askForEnd(this, set);
      const release = nodeText(this, `closing.${now.state === "open" ? "release" : "openAgain"}`);
      const content = $("<p>", { text: sentence(this, now) });
      question(content, nodeText(this, "closing.cancel"), [[release, () => set(null)]]);
    }, refuse);
  },
};

/** Performs the command that is chosen in the dialog, after a question if it drops messages. */
export const commandButton = {
  ...deployed,
  visible(this: EditorNode): boolean {
    // These need a number, or the id of a call.
    return Boolean(this["command"]) && !["block", "unblock", "settle"].includes(String(this["command"]));
  },
  onclick(this: EditorNode): void {
    const command = nodeText(this, `story.${String(this["command"])}`);
    const press = () =>
      ask($("<div>"), `telephony/control/${encodeURIComponent(this.id)}`, {}).then(
        () => say(nodeText(this, "pressed", { command }), "success"),
        refuse,
      );
    const sure = $("<p>", { text: translate("control.sure") });
    if (this["command"] === "drop") question(sure, translate("control.keep"), [[translate("control.dropNow"), press]]);
    else void press();
  },
};

/** Stops the lists of a node, after a question. */
export const listButton = {
  ...deployed,
  title: () => translate("lists.stop"),
  onclick(this: EditorNode): void {
    const stop = () =>
      stopList($("<div>"), this.id).then((count) => say(translate("lists.stopped", { count }), "success"), refuse);
    const sure = $("<p>", { text: translate("lists.sure") });
    question(sure, translate("lists.keep"), [[translate("lists.stop"), stop]]);
  },
};

function askForEnd(node: EditorNode, set: (until: string, state: State) => Promise<void>): void {
  const input = $("<input>", { type: "datetime-local", "aria-label": nodeText(node, "closing.end") });
  input.val(localText(new Date(Date.now() + HOUR_MS)));
  const problem = $("<p>", { class: "telephony-problem", role: "status" });
  const content = $("<div>").append($("<p>", { text: nodeText(node, "closing.ask") }), input, problem);
  const setTo = (state: State) => () => {
    const end = new Date(String(input.val()));
    if (!(end.getTime() > Date.now())) {
      problem.text(nodeText(node, "closing.past"));
      return false;
    }
    void set(end.toISOString(), state);
    return true;
  };
  question(content, nodeText(node, "closing.cancel"), [
    [nodeText(node, "closing.open"), setTo("open")],
    [nodeText(node, "closing.close"), setTo("closed")],
  ]);
  input.trigger("focus");
}

/** @param answers each with what it does, which returns false to leave the question open */
export function question(content: JQuery, no: string, answers: readonly (readonly [string, () => unknown])[]): void {
  const notice = RED.notify(content, {
    modal: true,
    fixed: true,
    buttons: [
      { text: no, click: () => notice.close() },
      ...answers.map(([text, confirmed]) => ({
        text,
        class: "primary",
        click: () => {
          if (confirmed() !== false) notice.close();
        },
      })),
    ],
  });
}

function say(text: string, type: "success" | "error"): void {
  RED.notify($("<span>", { text }), { type, timeout: SHOWN_MS });
}

function refuse(reason: string): void {
  say(reason, "error");
}

function sentence(node: EditorNode, { until, state }: GateClosing): string {
  if (until === null) return nodeText(node, "closing.released");
  const at = new Date(until).toLocaleString(translate("language"), { dateStyle: "medium", timeStyle: "short" });
  return nodeText(node, state === "open" ? "closing.opened" : "closing.closed", { at });
}

/** A time of the browser's zone, to the minute, as an input of dates holds it. */
function localText(date: Date): string {
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
