import type { SandboxView } from "../../inspect/view";
import { button, fill, make } from "../make";
import { language, t } from "../words";
import { input, labelled, Panel } from "./panel";
import { instantAt, wallAt, zone } from "./zone";

const DAY_MS = 86_400_000;

/** The sandbox's clock, which gates, triggers and calling hours of its tenant follow. */
export class Clock extends Panel {
  readonly #now = make("p", "now");
  readonly #about = make("p", "soft");
  readonly #at = input("datetime-local");
  readonly #speed = input("number");
  readonly #format = new Intl.DateTimeFormat(language, {
    timeZone: zone,
    weekday: "long",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
  readonly #short = new Intl.DateTimeFormat(language, {
    timeZone: zone,
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
  });
  #current = () => Date.now();
  #isPretending = false;

  constructor() {
    super("clock", ["clock", { at: "2026-11-22T23:00:00+07:00", speed: 60 }]);
    this.#now.setAttribute("role", "timer");
    this.#speed.min = "1";
    this.#speed.max = "3600";
    this.#speed.value = "1";
    const set = (text: string, press: () => void) => button("", text, press);
    this.body.append(
      this.#now,
      this.#about,
      make(
        "div",
        "buttons",
        set(t("sundayNight"), () => this.#jump(0, 23 * 60)),
        set(t("mondayMorning"), () => this.#jump(1, 7 * 60 + 59)),
        set(t("minuteASecond"), () => void this.send("clock", { speed: 60 })),
        set(t("realTime"), () => void this.send("clock", { real: true })),
      ),
      labelled(t("clockAt"), this.#at),
      labelled(t("clockSpeed"), this.#speed, t("clockSpeedHint")),
      make(
        "div",
        "buttons",
        set(t("setClock"), () => this.#set()),
      ),
    );
    setInterval(() => this.#tick(), 1000);
  }

  show({ clock }: SandboxView, current: () => number): void {
    this.#current = current;
    this.#isPretending = clock.isPretending;
    const about = clock.isPretending ? t("pretended", { speed: clock.speed }) : t("isRealTime");
    this.#about.textContent = `${about} ${t("inZone", { zone })}`;
    if (!this.#at.value) fill(this.#at, new Date(wallAt(current())).toISOString().slice(0, 16));
    this.#tick();
  }

  #tick(): void {
    this.#now.textContent = this.#format.format(this.#current());
    this.value = this.#isPretending ? this.#short.format(this.#current()) : t("realTime");
  }

  /** The next time that it is this minute of this weekday, 0 for Sunday. */
  #jump(weekday: number, minute: number): void {
    const wall = wallAt(this.#current());
    const midnight = Math.floor(wall / DAY_MS) * DAY_MS;
    const days = (weekday - new Date(midnight).getUTCDay() + 7) % 7;
    const target = midnight + days * DAY_MS + minute * 60_000;
    this.#pretend(target < wall ? target + 7 * DAY_MS : target, 1);
  }

  #set(): void {
    this.#pretend(Date.parse(`${this.#at.value}Z`), Number(this.#speed.value));
  }

  #pretend(wall: number, speed: number): void {
    if (!Number.isNaN(wall)) void this.send("clock", { at: new Date(instantAt(wall)).toISOString(), speed });
  }
}
