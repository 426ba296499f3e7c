import { shared } from "../kept";
import { ask, NOT_DEPLOYED, type Refusal, read, reasonOf } from "./ask";
import { tell } from "./tell";

type Command = "pause" | "resume" | "drop" | "count";

interface Counts {
  readonly ok: true;
  readonly paused: boolean;
  readonly waiting: { readonly callOut: number; readonly other: number };
  readonly underWay: number;
  readonly dropped: number;
}

type Answer = Counts | Refusal;

/** Shows what waits for a deployed tenant, and lets it be held, let go and dropped. */
export function prepareControl(node: EditorNode): void {
  const state = $("#telephony-state");
  const hold = $("#telephony-hold");
  const sure = $("#telephony-sure").hide();
  const drop = $("#telephony-drop");
  const mayCommand = RED.user.hasPermission("telephony-tenant.write");
  const enable = (runs: boolean) => hold.add(drop).prop("disabled", !(runs && mayCommand));
  enable(true);
  let paused = false;
  let turn = 0;
  hold.on("click", () => void run(paused ? "resume" : "pause"));
  $("#telephony-count").on("click", () => void run("count"));
  drop.on("click", () => {
    sure.show().find("button").last().trigger("focus");
    drop.attr("aria-expanded", "true");
  });
  sure
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
    sure.hide();
    drop.attr("aria-expanded", "false").trigger("focus");
  }

  async function run(command: Command): Promise<void> {
    turn += 1;
    const mine = turn;
    tell(state, "busy", state.text().trim());
    const url = `telephony/tenant/${encodeURIComponent(node.id)}/control`;
    const answering = command === "count" ? read<Answer>(url) : ask<Answer>(url, { command });
    const answer = await answering.catch((reason: string) => reason);
    if (mine !== turn) return;
    if (typeof answer === "string") return tell(state, "wrong", answer);
    enable(answer.ok);
    if (!answer.ok)
      return tell(state, "wrong", answer.key === NOT_DEPLOYED ? shared("control.notRunning") : reasonOf(node, answer));
    paused = answer.paused;
    hold.find("span").text(shared(paused ? "control.resume" : "control.pause"));
    hold.find("i").toggleClass("fa-pause", !paused).toggleClass("fa-play", paused);
    state.removeClass("telephony-problem telephony-fine").text(summary(answer, command));
  }
}

function summary({ paused, waiting, underWay, dropped }: Counts, command: Command): string {
  return [
    ...(command === "drop" ? [shared("control.dropped", { count: dropped })] : []),
    ...(paused ? [shared("status.paused")] : []),
    shared("status.waiting", { count: waiting.callOut + waiting.other }),
    shared("control.underWay", { count: underWay }),
  ].join(" · ");
}
