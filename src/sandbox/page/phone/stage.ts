import type { CallView } from "../../inspect/view";
import { party } from "../lists/party";
import { button, make, swap } from "../make";
import { t } from "../words";
import { Speaker } from "./speaker";

/** How many phones are shown large; the others ring in the list. */
const MOST = 3;

export interface StageActions {
  press(name: "answer" | "decline" | "hang-up", callId: string): Promise<boolean>;
}

/** The phones that ring for whoever looks at the page, and the calls that were answered here. */
export class Stage {
  readonly element = make("section", "stage");
  readonly #live = make("p", "hidden-text");
  readonly #more = make("p", "soft");
  readonly #cards = new Map<string, { version: string; element: HTMLElement; speaker?: Speaker }>();
  /** Calls that were answered in this page; other pages that look at the same sandbox stay silent. */
  readonly #mine = new Set<string>();
  readonly #actions: StageActions;
  #rung = new Set<string>();
  readonly #title = document.title;

  constructor(actions: StageActions) {
    this.#actions = actions;
    this.#live.setAttribute("role", "status");
    this.#live.setAttribute("aria-live", "assertive");
    this.element.append(this.#live, this.#more);
  }

  show(calls: readonly CallView[], isAsking: boolean): void {
    const ringing = isAsking ? calls.filter(({ phone }) => phone?.state === "ringing") : [];
    const talking = calls.filter(({ callId, phone }) => phone?.state === "talking" && this.#mine.has(callId));
    const shown = [...talking, ...ringing].slice(0, MOST + talking.length);
    for (const [callId, card] of this.#cards)
      if (!shown.some((call) => call.callId === callId)) {
        card.speaker?.stop();
        card.element.remove();
        this.#cards.delete(callId);
        this.#mine.delete(callId);
      }
    for (const call of shown) this.#draw(call);
    const more = ringing.length - Math.max(0, shown.length - talking.length);
    this.#more.textContent = more > 0 ? t("moreRing", { count: more }) : "";
    this.#announce(ringing);
  }

  #announce(ringing: readonly CallView[]): void {
    const fresh = ringing.filter(({ callId }) => !this.#rung.has(callId));
    const [first] = fresh;
    if (first)
      this.#live.textContent = t("callRings", { to: party(first.to ?? {}), from: party(first.from ?? {}, true) });
    else if (ringing.length === 0) this.#live.textContent = "";
    this.#rung = new Set(ringing.map(({ callId }) => callId));
    const to = ringing[0]?.to;
    document.title = to ? `☎ ${t("titleRings", { number: to.alias ?? to.number ?? "" })}` : this.#title;
    if (first) this.#reveal(first.callId);
    // Only if the focus is nowhere: somebody may be typing.
    if (first && document.hasFocus() && document.activeElement === document.body)
      this.#cards.get(first.callId)?.element.querySelector("button")?.focus({ preventScroll: true });
  }

  #draw(call: CallView): void {
    const { callId, phone } = call;
    const old = this.#cards.get(callId);
    const version = `${phone?.state} ${phone?.moments.length}`;
    if (old?.version === version) return;
    let speaker = old?.speaker;
    if (phone?.state === "talking" && phone.spoken.length > 0) speaker ??= new Speaker(phone.spoken);
    const element = this.#card(call, speaker);
    if (old) swap(old.element, element);
    else this.element.append(element);
    this.#cards.set(callId, { version, element, ...(speaker && { speaker }) });
    if (speaker && !old?.speaker) this.#reveal(callId);
  }

  /** In a low sidebar, or far down in the list, the phone is out of sight. */
  #reveal(callId: string): void {
    if (!document.activeElement?.matches("input:not([type=radio]), textarea"))
      this.#cards.get(callId)?.element.scrollIntoView({ block: "nearest" });
  }

  #card({ callId, from, to, phone }: CallView, speaker: Speaker | undefined): HTMLElement {
    const isRinging = phone?.state === "ringing";
    const press = (name: "answer" | "decline" | "hang-up") => {
      if (name === "answer") this.#mine.add(callId);
      void this.#actions.press(name, callId).then((done) => done || this.#mine.delete(callId));
    };
    const buttons = isRinging
      ? [
          button("answer", `☎ ${t("answer")}`, () => press("answer"), "first"),
          button("decline", t("decline"), () => press("decline"), "second"),
        ]
      : [button("decline", t("hangUp"), () => press("hang-up"), "first")];
    const card = make(
      "article",
      `phone ${phone?.state ?? ""}`,
      make("p", "soft", t(isRinging ? "isRinging" : "isTalking")),
      make("p", "who", to?.alias ?? to?.number ?? callId),
      make(
        "p",
        "soft",
        [to?.alias ? to.number : "", from ? t("from", { from: party(from, true) }) : ""].filter(Boolean).join(" · "),
      ),
      ...(speaker ? [speaker.element] : isRinging ? [] : [make("p", "soft", t("nothingToSay"))]),
      make("div", "buttons", ...buttons),
    );
    card.setAttribute("aria-label", t(isRinging ? "isRinging" : "isTalking"));
    card.addEventListener("keydown", ({ key }) => {
      if (key === "Escape") press(isRinging ? "decline" : "hang-up");
    });
    return card;
  }
}
