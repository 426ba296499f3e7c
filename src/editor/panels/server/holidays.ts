import type { HolidaysAnswer } from "../../../workshop/admin/holidays";
import type { RefusalAnswer } from "../../../workshop/admin/refused";
import { rowOf } from "../../inputs/input";
import { listReader } from "../../inputs/list-input";
import { flowOf, inputId } from "../../inputs/pair";
import { translate } from "../../texts";
import { problemText } from "../../validate/problem";
import { afterPause, ask } from "./ask";

type Answer = HolidaysAnswer | RefusalAnswer;

/** How long the dialog must be unchanged before the server is asked to fetch an address. */
const TYPING_MS = 900;

/**
 * Shows below the exceptions what there is: how many, and the next one.
 * @param onFetched called when the server has fetched an address that was typed
 */
export function showHolidays(node: EditorNode, property: string, onFetched: () => void = () => {}): void {
  const input = $(`#telephony-${property}`);
  const line = $("<p>", { class: "telephony-hint", id: `telephony-${property}-holidays`, role: "status" });
  line.hide().appendTo(rowOf(input));
  const later = afterPause();
  let asked = "";
  const send = (url: string, body: Record<string, unknown>, show: (answer: Answer) => void) =>
    ask<Answer>(line, url, body).then(show, (reason: string) => say(reason, true));
  const update = () => {
    // The dialog may be closed.
    if (line.closest("body").length === 0) return;
    const body = bodyOf(node, property, input);
    const now = JSON.stringify(body);
    if (now === asked) return;
    asked = now;
    // Without a list, there is nothing to count.
    if (body["type"] === "list" && (body["value"] as readonly unknown[]).length === 0) say("");
    else void send("telephony/holidays", body, (answer) => show(answer, body));
  };
  input.closest("form").on("change input", () => later(update));
  update();

  function show(answer: Answer, body: Record<string, unknown>): void {
    if (!("by" in answer) || answer.by !== "fetch") say(...sentence(node, property, answer));
    else if (!RED.user.hasPermission("telephony-tenant.write")) say(translate("holidays.byDeploy"));
    else later(() => fetchTyped(body), TYPING_MS);
  }

  function fetchTyped(body: Record<string, unknown>): void {
    say(translate("holidays.fetching"));
    void send("telephony/holidays/fetch", body, (answer) => {
      say(...sentence(node, property, answer));
      onFetched();
    });
  }

  function say(text: string, isProblem = false): void {
    line
      .text(text)
      .toggle(text !== "")
      .toggleClass("telephony-problem", isProblem);
  }
}

/** What the server needs to know of the dialog. */
function bodyOf(node: EditorNode, property: string, input: JQuery): Record<string, unknown> {
  const shown = (name: string) => String($(`#${inputId(node, name)}`).val() ?? "");
  const isFixedZone = ["", "str"].includes(shown("timezoneType"));
  return {
    id: node.id,
    z: flowOf(node),
    value: listReader(property)?.(),
    type: input.typedInput("type"),
    timezone: isFixedZone ? shown("timezone") : "",
    tenant: shown("tenant"),
  };
}

function sentence(node: EditorNode, property: string, answer: Answer): [text: string, isProblem?: boolean] {
  if (!answer.ok) {
    const { key, params } = answer;
    const field = String(params?.["field"] ?? property).replace(/^exceptions/, property);
    return [problemText(node, key, { ...params, field }), true];
  }
  if ("by" in answer) return [translate(answer.by === "message" ? "holidays.byMessage" : "holidays.byDeploy")];
  if ("missing" in answer) {
    const { status = "download.empty", params } = answer;
    const reason = translate(`status.${status}` as "status.download.empty", params);
    return ["status" in answer ? translate("holidays.unknown", { reason }) : translate("holidays.none"), true];
  }
  const { count, next, last, leftOut, fetchedAt } = answer;
  const known = translate(count === 1 ? "holidays.one" : "holidays.several", { count });
  const coming = next
    ? translate("holidays.next", { next: [next.name, dayText(next.date)].filter(Boolean).join(", ") })
    : translate("holidays.noNext");
  const age = fetchedAt ? [translate("holidays.fetchedAt", { at: momentText(fetchedAt) })] : [];
  const first = last ? translate("holidays.noneAhead", { last: dayText(last) }) : `${known}, ${coming}`;
  const unread = leftOut > 0 ? [translate("status.eventsLeftOut", { count: leftOut })] : [];
  return [[first, ...unread, ...age].join(" · "), last !== null || leftOut > 0];
}

/** American English would write the month first. */
function language(): string {
  const editors = translate("language");
  return editors === "en-US" ? "en-GB" : editors;
}

/** "Fri 1 January", with its year if that is past or more than a year away. */
function dayText(date: string): string {
  const day = new Date(`${date}T00:00:00Z`);
  const days = (day.getTime() - Date.now()) / 86_400_000;
  const isFar = days > 360 || days < -1;
  const options = { weekday: "short", day: "numeric", month: "long", timeZone: "UTC" } as const;
  return day
    .toLocaleDateString(language(), { ...options, ...(isFar && { year: "numeric" }) })
    .replace(/^(\p{L}+), (?=\d)/u, "$1 ");
}

function momentText(instant: string): string {
  return new Date(instant).toLocaleString(language(), { dateStyle: "medium", timeStyle: "short" });
}
