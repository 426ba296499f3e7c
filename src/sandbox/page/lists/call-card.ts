import type { LoggedRequest } from "../../inspect/request-log";
import type { CallView } from "../../inspect/view";
import { button, clock, make } from "../make";
import type { Speaker } from "../phone/speaker";
import { startOf } from "../shown";
import { type Key, t } from "../words";
import { party } from "./party";
import { requestRow } from "./request-row";
import { timeline } from "./timeline";

/** What the page remembers of a call beside what the sandbox says. */
export interface CardState {
  readonly isOpen: boolean;
  /** Speaks the call aloud, if somebody listens. */
  readonly speaker: Speaker | undefined;
  readonly toggle: () => void;
  readonly listen: () => void;
  readonly stopListening: () => void;
  readonly press: (name: "answer" | "decline" | "hang-up") => void;
}

/** One call: a line, and behind it all that happened. */
export function callCard(call: CallView, requests: readonly LoggedRequest[], card: CardState): HTMLElement {
  const { callId, from, to, direction, phone } = call;
  const state = phone?.state ?? (direction === "inbound" && call.state === "ongoing" ? "incoming" : call.state);
  const badge = make("span", `badge ${state}`, t(BADGES[state]));
  const ends = [from && party(from, direction === "outbound"), to && party(to)].filter(Boolean).join(" → ");
  const name = make("span", "parties", direction === "unknown" ? t("placedElsewhere", { id: callId }) : ends);
  const said = phone?.spoken[0] ? make("span", "said soft", `“${phone.spoken[0].text}”`) : "";
  const start = startOf(call);
  const head = button("head", "", card.toggle, `head ${callId}`);
  head.append(badge, make("span", "about", name, said), start ? clock(start) : "");
  head.setAttribute("aria-expanded", String(card.isOpen));
  const line = make("div", "line", head, ...(card.isOpen ? [] : listenButton(call, card)));
  const body = card.isOpen ? [make("div", "body", ...details(call, requests, card))] : [];
  const article = make("article", `call ${state}`, line, ...body);
  article.dataset["call"] = callId;
  return article;
}

const BADGES = {
  ringing: "isRinging",
  talking: "isTalking",
  declined: "isDeclined",
  unanswered: "isUnanswered",
  ended: "isEnded",
  ongoing: "isOngoing",
  incoming: "isIncoming",
} as const satisfies Record<string, Key>;

/** Also beside a folded call, so that one click is enough to hear it. */
function listenButton({ phone }: CallView, { speaker, listen, stopListening }: CardState): HTMLElement[] {
  if (!phone || phone.spoken.length === 0 || phone.state === "ringing") return [];
  return [
    speaker ? button("", t("stopListening"), stopListening, "listen") : button("", t("listen"), listen, "listen"),
  ];
}

function details(call: CallView, requests: readonly LoggedRequest[], card: CardState): (Node | string)[] {
  const { callId, phone } = call;
  const buttons = make("div", "buttons");
  if (phone?.state === "ringing")
    buttons.append(
      button("answer", t("answer"), () => card.press("answer")),
      button("decline", t("decline"), () => card.press("decline")),
    );
  if (phone?.state === "talking") buttons.append(button("decline", t("hangUp"), () => card.press("hang-up")));
  buttons.append(...listenButton(call, card));
  const rows = requests.map(requestRow);
  return [
    make("p", "soft", callId),
    ...(buttons.childElementCount > 0 ? [buttons] : []),
    ...(card.speaker ? [card.speaker.element] : []),
    timeline(call),
    ...(rows.length > 0 ? [make("h4", "", t("requestsBehind")), ...rows] : []),
  ];
}
