import { html, nothing, type TemplateResult } from "lit-html";
import type { CallView } from "../../inspect/view";
import { Speaker } from "../phone/speaker";
import { redraw } from "../redraw";
import { type Shown, startOf } from "../shown";
import { type Key, party, t, time } from "../texts";
import { newest } from "./newest";
import { requestRow } from "./requests";
import { timeline } from "./timeline";

const BADGES = {
  ringing: "isRinging",
  talking: "isTalking",
  declined: "isDeclined",
  unanswered: "isUnanswered",
  ended: "isEnded",
  ongoing: "isOngoing",
  incoming: "isIncoming",
} as const satisfies Record<string, Key>;

export type PhoneAction = "answer" | "decline" | "hang-up" | "again";

/** More calls than these can be filtered. */
const MANY = 50;

/** The calls, newest first: one line each, and all that happened behind it. */
export class CallList {
  readonly #open = new Set<string>();
  #search = "";
  #state = "";
  #listening: { readonly callId: string; readonly speaker: Speaker } | undefined;

  constructor(
    private readonly shown: Shown,
    private readonly act: (action: PhoneAction, callId: string) => void,
  ) {}

  render(): TemplateResult {
    const { calls } = this.shown;
    const list = (found: readonly CallView[], all?: number) =>
      newest(
        "calls",
        found,
        ({ callId }) => callId,
        (call) => this.#card(call),
        all,
      );
    if (calls.length <= MANY) return list(calls);
    const found = calls.filter((call) => this.#fits(call));
    const all = found.length === calls.length ? this.shown.view?.counts.calls : found.length;
    const search = ({ target }: Event) => {
      this.#search = (target as HTMLInputElement).value.trim().toLowerCase();
      redraw();
    };
    const choose = ({ target }: Event) => {
      this.#state = (target as HTMLSelectElement).value;
      redraw();
    };
    return html`<search class="filter">
        <input type="search" aria-label=${t("filter")} placeholder=${t("filter")} @input=${search}>
        <select aria-label=${t("state")} @change=${choose}>
          <option value="">${t("everyState")}</option>
          ${Object.entries(BADGES).map(([state, key]) => html`<option value=${state}>${t(key)}</option>`)}
        </select>
        <span class="soft" role="status">${t("foundOf", { count: found.length, all: calls.length })}</span>
      </search>
      ${list(found, all)}`;
  }

  #fits(call: CallView): boolean {
    if (this.#state && stateOf(call) !== this.#state) return false;
    if (!this.#search) return true;
    const { callId, from, to, phone } = call;
    const texts = [from?.number, from?.alias, to?.number, to?.alias, phone?.spoken[0]?.text];
    return callId === this.#search || texts.some((text) => text?.toLowerCase().includes(this.#search));
  }

  #card(call: CallView): TemplateResult {
    const { callId, from, to, direction, phone } = call;
    const isOpen = this.#open.has(callId);
    const state = stateOf(call);
    const isOutbound = direction === "outbound";
    // The caller of what we place is always the hotline, for which a sidebar has no room.
    const caller =
      from && html`<span class=${isOutbound && to ? "caller" : ""}>${party(from, isOutbound)}${to && " → "}</span>`;
    const name = direction === "unknown" ? t("placedElsewhere", { id: callId }) : [caller, to && party(to)];
    const text = phone?.spoken[0]?.text;
    const toggle = () => {
      if (!this.#open.delete(callId)) this.#open.add(callId);
      redraw();
    };
    return html`<article class="call ${state}" data-call=${callId}>
      <div class="line">
        <button class="head" aria-expanded=${isOpen} @click=${toggle}>
          <span class="badge ${state}">${t(BADGES[state])}</span>
          <span class="about">
            <span class="parties">${name}</span>
            ${text === undefined ? nothing : html`<span class="said soft">${t("quoted", { text })}</span>`}
          </span>
          ${startOf(call) ? time(startOf(call)) : nothing}
        </button>
        ${isOpen ? nothing : this.#listenButton(call)}
      </div>
      ${isOpen ? this.#details(call) : nothing}
    </article>`;
  }

  #details(call: CallView): TemplateResult {
    const { callId, phone, direction } = call;
    const isPending = phone?.state === "ringing" || phone?.state === "talking";
    const requests = this.shown.requestsOf(callId);
    const button = (name: PhoneAction, className: string, key: Key) =>
      html`<button class=${className} @click=${() => this.act(name, callId)}>${t(key)}</button>`;
    return html`<div class="body">
      <p class="soft">${callId}</p>
      <div class="buttons">
        ${phone?.state === "ringing" ? [button("answer", "answer", "answer"), button("decline", "decline", "decline")] : nothing}
        ${phone?.state === "talking" ? button("hang-up", "decline", "hangUp") : nothing}
        ${this.#listenButton(call)}
        ${isPending || direction === "unknown" ? nothing : button("again", "", "again")}
      </div>
      ${this.#listening?.callId === callId ? this.#listening.speaker.render() : nothing}
      ${timeline(call)}
      ${requests.length > 0 ? html`<h4>${t("requestsBehind")}</h4>${requests.map(requestRow)}` : nothing}
    </div>`;
  }

  /** Draws the button also beside a folded call, so that one click is enough to hear it. */
  #listenButton({ callId, phone }: CallView): TemplateResult | typeof nothing {
    if (!phone || phone.spoken.length === 0 || phone.state === "ringing") return nothing;
    const stop = () => {
      this.#listening?.speaker.stop();
      this.#listening = undefined;
      redraw();
    };
    const listen = () => {
      stop();
      this.#listening = { callId, speaker: new Speaker(phone.spoken, stop) };
      this.#open.add(callId);
    };
    return this.#listening?.callId === callId
      ? html`<button @click=${stop}>${t("stopListening")}</button>`
      : html`<button @click=${listen}>${t("listen")}</button>`;
  }
}

function stateOf({ phone, direction, state }: CallView): keyof typeof BADGES {
  return phone?.state ?? (direction === "inbound" && state === "ongoing" ? "incoming" : state);
}
