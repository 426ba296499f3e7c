import { listIn } from "./own-list";
import { weekOf } from "./week";
import { drawWeek } from "./week-picture";
import { shared } from "./words";

/** The dialog is left in peace for so long before the gate is asked. */
const PAUSE_MS = 300;

interface Verdict {
  readonly ok: true;
  readonly byMessage?: true;
  readonly open: boolean;
  readonly reason: string;
  readonly closesAt: string | null;
  readonly opensAt: string | null;
  readonly name: string | null;
  readonly timezone: string;
  readonly checkedAt: string;
  readonly stale: boolean;
  readonly days: readonly object[];
}

type Answer = Verdict | { readonly ok: false; readonly message?: string };

/** Shows what the gate would say, now or at a moment that the user picks, while its dialog is filled in. */
export function previewGate(node: EditorNode): void {
  const verdict = $("#telephony-verdict");
  const picture = $("#telephony-verdict-week");
  let timer: number | undefined;
  let asked = 0;
  const ask = () => {
    asked += 1;
    const turn = asked;
    const isLatest = () => turn === asked && verdict.closest("body").length > 0;
    const by = shownConfig(node);
    const hand = by["overrideType"] === "str" && (by["override"] === "open" || by["override"] === "closed");
    if (hand) {
      tell(shared(`preview.${by["override"]}ByHand`));
      return;
    }
    $.ajax({
      type: "POST",
      url: "telephony/gate",
      contentType: "application/json",
      data: JSON.stringify({ config: by, at: $("#telephony-instant").val() }),
    }).then(
      (answer: Answer) => isLatest() && show(answer),
      () => isLatest() && tell(shared("schedules.unreachable")),
    );
  };
  const soon = () => {
    clearTimeout(timer);
    timer = window.setTimeout(ask, PAUSE_MS);
  };
  verdict.closest("form").on("change input", soon);
  ask();

  function show(answer: Answer): void {
    if (!answer.ok) tell(answer.message ?? shared("schedules.unreachable"), undefined, true);
    else if (answer.byMessage) tell(shared("preview.byMessage"));
    else tell(sentence(answer), answer);
  }

  function tell(text: string, answer?: Verdict, isProblem = false): void {
    verdict
      .text(text)
      .toggleClass("telephony-open", answer?.open === true)
      .toggleClass("telephony-closed", answer?.open === false)
      .toggleClass("telephony-problem", isProblem);
    // The week of the dialog itself is drawn beside its times.
    const drawn = answer !== undefined && $("#node-input-source").val() !== "value";
    picture.toggle(drawn);
    if (drawn) drawWeek(picture, weekOf(answer.days), minutesOfWeek(answer.checkedAt));
  }
}

/** The node as its open dialog has it. */
function shownConfig(node: EditorNode): Record<string, unknown> {
  const config: Record<string, unknown> = { id: node.id, type: node.type };
  for (const property of Object.keys(node._def.defaults))
    config[property] = listIn(property)?.value() ?? $(`#node-input-${property}`).val() ?? node[property];
  return config;
}

function sentence({ open, reason, closesAt, opensAt, checkedAt, timezone, stale, name }: Verdict): string {
  const edge = open ? closesAt : opensAt;
  const key = `preview.${open ? "open" : "closed"}${edge ? "Until" : ""}`;
  const verdict = shared(key, { at: moment(checkedAt), edge: edge === null ? "" : moment(edge, checkedAt) });
  const why = shared(`preview.reason.${reason}`, { name: name ?? "" });
  return [verdict, why, timezone, ...(stale ? [shared("preview.stale")] : [])].join(" · ");
}

/** An instant as the clock of the gate's zone shows it: that clock is what its text says before the offset. */
function moment(instant: string, seenFrom = ""): string {
  const wall = new Date(`${instant.slice(0, 19)}Z`);
  const sameDay = instant.slice(0, 10) === seenFrom.slice(0, 10);
  return wall.toLocaleString(RED.i18n.lang(), {
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
