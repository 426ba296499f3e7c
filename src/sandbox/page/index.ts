import { html, nothing, render, type TemplateResult } from "lit-html";
import { cache } from "lit-html/directives/cache.js";
import { live } from "lit-html/directives/live.js";
import type { SandboxView } from "../inspect/view";
import { assumptions } from "../service/assumptions";
import { follow, NoPermission, tellSight } from "./connection";
import { CallList, type PhoneAction } from "./lists/calls";
import { countActing, requestLists } from "./lists/requests";
import { Controls } from "./panels/controls";
import { IncomingCall } from "./panels/incoming";
import { Panel } from "./panels/panel";
import { Phones } from "./panels/phones";
import { schedulesPanel } from "./panels/schedules";
import { Stage } from "./phone/stage";
import { drawWith, redraw } from "./redraw";
import { Shown } from "./shown";
import { language, t } from "./texts";

const REDRAW_MS = 1000;
const TABS = ["calls", "requests", "controls"] as const;
type Tab = (typeof TABS)[number];
const ANSWERS = [
  ["everybody", "everybody"],
  ["nobody", "nobody"],
  ["ask", "askMe"],
] as const;
const FORGETTING = [
  ["clear", "clearHint", "clearSure"],
  ["reset", "resetHint", "resetSure"],
] as const;

const theme = new URLSearchParams(location.search).get("theme");
if (theme === "dark" || theme === "light") document.documentElement.style.colorScheme = theme;
document.documentElement.lang = language;
document.title = t("title");

const shown = new Shown();
const controls = new Controls();
const act = async (action: PhoneAction, callId: string) => (await controls.send(action, { callId })) !== undefined;
const stage = new Stage(act);
const calls = new CallList(shown, (action, callId) => void act(action, callId));
const incoming = new IncomingCall();
const phones = new Phones();
const forget = new Panel("forget", ["clear", {}]);
let status: { readonly className: string; readonly text: string } = { className: "soft", text: "…" };
let chosen: Tab = "calls";
/** The last choice of who answers: it is shown until a view is as new as this revision. */
let chosenAnswers = { answers: "", revision: 0 };
let toAnswer = new URLSearchParams(location.hash.slice(1)).get("answer");

function page(): TemplateResult {
  return html`
    <a class="skip" href="#calls-tab">${t("skip")}</a>
    <header><h1>${t("title")}</h1><p class="soft lead">${t("lead")}</p></header>
    <main>
      ${controls.problem()} ${stage.render()} ${shown.view ? whoAnswers(shown.view) : nothing}
      ${tabs()} ${TABS.map(panel)}
    </main>`;
}

function whoAnswers({ settings, revision }: SandboxView): TemplateResult {
  const { answers } = revision < chosenAnswers.revision ? chosenAnswers : settings;
  const choose = async (value: string) => {
    const choice = { answers: value, revision: Number.POSITIVE_INFINITY };
    chosenAnswers = choice;
    const data = (await controls.send("settings", { answers: value })) as { revision: number } | undefined;
    choice.revision = data?.revision ?? 0;
    redraw();
  };
  const choice = ([value, label]: (typeof ANSWERS)[number]) => html`<label>
    <input type="radio" name="answers" .checked=${live(value === answers)}
      @change=${() => choose(value)}>
    <span>${t(label)}</span>
  </label>`;
  return html`<div class="answers" role="radiogroup" aria-labelledby="who-answers">
    <span id="who-answers" class="soft">${t("whoAnswers")}</span> ${ANSWERS.map(choice)}
  </div>`;
}

function settings(): TemplateResult | typeof nothing {
  const { view } = shown;
  if (!view) return nothing;
  return html`${schedulesPanel(view)} ${incoming.render(view.settings)} ${phones.render(view.settings)}
    ${forgetPanel()} ${assumptionsPanel()}`;
}

/** Clears what happened, or returns to what a new sandbox has. */
function forgetPanel(): TemplateResult {
  const send = async (name: (typeof FORGETTING)[number][0]) => {
    const isDone = (await forget.send(name)) !== undefined;
    if (isDone && name === "reset") for (const each of [phones, incoming]) each.startOver();
  };
  const row = ([name, hint, question]: (typeof FORGETTING)[number]) => html`<div class="row">
    <button type="button" @click=${() => confirm(t(question)) && void send(name)}>${t(name)}</button>
    <p class="soft hint">${t(hint)}</p>
  </div>`;
  return forget.frame(FORGETTING.map(row));
}

function assumptionsPanel(): TemplateResult {
  return html`<details class="panel">
    <summary>${t("assumptions")}</summary>
    <div class="body">
      <p>${t("assumptionsLead")}</p>
      <ul class="soft">${assumptions.map((key) => html`<li>${t(key)}</li>`)}</ul>
    </div>
  </details>`;
}

function tabs(): TemplateResult {
  const counts = { calls: shown.view?.counts.calls ?? 0, requests: countActing(shown.requests), controls: undefined };
  const choose = (tab: Tab = "calls") => {
    chosen = tab;
    redraw();
  };
  const arrow = ({ key }: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
    if (step === undefined) return;
    choose(TABS.at((TABS.indexOf(chosen) + step) % TABS.length));
    document.getElementById(`${chosen}-tab`)?.focus();
  };
  return html`<div class="tabs">
    <div role="tablist" @keydown=${arrow}>
      ${TABS.map(
        (tab) => html`<button class="tab" role="tab" id="${tab}-tab" aria-controls="${tab}-panel"
          aria-selected=${tab === chosen} tabindex=${tab === chosen ? 0 : -1} @click=${() => choose(tab)}>
          ${t(tab)} <span class="soft">${counts[tab]?.toLocaleString(language)}</span>
        </button>`,
      )}
    </div>
    <p id="status" class=${status.className} role="status" title=${status.text}>${status.text}</p>
  </div>`;
}

function panel(tab: Tab): TemplateResult {
  const list = () => {
    if (tab === "controls") return settings();
    return tab === "calls" ? calls.render() : requestLists(shown.requests);
  };
  const isNone = { calls: shown.calls.length === 0, requests: countActing(shown.requests) === 0, controls: false }[tab];
  return html`<section id="${tab}-panel" role="tabpanel" ?hidden=${tab !== chosen}>
    <p class="soft none" id="${tab}-none" ?hidden=${!shown.view || !isNone}>
      ${t(tab === "calls" ? "noCalls" : "noRequests")}
    </p>
    ${cache(tab === chosen ? list() : nothing)}
  </section>`;
}

const tell = () => tellSight(stage.isInSight);
drawWith(() => {
  render(page(), document.body);
  stage.reveal();
  tell();
});
for (const event of ["scroll", "resize"]) addEventListener(event, tell, { passive: true });
redraw();
setInterval(redraw, REDRAW_MS);

follow(
  (view, isNew) => {
    shown.update(view, isNew);
    stage.show(shown.calls, view.settings.answers === "ask");
    if (toAnswer) stage.answer(toAnswer);
    toAnswer = null;
    status = { className: "good", text: t("live") };
    redraw();
  },
  () => {
    status = { className: "bad", text: t("noAnswer") };
    redraw();
  },
).catch((error: unknown) => {
  const text = error instanceof NoPermission ? t("noPermission") : String(error);
  drawWith(() => render(html`<p class="bad">${text}</p>`, document.body));
  redraw();
});
