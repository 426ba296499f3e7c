import { html, nothing, type TemplateResult } from "lit-html";
import { joined } from "../../../texts/catalogue";
import type { CallView } from "../../inspect/view";
import type { Fetched } from "../../phone/outside";
import type { Moment } from "../../phone/phones";
import type { CallEvent } from "../../service/calls";
import { type Key, party, t, time } from "../texts";

/** Lists all that happened with a call, in order. */
export function timeline({ events, phone }: CallView): TemplateResult {
  const steps = [
    ...events.map((event) => ({ at: event.at, line: eventLine(event), kind: event.action })),
    ...(phone?.moments ?? []).map((moment) => ({ at: moment.at, line: momentLine(moment), kind: moment.what })),
  ];
  // Sorting is stable: an action stands before what it caused in the same instant.
  steps.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  const items = steps.map(({ at, line, kind }) => html`<li class=${kind}>${time(at)}<div>${line}</div></li>`);
  return html`<ol class="timeline">${items}</ol>`;
}

function eventLine(event: CallEvent): TemplateResult {
  const details = (event.actions ?? []).map(spokenAction);
  if (event.answer_url) details.push(t("drivenBy", { address: event.answer_url }));
  const list = html`<ul class="soft">${details.map((text) => html`<li>${text}</li>`)}</ul>`;
  return html`${sentences[event.action]?.(event) ?? event.action}${details.length > 0 ? list : nothing}`;
}

const sentences: Readonly<Record<string, (event: CallEvent) => string>> = {
  "call-out": ({ to }) => t("placed", { to: party(to) }),
  "incoming-call": ({ from, to }) => t("cameIn", { from: party(from), to: party(to) }),
  "stop-a-call": () => t("stopped"),
  transfer: ({ to, fromUserId }) =>
    fromUserId
      ? t("transferredFrom", { to: party(to), user: String(fromUserId) })
      : t("transferred", { to: party(to) }),
  "transfer/advance": ({ to, transferType }) =>
    t(transferType === "blind" ? "transferredBlind" : "transferredAttended", { to: party(to) }),
  "add-user": ({ to, from, spyCall }) => {
    const text = t(spyCall ? "listens" : "joined", { to: party(to) });
    return from ? t("aside", { text, aside: t("by", { from: party(from) }) }) : text;
  },
};

function spokenAction({ action, text, voice, speed, loop }: Readonly<Record<string, unknown>>): string {
  const details = Object.entries({ voice, speed, loop })
    .filter(([, value]) => value !== undefined)
    .map(([field, value]) => `${field} ${String(value)}`);
  const quoted = text !== undefined && t("quoted", { text: String(text) });
  const said = quoted ? t("named", { name: String(action), text: quoted }) : String(action);
  return details.length > 0 ? t("aside", { text: said, aside: joined(t, "also", details) }) : said;
}

const momentKeys: Readonly<Record<Exclude<Moment["what"], "fetched">, Key>> = {
  ringing: "rings",
  talking: "answered",
  declined: "wasDeclined",
  unanswered: "rangOut",
  ended: "ended",
};

function momentLine({ what, by, fetched }: Moment): TemplateResult {
  if (what === "fetched") return html`${t("fetched")}${fetched ? fetchedLine(fetched) : nothing}`;
  if (by === "person" && what === "talking") return html`${t("answeredHere")}`;
  if (by === "person" && what === "ended") return html`${t("hungUpHere")}`;
  return html`${t(momentKeys[what])}`;
}

export function fetchedLine(fetched: Fetched): TemplateResult {
  if ("problem" in fetched) {
    const keys = { host: "hostNotAllowed", address: "badAddress", failed: "fetchFailed" } as const;
    return html`<p class="bad">${t(keys[fetched.problem], { detail: fetched.detail })}</p>`;
  }
  const { status, type, text } = fetched;
  return html`<div>
    <span class=${status < 400 ? "good" : "bad"}>${status} ${type}</span>
    <pre>${text}</pre>
  </div>`;
}
