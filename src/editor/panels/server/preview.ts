import type { Line, Preview } from "../../../workshop/admin/preview/answer";
import { listReader } from "../../inputs/list-input";
import { absentPair, current, flowOf } from "../../inputs/pair";
import { translate } from "../../texts";
import { notAsked } from "../../validate/choices";
import { problemText } from "../../validate/problem";
import { afterPause, ask } from "./ask";

const NOTHING: Preview = { lines: [] };
const KINDS = ["open", "closed", "fine", "problem"] as const;
/** A row that is removed by a click or dragged by the mouse triggers no change. */
const EVENTS = "change input click mouseup keyup";
/** The time for which the dialog must be unchanged before the server is asked to fetch an address. */
const TYPING_MS = 900;

/** The preview that a dialog shows of its node. */
interface Shown {
  readonly what: "gate" | "guard" | "holidays";
  /** An element that shows the answer. */
  readonly area: JQuery;
  /** Returns what the server needs besides the node; `undefined` if there is nothing to show. */
  readonly more?: () => object | undefined;
  readonly show: (preview: Preview) => void;
}

/**
 * Keeps it up to date: the server says it, and is asked again after each change.
 * @returns a function that asks at once, with `true` even if nothing has changed
 */
export function followPreview(
  node: EditorNode,
  { what, area, more = () => ({}), show }: Shown,
): (always?: true) => void {
  const [later, afterTyping] = [afterPause(), afterPause()];
  let asked = "";
  const bodyNow = () => {
    // Closing a dialog triggers changes while its elements are removed.
    const needed = area[0]?.isConnected ? more() : undefined;
    return needed && { what, z: flowOf(node), config: asDone(node), ...needed };
  };
  const update = (always?: true) => {
    const body = bodyNow();
    const now = JSON.stringify(body) ?? "";
    if (now === asked && !always) return;
    asked = now;
    area.removeData("request");
    if (!body) return show(NOTHING);
    const fetchAddress = async () => {
      if (JSON.stringify(bodyNow()) !== now) return;
      show({ lines: [{ text: translate("holidays.fetching") }], canFetch: true });
      // A change meanwhile is answered by the next preview instead.
      show(await askLines(node, area, "telephony/preview/fetch", body));
    };
    void askLines(node, area, "telephony/preview", body).then((preview) => {
      if (preview.canFetch && RED.user.hasPermission("telephony-tenant.write"))
        afterTyping(() => void fetchAddress(), TYPING_MS);
      else show(preview);
    });
  };
  area.closest("form").on(EVENTS, () => later(update));
  return update;
}

/** The node as Done would store it. */
function asDone(node: EditorNode): Record<string, unknown> {
  const config: Record<string, unknown> = { id: node.id, type: node.type };
  for (const property of Object.keys(node._def.defaults)) {
    const value = listReader(property)?.() ?? current(node, property);
    config[property] = value === "_ADD_" ? "" : value;
  }
  for (const property of notAsked(node)) {
    const { value, type } = absentPair(node, property);
    if (config[property] !== "") Object.assign(config, { [property]: value, [`${property}Type`]: type });
  }
  return config;
}

/** Asks the server for sentences in the language of the editor. Never rejects: a failure is a sentence, too. */
export function askLines(node: EditorNode, area: JQuery, url: string, body: object): Promise<Preview> {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return ask<Preview>(area, url, { ...body, language: translate("language"), zone: timeZone }, node).then(
    (answer) => ({ ...answer, lines: answer.lines.map((line) => worded(node, line)) }),
    (text: string) => ({ lines: [{ text, kind: "problem" }] }),
  );
}

/** A refusal names fields by their labels in the dialog. */
function worded(node: EditorNode, line: Line): Line {
  return line.key === undefined ? line : { ...line, text: problemText(node, line.key, line.params) };
}

export function showLine(area: JQuery, line: Line | undefined): void {
  area.text(line?.text ?? "").toggle(line !== undefined);
  for (const kind of KINDS) area.toggleClass(`telephony-${kind}`, line?.kind === kind);
}
