import { momentOf } from "../../../hours/moment";
import { shared } from "../../words";
import { ask, NOT_DEPLOYED, type Refusal, reasonOf, showResult } from "./ask";
import type { FoundStyle } from "./found-style";

type Command = "pause" | "resume" | "drop" | "count";

interface Counts {
  readonly ok: true;
  readonly paused: boolean;
  /** ISO 8601; `null` unless the calls are held. */
  readonly heldUntil: string | null;
  readonly resting: boolean;
  /** ISO 8601; `null` unless the calls rest, or if that is not known. */
  readonly restsUntil: string | null;
  readonly waiting: { readonly callOut: number; readonly other: number };
  /** Of these, the calls that waited when Node-RED stopped; absent without any. */
  readonly restored?: number;
  readonly underWay: number;
  readonly dropped: number;
  /** Absent if the tenant's party format is fixed. */
  readonly style?: FoundStyle;
}

type Answer = Counts | Refusal;

/**
 * Shows how many messages wait for a deployed tenant, and makes the buttons pause, resume and drop them.
 * @param onCounts called with each answer of the tenant
 */
export function prepareControl(node: EditorNode, onCounts: (counts: Counts) => void): void {
  const state = $("#telephony-state");
  const hold = $("#telephony-hold");
  const release = $("#telephony-release").hide();
  const confirmation = $("#telephony-sure").hide();
  const drop = $("#telephony-drop");
  const mayCommand = RED.user.hasPermission("telephony-tenant.write");
  const enable = (isRunning: boolean) =>
    hold
      .add(release)
      .add(drop)
      .prop("disabled", !(isRunning && mayCommand));
  enable(true);
  let paused = false;
  hold.on("click", () => void run(paused ? "resume" : "pause"));
  release.on("click", () => void run("resume"));
  $("#telephony-count").on("click", () => void run("count"));
  drop.on("click", () => {
    confirmation.show().find("button").last().trigger("focus");
    drop.attr("aria-expanded", "true");
  });
  confirmation
    .on("click", "button", ({ currentTarget }) => {
      close();
      if (currentTarget.id === "telephony-drop-now") void run("drop");
    })
    .on("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      close();
    });
  void run("count");
  return;

  function close(): void {
    confirmation.hide();
    drop.attr("aria-expanded", "false").trigger("focus");
  }

  async function run(command: Command): Promise<void> {
    showResult(state, "busy", state.text().trim());
    const url = `telephony/tenant/${encodeURIComponent(node.id)}/control`;
    const body = command === "count" ? undefined : { command };
    const answer = await ask<Answer>(state, url, body).catch((reason: string) => reason);
    if (typeof answer === "string") return showResult(state, "wrong", answer);
    enable(answer.ok);
    if (!answer.ok) {
      const reason = answer.key === NOT_DEPLOYED ? shared("control.notRunning") : reasonOf(node, answer);
      return showResult(state, "wrong", reason);
    }
    onCounts(answer);
    paused = answer.paused;
    // A pause needs no second button: resuming ends a hold, too.
    release.toggle(answer.heldUntil !== null && !paused);
    hold.find("span").text(shared(paused ? "control.resume" : "control.pause"));
    hold.find("i").toggleClass("fa-pause", !paused).toggleClass("fa-play", paused);
    state.removeClass("telephony-problem telephony-fine").text(summary(answer, command));
  }
}

function summary(counts: Counts, command: Command): string {
  const { paused, heldUntil, resting, restsUntil, waiting, restored = 0, underWay, dropped } = counts;
  const line = [
    ...(command === "drop" ? [shared("control.dropped", { count: dropped })] : []),
    ...(paused ? [shared("status.paused")] : []),
    ...(heldUntil === null ? [] : [shared("status.held", { time: new Date(heldUntil).toTimeString().slice(0, 5) })]),
    ...(resting ? [rest(restsUntil)] : []),
    shared("status.waiting", { count: waiting.callOut + waiting.other }),
    ...(restored > 0 ? [shared("control.restored", { count: restored })] : []),
    shared("control.underWay", { count: underWay }),
  ].join(" · ");
  return restored > 0 && paused ? `${line}. ${shared("control.restoredPaused")}` : line;
}

/** Until when calls wait for calling hours, in the zone of these hours. */
function rest(until: string | null): string {
  if (until === null) return shared("status.waitsForHours");
  const offset = Date.parse(`${until.slice(0, 19)}Z`) - Date.parse(until);
  const { weekday, text } = momentOf(until, new Date(Date.now() + offset).toISOString().slice(0, 10));
  return shared("status.waitsUntil", { at: weekday ? `${shared(`status.days.${weekday}`)} ${text}` : text });
}
