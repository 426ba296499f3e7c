import type { SandboxView } from "../../inspect/view";
import type { Schedule } from "../../service/schedules";
import { make } from "../make";
import { language, t } from "../words";
import { byDay, DAY, isOpenAt, spansOf } from "./open-hours";
import { wallAt } from "./zone";

const MINUTE_MS = 60_000;
/** A Monday. */
const MONDAY_MS = Date.UTC(2024, 0, 1);
const weekday = new Intl.DateTimeFormat(language, { weekday: "short", timeZone: "UTC" });
const EVERY_MS = 1000;

/** The schedules as pictures of their weeks, with what they mean now on the sandbox's clock. */
export class Schedules {
  readonly element = make("details", "panel", make("summary", "", t("schedules")));
  readonly #list = make("div", "body");
  #drawn = "";
  #schedules: readonly Schedule[] = [];
  #count = 0;
  #current = () => Date.now();

  constructor() {
    this.element.append(this.#list);
    this.element.addEventListener("toggle", () => this.#draw());
    setInterval(() => this.#draw(), EVERY_MS);
  }

  show({ schedules, counts }: SandboxView, current: () => number): void {
    this.#schedules = schedules;
    this.#count = counts.schedules;
    this.#current = current;
    this.#draw();
  }

  #draw(): void {
    if (!this.element.open) return;
    const minute = Math.floor((wallAt(this.#current()) - MONDAY_MS) / MINUTE_MS) % (7 * DAY);
    // The hand moves every six minutes: by less than a pixel otherwise.
    const seen = JSON.stringify([this.#schedules.map((one) => [one, isOpen(one, minute)]), Math.floor(minute / 6)]);
    if (seen === this.#drawn) return;
    this.#drawn = seen;
    const more = this.#count - this.#schedules.length;
    this.#list.replaceChildren(
      ...this.#schedules.map((schedule) => week(schedule, minute)),
      ...(this.#count === 0 ? [make("p", "soft", t("noSchedules"))] : []),
      ...(more > 0 ? [make("p", "soft", t("moreSchedules", { count: more }))] : []),
    );
  }
}

function isOpen({ enable, days }: Schedule, minute: number): boolean {
  return enable === 1 && isOpenAt(spansOf(days), minute);
}

function week(schedule: Schedule, minute: number): HTMLElement {
  const open = isOpen(schedule, minute);
  const state = schedule.enable !== 1 ? "switchedOff" : open ? "openNow" : "closedNow";
  const today = Math.floor(minute / DAY);
  const rows = byDay(spansOf(schedule.days)).map((spans, day) => {
    const bar = make("div", "bar", ...spans.map(({ start, end }) => block("open", start, end - start)));
    if (day === today) bar.append(block("hand", minute % DAY, 0));
    bar.title = spans.map(({ start, end }) => `${clockTime(start)}–${clockTime(end)}`).join(", ");
    bar.setAttribute("role", "img");
    bar.setAttribute("aria-label", bar.title || t("closedAllDay"));
    const name = make("span", day === today ? "today" : "soft", weekday.format(MONDAY_MS + day * DAY * MINUTE_MS));
    return make("div", "day", name, bar);
  });
  const head = make("p", "", make("strong", "", schedule.name), " ", make("span", open ? "good" : "soft", t(state)));
  return make("div", schedule.enable === 1 ? "week" : "week off", head, ...rows);
}

function block(className: string, start: number, length: number): HTMLElement {
  const element = make("span", className);
  element.style.left = `${(start / DAY) * 100}%`;
  if (length > 0) element.style.width = `${(length / DAY) * 100}%`;
  return element;
}

function clockTime(minute: number): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, "0");
  return `${two(minute / 60)}:${two(minute % 60)}`;
}
