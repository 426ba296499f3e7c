import { html, type TemplateResult } from "lit-html";
import type { SandboxView } from "../../inspect/view";
import { language, t } from "../texts";
import { Panel } from "./panel";
import { instantAt, wallAt, zone } from "./zone";

const DAY_MS = 86_400_000;
const twoDigits = { timeZone: zone, hour: "2-digit", minute: "2-digit" } as const;
const long = new Intl.DateTimeFormat(language, { ...twoDigits, weekday: "long", second: "2-digit" });
const short = new Intl.DateTimeFormat(language, { ...twoDigits, weekday: "short" });

/** The sandbox's clock, which gates, triggers and calling hours of its tenant follow. */
export class Clock extends Panel {
  /** The time that the field shows at first. */
  #suggested: string | undefined;

  constructor() {
    super("clock", ["clock", { at: "2026-11-22T23:00:00+07:00", speed: 60 }]);
  }

  /** @param now epoch milliseconds on the sandbox's clock */
  render({ isPretending, speed }: SandboxView["clock"], now: number, isOpen: boolean): TemplateResult {
    this.#suggested ??= new Date(wallAt(now)).toISOString().slice(0, 16);
    const suggested = this.#suggested;
    const set = () => this.#pretend(Date.parse(`${this.textOf("at", suggested)}Z`), Number(this.textOf("speed", "1")));
    return this.frame(
      html`
        <p class="now" role="timer">${long.format(now)}</p>
        <p class="soft">${isPretending ? t("pretended", { speed }) : t("isRealTime")} ${t("inZone", { zone })}</p>
        <p class="soft">${t("ownHours")}</p>
        <div class="buttons">
          <button @click=${() => this.#jump(now, 0, 23 * 60)}>${t("sundayNight")}</button>
          <button @click=${() => this.#jump(now, 1, 7 * 60 + 59)}>${t("mondayMorning")}</button>
          <button @click=${() => this.send("clock", { speed: 60 })}>${t("minuteASecond")}</button>
          <button @click=${() => this.send("clock", { real: true })}>${t("realTime")}</button>
        </div>
        ${this.field("at", suggested, { label: "clockAt", type: "datetime-local" })}
        ${this.field("speed", "1", { label: "clockSpeed", hint: "clockSpeedHint", type: "number", min: 1, max: 3600 })}
        <div class="buttons"><button @click=${set}>${t("setClock")}</button></div>`,
      isPretending ? short.format(now) : t("realTime"),
      isOpen,
    );
  }

  /** Sets the clock to the next time that it is this minute of this weekday, 0 for Sunday. */
  #jump(now: number, weekday: number, minute: number): void {
    const wall = wallAt(now);
    const midnight = Math.floor(wall / DAY_MS) * DAY_MS;
    const days = (weekday - new Date(midnight).getUTCDay() + 7) % 7;
    const target = midnight + days * DAY_MS + minute * 60_000;
    this.#pretend(target < wall ? target + 7 * DAY_MS : target, 1);
  }

  #pretend(wall: number, speed: number): void {
    if (!Number.isNaN(wall)) void this.send("clock", { at: new Date(instantAt(wall)).toISOString(), speed });
  }
}
