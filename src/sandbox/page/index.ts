import { follow, NoPermission, press } from "./connection";
import { type CardState, callCard } from "./lists/call-card";
import { requestRow } from "./lists/request-row";
import { WindowedList } from "./lists/windowed";
import { button, make } from "./make";
import { Answers } from "./panels/answers";
import { Clock } from "./panels/clock";
import { Faults } from "./panels/faults";
import { Forget } from "./panels/forget";
import { IncomingCall } from "./panels/incoming";
import { Schedules } from "./panels/schedules";
import { Speaker } from "./phone/speaker";
import { Stage } from "./phone/stage";
import { Shown } from "./shown";
import { language, t } from "./words";

/*
 * The script of the sandbox's page. Whatever it shows, it asks for below its own address (connection.ts).
 */

const theme = new URLSearchParams(location.search).get("theme");
if (theme === "dark" || theme === "light") document.documentElement.style.colorScheme = theme;
document.documentElement.lang = language;
document.title = t("title");

const shown = new Shown();
const status = make("p", "soft", "…");
status.id = "status";
status.setAttribute("role", "status");
const problem = make("p", "bad");
problem.setAttribute("role", "alert");

async function send(name: string, body: object): Promise<boolean> {
  try {
    await press(name, body);
    problem.textContent = "";
    return true;
  } catch (error) {
    problem.textContent = error instanceof Error ? error.message : String(error);
    return false;
  }
}

const stage = new Stage({ press: (name, callId) => send(name, { callId }) });
const answers = new Answers(send);
const clock = new Clock();
const faults = new Faults();
const incoming = new IncomingCall();
const schedules = new Schedules();

const calls = list("calls");
const requests = list("requests");
const readings = list("readings");
const readingsFold = make("details", "panel", make("summary", "", t("readings")), readings.element);
readingsFold.addEventListener("toggle", () => showRequests());

const tabs = (["calls", "requests"] as const).map((name) => {
  const tab = button("tab", t(name), () => choose(name));
  tab.setAttribute("role", "tab");
  tab.setAttribute("aria-controls", `${name}-panel`);
  tab.addEventListener("keydown", ({ key }) => {
    if (key === "ArrowLeft" || key === "ArrowRight") choose(name === "calls" ? "requests" : "calls", true);
  });
  return { name, tab };
});
const panels = {
  calls: panel("calls", calls.element),
  requests: panel("requests", readingsFold, requests.element),
};

function list(name: string): WindowedList {
  const element = make("div", "list");
  element.id = name;
  return new WindowedList(element);
}

function panel(name: string, ...content: HTMLElement[]): HTMLElement {
  const none = make("p", "soft none");
  none.id = `${name}-none`;
  const section = make("section", "", none, ...content);
  section.id = `${name}-panel`;
  section.setAttribute("role", "tabpanel");
  return section;
}

function choose(chosen: "calls" | "requests", focus = false): void {
  for (const { name, tab } of tabs) {
    tab.setAttribute("aria-selected", String(name === chosen));
    tab.tabIndex = name === chosen ? 0 : -1;
    panels[name].hidden = name !== chosen;
    if (focus && name === chosen) tab.focus();
  }
  if (shown.isThere) showLists();
}

const openCards = new Set<string>();
let listening: { readonly callId: string; readonly speaker: Speaker } | undefined;

function stopListening(): void {
  listening?.speaker.stop();
  listening = undefined;
  showLists();
}

function cardOf(callId: string): CardState {
  return {
    isOpen: openCards.has(callId),
    speaker: listening?.callId === callId ? listening.speaker : undefined,
    toggle: () => {
      if (!openCards.delete(callId)) openCards.add(callId);
      showLists();
    },
    listen: () => {
      listening?.speaker.stop();
      const spoken = shown.calls.find((call) => call.callId === callId)?.phone?.spoken ?? [];
      listening = { callId, speaker: new Speaker(spoken, stopListening) };
      openCards.add(callId);
      showLists();
    },
    stopListening,
    press: (name) => void send(name, { callId }),
  };
}

function showLists(): void {
  const all = shown.calls;
  calls.show(
    all.map((call) => {
      const { callId } = call;
      const version = `${shown.version(callId)} ${openCards.has(callId)} ${listening?.callId === callId}`;
      return { key: callId, version, draw: () => callCard(call, shown.behind(callId), cardOf(callId)) };
    }),
  );
  const { counts } = shown.view;
  label("calls", counts.calls, all.length === 0 ? t("noCalls") : moreThan(all.length, counts.calls));
  showRequests();
}

function showRequests(): void {
  const rowOf = (request: (typeof shown.requests)[number]) => {
    const key = String(request.number);
    return { key, version: key, draw: () => requestRow(request) };
  };
  const isReading = ({ method }: (typeof shown.requests)[number]) => method === "GET";
  const acting = shown.requests.filter((request) => !isReading(request));
  const reading = shown.requests.filter(isReading);
  requests.show(acting.map(rowOf));
  readings.show(readingsFold.open ? reading.map(rowOf) : []);
  readingsFold.hidden = reading.length === 0;
  const summary = readingsFold.querySelector("summary");
  if (summary) summary.dataset["value"] = String(reading.length);
  label("requests", acting.length, acting.length === 0 ? t("noRequests") : "");
}

function moreThan(count: number, all: number): string {
  return count < all ? t("newestOf", { count, all }) : "";
}

function label(name: "calls" | "requests", count: number, note: string): void {
  const tab = tabs.find((each) => each.name === name)?.tab;
  tab?.replaceChildren(t(name), make("span", "soft", ` ${count.toLocaleString(language)}`));
  const none = document.getElementById(`${name}-none`);
  if (!none) return;
  none.textContent = note;
  none.hidden = note === "";
}

const tabList = make("div", "tabs", ...tabs.map(({ tab }) => tab));
tabList.setAttribute("role", "tablist");
const isWide = matchMedia("(min-width: 56rem)").matches;
schedules.element.open = isWide;
clock.element.open = isWide;
document.body.append(
  make("header", "", make("h1", "", t("title")), status),
  make("p", "soft lead", t("lead")),
  problem,
  stage.element,
  make(
    "div",
    "columns",
    make(
      "aside",
      "",
      answers.element,
      schedules.element,
      clock.element,
      incoming.element,
      faults.element,
      new Forget().element,
    ),
    make("main", "", tabList, panels.calls, panels.requests),
  ),
);
choose("calls");

follow(
  (view, isNew) => {
    shown.take(view, isNew);
    const now = () => shown.now;
    status.textContent = t("live");
    status.className = "good";
    stage.show(shown.calls, view.settings.answers === "ask");
    answers.show(view.settings);
    faults.show(view.settings);
    incoming.show(view.settings);
    clock.show(view, now);
    schedules.show(view, now);
    showLists();
  },
  () => {
    status.textContent = t("noAnswer");
    status.className = "bad";
  },
).catch((error: unknown) => {
  document.body.replaceChildren(make("p", "bad", error instanceof NoPermission ? t("noPermission") : String(error)));
});
