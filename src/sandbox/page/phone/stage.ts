import { html, nothing, type TemplateResult } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";
import { joined } from "../../../texts/catalogue";
import type { CallView } from "../../inspect/view";
import type { PhoneAction } from "../lists/calls";
import { party, t } from "../texts";
import { Speaker } from "./speaker";

/** Returns how many ringing phones are shown large; the others ring in the list. In a sidebar, there is room for one. */
const most = () => (matchMedia("(max-width: 30rem)").matches ? 1 : 3);

/** The phones that ring, if the page is asked to answer, and the calls that were answered in this page. */
export class Stage {
  /** Other pages that look at the same sandbox stay silent. */
  readonly #answeredHere = new Set<string>();
  readonly #speakers = new Map<string, Speaker>();
  readonly #title = document.title;
  #calls: readonly CallView[] = [];
  #ringing: readonly CallView[] = [];
  #announcement = "";
  /** The calls that have just begun to ring or to be spoken, or else the one that has just ended. */
  #appeared: readonly string[] = [];

  constructor(private readonly act: (action: PhoneAction, callId: string) => Promise<boolean>) {}

  /** Answers a call that was chosen before this page was opened. */
  answer(callId: string): void {
    if (!this.#ringing.some((call) => call.callId === callId)) return;
    this.#answeredHere.add(callId);
    void this.act("answer", callId).then((done) => done || this.#answeredHere.delete(callId));
  }

  show(calls: readonly CallView[], isAsking: boolean): void {
    const rangBefore = new Set(this.#ringing.map(({ callId }) => callId));
    const asks = ({ phone }: CallView) => phone?.state === "ringing" && phone.behaviour === undefined;
    this.#ringing = isAsking ? calls.filter(asks) : [];
    const talking = calls.filter(({ callId, phone }) => phone?.state === "talking" && this.#answeredHere.has(callId));
    // A card keeps its place when its phone is answered: moving it would lose the focus.
    const order = new Map(this.#calls.map(({ callId }, index) => [callId, index]));
    const orderOf = ({ callId }: CallView) => order.get(callId) ?? order.size;
    const before = this.#calls;
    this.#calls = [...talking, ...this.#ringing.slice(0, most())].sort((a, b) => orderOf(a) - orderOf(b));
    for (const callId of this.#answeredHere) {
      if (this.#calls.some((call) => call.callId === callId)) continue;
      this.#speakers.get(callId)?.stop();
      this.#speakers.delete(callId);
      this.#answeredHere.delete(callId);
    }
    const spoken = talking.filter(({ callId, phone }) => phone?.spoken.length && !this.#speakers.has(callId));
    for (const { callId, phone } of spoken) this.#speakers.set(callId, new Speaker(phone?.spoken ?? []));
    const fresh = this.#ringing.filter(({ callId }) => !rangBefore.has(callId));
    const changed = [...spoken, ...fresh.slice(0, 1), ...(this.#calls.length === 0 ? before.slice(0, 1) : [])];
    this.#appeared = changed.map(({ callId }) => callId);
    this.#announce(fresh[0]);
  }

  #announce(fresh: CallView | undefined): void {
    if (this.#ringing.length === 0) this.#announcement = "";
    else if (fresh)
      this.#announcement = t("callRings", { to: party(fresh.to ?? {}), from: party(fresh.from ?? {}, true) });
    const to = this.#ringing[0]?.to;
    document.title = to ? `☎ ${t("titleRings", { number: to.alias ?? to.number ?? "" })}` : this.#title;
  }

  render(): TemplateResult {
    const more = Math.max(0, this.#ringing.length - most());
    return html`<section class="stage" aria-label=${t("calls")}>
      <p class="hidden-text" role="status" aria-live="assertive">${this.#announcement}</p>
      ${repeat(
        this.#calls,
        ({ callId }) => callId,
        (call) => this.#card(call),
      )}
      <p class="soft">${more > 0 ? t("moreRing", { count: more }) : nothing}</p>
    </section>`;
  }

  /** Scrolls to a new phone or the result of its call: in a low sidebar, or far down in a list, it is out of sight. Call after drawing. */
  reveal(): void {
    const { activeElement } = document;
    for (const callId of this.#appeared) {
      const card =
        document.getElementById(`phone-${callId}`) ??
        document.querySelector(`[data-call="${CSS.escape(callId)}"] .head`);
      if (!activeElement?.matches("input:not([type=radio]), textarea")) card?.scrollIntoView({ block: "nearest" });
      // Only if the focus is nowhere: somebody may be typing.
      if (document.hasFocus() && activeElement === document.body)
        card?.querySelector("button")?.focus({ preventScroll: true });
    }
    this.#appeared = [];
  }

  /** Whether the page is not scrolled away from all of the phones that ring. */
  get isInSight(): boolean {
    const buttons = [...document.querySelectorAll(".phone.ringing .answer")].map((each) =>
      each.getBoundingClientRect(),
    );
    return buttons.length === 0 || buttons.some(({ top, bottom }) => bottom > 0 && top < innerHeight);
  }

  #card({ callId, from, to, phone }: CallView): TemplateResult {
    const isRinging = phone?.state === "ringing";
    const state = t(isRinging ? "isRinging" : "isTalking");
    const act = (action: PhoneAction) => {
      if (action === "answer") this.answer(callId);
      else void this.act(action, callId);
    };
    const about = [(to?.alias && to.number) || [], from ? t("from", { from: party(from, true) }) : []].flat();
    const silent = isRinging ? nothing : html`<p class="soft">${t("nothingToSay")}</p>`;
    // The same button answers and then hangs up, so the focus stays on it.
    return html`<article
      class="phone ${phone?.state ?? ""}"
      id="phone-${callId}"
      aria-label=${state}
      @keydown=${({ key }: KeyboardEvent) => key === "Escape" && act(isRinging ? "decline" : "hang-up")}
    >
      <p class="soft">${state}</p>
      <p class="who">${to?.alias ?? to?.number ?? callId}</p>
      <p class="soft">${joined(t, "beside", about)}</p>
      ${this.#speakers.get(callId)?.render() ?? silent}
      <div class="buttons">
        <button class=${isRinging ? "answer" : "decline"} @click=${() => act(isRinging ? "answer" : "hang-up")}>
          ${isRinging ? `☎ ${t("answer")}` : t("hangUp")}
        </button>
        ${isRinging ? html`<button class="decline" @click=${() => act("decline")}>${t("decline")}</button>` : nothing}
      </div>
    </article>`;
  }
}
