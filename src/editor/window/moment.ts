import { menu } from "../panels/controls";
import { translate } from "../texts";

type Kind = "now" | "asIf" | "again";

const MS_A_DAY = 86_400_000;
/** A Monday, whose week names the days. */
const MONDAY = Date.UTC(2026, 0, 5);
const UNITS = ["m", "h", "d"] as const;
const MOST_DAYS = 366;

/** The time at which things come in: now, as if it were another day and time, or every so often over some days. */
export class Moment {
  readonly #kind: JQuery;
  readonly #day: JQuery;
  readonly #time: JQuery;
  readonly #every: JQuery;
  readonly #unit: JQuery;
  readonly #days: JQuery;
  readonly #parts: readonly (readonly [Kind, JQuery])[];

  constructor(area: JQuery) {
    const kinds = [
      ["now", translate("rehearse.now")],
      ["asIf", translate("rehearse.asIf")],
      ["again", translate("rehearse.again")],
    ] as const;
    this.#kind = menu(translate("rehearse.when"), kinds, "now").on("change", () => this.#update());
    const days = Array.from({ length: 7 }, (_, day) => [String(day), dayName(day)] as const);
    this.#day = menu(translate("rehearse.day"), days, "0");
    this.#time = $("<input>", { type: "time", "aria-label": translate("rehearse.time"), val: "10:00" });
    const units = UNITS.map((unit) => [unit, translate(`rehearse.unit.${unit}`)] as const);
    this.#every = number(translate("rehearse.again"), 1);
    this.#unit = menu(translate("rehearse.unitOfTime"), units, "h");
    this.#days = number(translate("rehearse.days"), 1);
    const over = $("<label>").append($("<span>", { text: translate("rehearse.over") }), this.#days);
    over.append($("<span>", { text: translate("rehearse.days") }));
    this.#parts = [
      ["asIf", this.#day.add(this.#time)],
      ["again", this.#every.add(this.#unit)],
    ];
    const line = $("<div>", { class: "telephony-line" }).appendTo(area);
    line.append(
      $("<b>", { text: translate("rehearse.when") }),
      this.#kind,
      ...this.#parts.map(([, part]) => part),
      over,
    );
    this.#update();
  }

  /** @param day from Monday, 0 */
  choose(day: number, time: string): void {
    this.#kind.val("asIf" satisfies Kind);
    this.#day.val(String(day));
    this.#time.val(time);
    this.#update();
  }

  /** The time that is rehearsed, in the zone of the first tenant; and how often things come in. */
  chosen(): { readonly from?: string; readonly days: number; readonly every?: string } {
    const kind = this.#kind.val() as Kind;
    const days = whole(this.#days);
    if (kind === "again") return { days, every: `${whole(this.#every)}${String(this.#unit.val())}` };
    if (kind === "now") return { days };
    return { from: `${nextDate(Number(this.#day.val()))}T${String(this.#time.val()) || "00:00"}`, days };
  }

  #update(): void {
    for (const [kind, part] of this.#parts) part.toggle(kind === this.#kind.val());
  }
}

function number(label: string, val: number): JQuery {
  return $("<input>", { type: "number", "aria-label": label, min: 1, max: MOST_DAYS, val });
}

function whole(input: JQuery): number {
  return Math.min(MOST_DAYS, Math.max(1, Math.round(Number(input.val())) || 1));
}

/** The name of a day of the week, from Monday, 0. */
export function dayName(day: number): string {
  const format = { weekday: "long", timeZone: "UTC" } as const;
  return new Date(MONDAY + day * MS_A_DAY).toLocaleDateString(translate("language"), format);
}

/** The date of the next such day that is not today. */
function nextDate(day: number): string {
  const now = new Date();
  const today = (now.getDay() + 6) % 7;
  const ahead = ((day - today + 6) % 7) + 1;
  const date = new Date(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate() + ahead));
  return date.toISOString().slice(0, 10);
}
