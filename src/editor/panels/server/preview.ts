import type { Line, Preview } from "../../../workshop/admin/preview/answer";
import type { RefusalAnswer } from "../../../workshop/admin/refused";
import { flowOf, inputId } from "../../inputs/pair";
import { translate } from "../../texts";
import { problemText } from "../../validate/problem";
import { afterPause, ask, reasonOf } from "./ask";

const NOTHING: Preview = { lines: [] };
const KINDS = ["open", "closed", "fine", "problem"] as const;
/** A row that is removed by a click or dragged by the mouse triggers no change. */
const EVENTS = "change input click mouseup keyup";
/** How long the dialog must be unchanged before the server is asked to fetch an address. */
const TYPING_MS = 900;

/** What a dialog shows of its node. */
interface Shown {
  readonly what: "gate" | "guard" | "holidays" | "request";
  /** An element that shows the answer. */
  readonly place: JQuery;
  /** What the server needs besides the node; `undefined` if there is nothing to show. */
  readonly more?: () => object | undefined;
  readonly show: (preview: Preview) => void;
  /** Called when the server has fetched an address that was typed. */
  readonly onFetched?: () => void;
}

/**
 * Keeps it up to date: the server says it, and is asked again after each change.
 * @returns a function that asks at once, with `true` even if nothing has changed
 */
export function followPreview(
  node: EditorNode,
  { what, place, more = () => ({}), show, onFetched = () => {} }: Shown,
): (always?: true) => void {
  const [later, afterTyping] = [afterPause(), afterPause()];
  let asked = "";
  // A change while an address is fetched is answered by the next preview instead.
  let isFetching = false;
  const showAnswer = (preview: Preview) => {
    show(preview);
    if (isFetching) onFetched();
    isFetching = false;
  };
  const bodyNow = () => {
    // Closing a dialog triggers changes while its elements are removed.
    const needed = place[0]?.isConnected ? more() : undefined;
    return needed && { what, z: flowOf(node), config: asDone(node), ...needed };
  };
  const update = (always?: true) => {
    const body = bodyNow();
    const now = JSON.stringify(body) ?? "";
    if (now === asked && !always) return;
    asked = now;
    place.removeData("request");
    if (!body) return show(NOTHING);
    const fetchAddress = async () => {
      if (JSON.stringify(bodyNow()) !== now) return;
      show({ lines: [{ text: translate("holidays.fetching") }] });
      isFetching = true;
      showAnswer(await askLines(node, place, "telephony/preview/fetch", body));
    };
    void askLines(node, place, "telephony/preview", body).then((preview) => {
      if (preview.canFetch && RED.user.hasPermission("telephony-tenant.write"))
        afterTyping(() => void fetchAddress(), TYPING_MS);
      else showAnswer(preview);
    });
  };
  place.closest("form").on(EVENTS, () => later(update));
  return update;
}

/** The node as Done would store it, including what the dialog does on Done. The dialog is left as it is. */
function asDone(node: EditorNode): Record<string, unknown> {
  const inputs = $(`[id^=${inputId(node, "")}]`).get() as HTMLInputElement[];
  const before = inputs.map(({ value }) => value);
  // A node of the editor is a proxy: a property of an object that inherits from it would be set on the node itself.
  const copy: EditorNode = { ...node };
  node._def.oneditsave?.call(copy);
  const config: Record<string, unknown> = { id: node.id, type: node.type };
  for (const property of Object.keys(node._def.defaults)) {
    const value = $(`#${inputId(node, property)}`).val() ?? copy[property];
    config[property] = value === "_ADD_" ? "" : value;
  }
  inputs.forEach((input, index) => {
    const value = before[index] ?? "";
    if (input.value !== value) input.value = value;
  });
  return config;
}

/** Asks the server for sentences in the language of the editor. Never rejects: a failure is a sentence, too. */
export function askLines(node: EditorNode, place: JQuery, url: string, body: object): Promise<Preview> {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return ask<Preview | RefusalAnswer>(place, url, { ...body, language: translate("language"), zone: timeZone }).then(
    (answer) =>
      "lines" in answer
        ? { ...answer, lines: answer.lines.map((line) => worded(node, line)) }
        : problem(reasonOf(node, answer)),
    problem,
  );
}

/** A refusal names fields by their labels in the dialog. */
function worded(node: EditorNode, line: Line): Line {
  return line.key === undefined ? line : { ...line, text: problemText(node, line.key, line.params) };
}

function problem(text: string): Preview {
  return { lines: [{ text, kind: "problem" }] };
}

/** Shows a line, or nothing. */
export function showLine(place: JQuery, line: Line | undefined): void {
  place.text(line?.text ?? "").toggle(line !== undefined);
  for (const kind of KINDS) place.toggleClass(`telephony-${kind}`, line?.kind === kind);
}
