import { html, nothing, render, type TemplateResult } from "lit-html";
import { cache } from "lit-html/directives/cache.js";
import { assumptions } from "../service/assumptions";
import { follow, NoPermission } from "./connection";
import { CallList, type PhoneAction } from "./lists/calls";
import { countActing, requestLists } from "./lists/requests";
import { Answers } from "./panels/answers";
import { Forget } from "./panels/forget";
import { IncomingCall } from "./panels/incoming";
import { Phones } from "./panels/phones";
import { schedulesPanel } from "./panels/schedules";
import { Stage } from "./phone/stage";
import { drawWith, redraw } from "./redraw";
import { Shown } from "./shown";
import { language, t } from "./texts";

const REDRAW_MS = 1000;
const TABS = ["calls", "requests"] as const;
type Tab = (typeof TABS)[number];

const theme = new URLSearchParams(location.search).get("theme");
if (theme === "dark" || theme === "light") document.documentElement.style.colorScheme = theme;
document.documentElement.lang = language;
document.title = t("title");

const shown = new Shown();
const answers = new Answers();
const act = async (action: PhoneAction, callId: string) => (await answers.send(action, { callId })) !== undefined;
const stage = new Stage(act);
const calls = new CallList(shown, (action, callId) => void act(action, callId));
const incoming = new IncomingCall();
const phones = new Phones();
const forget = new Forget();
/** Beside the calls there is room for the controls; in a sidebar, they are one line. */
const wide = matchMedia("(min-width: 56rem)");
const narrow = matchMedia("(max-width: 30rem)");
for (const width of [wide, narrow]) width.addEventListener("change", redraw);
let status: { readonly className: string; readonly text: string } = { className: "soft", text: "…" };
let chosen: Tab = "calls";
let toAnswer = new URLSearchParams(location.hash.slice(1)).get("answer");

function page(): TemplateResult {
  return html`
    <a class="skip" href="#calls-tab">${t("skip")}</a>
    <header>
      <h1>${t("title")}</h1>
      <p id="status" class=${status.className} role="status">${status.text}</p>
      <p class="soft lead">${t("lead")}</p>
    </header>
    ${answers.problem()} ${stage.render()}
    <div class="columns">${aside()}<main>${tabs()} ${TABS.map(panel)}</main></div>
    <footer>${assumptionsPanel()}</footer>`;
}

function aside(): TemplateResult | typeof nothing {
  const { view } = shown;
  if (!view) return nothing;
  const panels = html`${schedulesPanel(view, wide.matches)} ${incoming.render(view.settings)}
    ${phones.render(view.settings)} ${forget.render()}`;
  return html`<aside aria-label=${t("controls")}>
    ${answers.render(view.settings)}
    ${narrow.matches ? html`<details class="controls"><summary>${t("controls")}</summary>${panels}</details>` : panels}
  </aside>`;
}

function assumptionsPanel(): TemplateResult {
  return html`<details class="panel" @toggle=${redraw}>
    <summary>${t("assumptions")}</summary>
    <div class="body">
      <p>${t("assumptionsLead")}</p>
      <ul class="soft">${assumptions.map((key) => html`<li>${t(key)}</li>`)}</ul>
    </div>
  </details>`;
}

function tabs(): TemplateResult {
  const counts = { calls: shown.view?.counts.calls ?? 0, requests: countActing(shown.requests) };
  const choose = (tab: Tab) => {
    chosen = tab;
    redraw();
  };
  const arrow = ({ key }: KeyboardEvent) => {
    if (key !== "ArrowLeft" && key !== "ArrowRight") return;
    choose(chosen === "calls" ? "requests" : "calls");
    document.getElementById(`${chosen}-tab`)?.focus();
  };
  return html`<div class="tabs" role="tablist" @keydown=${arrow}>
    ${TABS.map(
      (tab) => html`<button class="tab" role="tab" id="${tab}-tab" aria-controls="${tab}-panel"
        aria-selected=${tab === chosen} tabindex=${tab === chosen ? 0 : -1} @click=${() => choose(tab)}>
        ${t(tab)} <span class="soft">${counts[tab].toLocaleString(language)}</span>
      </button>`,
    )}
  </div>`;
}

function panel(tab: Tab): TemplateResult {
  const list = () => (tab === "calls" ? calls.render() : requestLists(shown.requests));
  const counts = { calls: shown.calls.length, requests: countActing(shown.requests) };
  return html`<section id="${tab}-panel" role="tabpanel" ?hidden=${tab !== chosen}>
    <p class="soft none" id="${tab}-none" ?hidden=${!shown.view || counts[tab] > 0}>
      ${t(tab === "calls" ? "noCalls" : "noRequests")}
    </p>
    ${cache(tab === chosen ? list() : nothing)}
  </section>`;
}

drawWith(() => {
  render(page(), document.body);
  stage.reveal();
});
redraw();
setInterval(redraw, REDRAW_MS);

follow(
  (view, isNew) => {
    shown.update(view, isNew);
    for (const each of [answers, phones, incoming]) each.update();
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
