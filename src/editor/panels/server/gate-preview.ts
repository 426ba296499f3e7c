import { isSameZone } from "../../../hours";
import type { GatePreview, PreviewedVerdict } from "../../../workshop/admin/gate-preview";
import type { RefusalAnswer } from "../../../workshop/admin/refused";
import { rowOf } from "../../inputs/input";
import { translate } from "../../texts";
import { weekOf } from "../week/week";
import { drawWeek, markWeek } from "../week/week-picture";
import { asDone } from "./as-done";
import { afterPause, ask, reasonOf } from "./ask";

type Answer = GatePreview | RefusalAnswer;

/**
 * Shows what the gate would decide, now or at an instant that the user picks, while its dialog is filled in.
 * @returns a function that asks again
 */
export function previewGate(node: EditorNode): () => void {
  const verdict = $("#telephony-verdict");
  const picture = $("#telephony-verdict-week");
  const zoneNote = $("<p>", { class: "telephony-warning", id: "telephony-zone-note", role: "status" }).hide();
  zoneNote.appendTo(rowOf($("#node-input-timezone")));
  const later = afterPause();
  const update = () => {
    const body = { config: asDone(node), at: $("#telephony-instant").val() };
    ask<Answer>(verdict, "telephony/gate", body).then(show, (reason: string) => say(reason));
  };
  verdict.closest("form").on("change input", () => later(update));
  update();
  return update;

  function show(answer: Answer): void {
    showZone("serverZone" in answer ? answer.serverZone : undefined);
    if (!answer.ok) say(reasonOf(node, answer), undefined, true);
    else if ("byMessage" in answer) say(translate("preview.byMessage"));
    else if ("byEnvironment" in answer) say(translate("preview.byEnvironment"));
    else if ("byHand" in answer) say(translate(`preview.${answer.byHand}ByHand`));
    else say(sentence(answer), answer);
  }

  function say(text: string, answer?: PreviewedVerdict, isProblem = false): void {
    verdict
      .text(text)
      .toggleClass("telephony-open", answer?.open === true)
      .toggleClass("telephony-closed", answer?.open === false)
      .toggleClass("telephony-problem", isProblem);
    $("#telephony-next").text(nextMessages(answer));
    $("#telephony-sentence").text(answer?.sentence ?? "");
    // The week of the dialog itself is drawn beside its times.
    const drawn = answer !== undefined && $("#node-input-source").val() !== "value";
    picture.toggle(drawn);
    if (drawn) drawWeek(picture, weekOf(answer.days));
    const marks = answer && { moment: minutesOfWeek(answer.checkedAt), specials: answer.specials };
    markWeek(drawn ? picture : $("#telephony-own .telephony-picture"), marks);
  }

  /** Warns if the typed hours would be read in the zone of a server elsewhere. */
  function showZone(zone: string | undefined): void {
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    const isForeign = zone !== undefined && !isSameZone(zone, timeZone);
    zoneNote.text(isForeign ? translate("preview.serverZone", { zone, browser: timeZone }) : "").toggle(isForeign);
  }
}

function sentence(answer: PreviewedVerdict): string {
  const { open, reason, closesAt, opensAt, checkedAt, timezone, stale, incomplete, name, exception, skipped } = answer;
  const edge = open ? closesAt : opensAt;
  const key = `preview.${open ? "open" : "closed"}${edge ? "Until" : ""}`;
  const verdict = translate(key, { at: moment(checkedAt), edge: edge === null ? "" : moment(edge, checkedAt) });
  const why =
    exception === null
      ? translate(`preview.reason.${reason}`, { name: name ?? "" })
      : translate("preview.exceptionNamed", { exception });
  const notes = [
    ...(skipped > 0 ? [translate("preview.skipped", { count: skipped })] : []),
    ...(stale ? [translate("preview.stale")] : []),
    ...(incomplete
      ? [answer.leftOut ? translate("status.eventsLeftOut", { count: answer.leftOut }) : translate("status.noHolidays")]
      : []),
  ];
  return [verdict, why, timezone, ...notes].join(" · ");
}

function nextMessages({ next = [], checkedAt = "" }: Partial<PreviewedVerdict> = {}): string {
  const events = next.map(({ opens, at }) =>
    translate(`preview.${opens ? "opening" : "closing"}`, { at: moment(at, checkedAt) }),
  );
  return events.length > 0 ? translate("preview.next", { events: events.join(" · ") }) : "";
}

/** An instant as the wall clock of the gate's zone shows it: the part of its text before the offset. */
export function moment(instant: string, seenFrom = ""): string {
  const wall = new Date(`${instant.slice(0, 19)}Z`);
  const sameDay = instant.slice(0, 10) === seenFrom.slice(0, 10);
  return wall.toLocaleString(translate("language"), {
    ...(!sameDay && { weekday: "short", day: "numeric", month: "short" }),
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZone: "UTC",
  });
}

/** Minutes since Monday's midnight. */
function minutesOfWeek(instant: string): number {
  const wall = new Date(`${instant.slice(0, 19)}Z`);
  return (((wall.getUTCDay() + 6) % 7) * 24 + wall.getUTCHours()) * 60 + wall.getUTCMinutes();
}
