import { readDate } from "../../../hours";
import { translate } from "../../texts";
import { refusalUnder } from "../../validate/problem";
import { reasonLine } from "../../validate/reasons";
import { textBox } from "../controls";
import { rowsOf } from "../list-rows";
import { timesList } from "./times-list";
import { timeProblems } from "./typed-time";
import { textOf } from "./week";

type Row = Readonly<Record<string, unknown>>;

/** The properties that the row shows. Others are kept. */
const SHOWN = ["date", "from", "to", "hours", "name"];

/** Makes the list of exceptions of a gate or a tenant: holidays and other days that differ from the weekly hours. */
export const exceptionList = rowsOf(showException, "exception.add");

/**
 * Shows an exception: a date or a range, of one year or of every year, and what is open then.
 * @param given the exception of the flow file, `undefined` for a new one
 * @returns a function that reads the exception from the dialog
 */
function showException(item: JQuery, given: unknown): () => unknown {
  const row = Object(given) as Row;
  item.addClass("telephony-list-row");
  const days = $("<div>", { class: "telephony-line" }).appendTo(item);
  const from = date(days, "from", row["date"] ?? row["from"]);
  $("<span>").text("–").appendTo(days);
  const to = date(days, "to", row["to"]);
  const yearly = $("<input>", { type: "checkbox", prop: { checked: isYearly(from.val()) || isYearly(to.val()) } });
  $("<label>", { class: "telephony-check" })
    .append(yearly, $("<span>", { text: translate("exception.yearly") }))
    .appendTo(days);
  const explain = reasonLine(item);
  const second = $("<div>", { class: "telephony-line" }).appendTo(item);
  const name = textBox(translate("exception.name"), row["name"], { class: "telephony-grow" }).appendTo(second);
  const times = timesList($("<div>").appendTo(second), translate("exception.hours"), translate("exception.closed"));
  const hours = Array.isArray(row["hours"]) ? row["hours"] : [];
  times.write(hours.map((entry) => ({ open: textOf(entry?.open), close: textOf(entry?.close) })));

  yearly.on("change", () => shape(otherForm));
  shape();
  item.on("change input", check);
  if (given === undefined) from.trigger("focus");
  return read;

  function date(line: JQuery, half: "from" | "to", value: unknown): JQuery {
    const label = translate(`exception.${half}`);
    const attributes = { class: "telephony-date", "aria-label": label, title: label };
    return $("<input>", { ...attributes, val: String(value ?? "") }).appendTo(line);
  }

  /** A date of one year is picked in the browser's calendar. One of every year, or one that is not valid, is typed. */
  function shape(form: typeof otherForm = (value) => value): void {
    const everyYear = Boolean(yearly.prop("checked"));
    for (const input of [from, to]) {
      const value = form(String(input.val()), everyYear);
      const typed = everyYear || !/^(\d{4}-\d\d-\d\d)?$/.test(value);
      input.attr({
        type: typed ? "text" : "date",
        placeholder: translate("placeholder.example", { value: everyYear ? "12-25" : "2030-12-25" }),
      });
      input.val(value);
    }
    check();
  }

  function check(): void {
    const problems = [problemOf(from), to.val() === "" ? undefined : problemOf(to)];
    from.toggleClass("input-error", problems[0] !== undefined);
    to.toggleClass("input-error", problems[1] !== undefined);
    explain([...problems, ...times.read().flatMap(timeProblems)].find((problem) => problem !== undefined));
  }

  function read(): object {
    const others = Object.entries(row).filter(([key]) => !SHOWN.includes(key));
    const [first, last, called] = [from, to, name].map((input) => String(input.val()).trim());
    const openings = times.read();
    return {
      ...Object.fromEntries(others),
      ...(last === "" ? { date: first } : { from: first, to: last }),
      ...(openings.length > 0 || row["hours"] !== undefined ? { hours: openings } : {}),
      ...(called === "" ? {} : { name: called }),
    };
  }
}

function isYearly(value: unknown): boolean {
  return /^\s*\d\d-\d\d\s*$/.test(String(value));
}

/** The same date of every year, or of this one. */
function otherForm(value: string, yearly: boolean): string {
  if (yearly) return value.replace(/^\d{4}-(\d\d-\d\d)$/, "$1");
  return isYearly(value) ? `${new Date().getFullYear()}-${value.trim()}` : value;
}

function problemOf(date: JQuery): string | undefined {
  return refusalUnder(String(date.attr("aria-label")), () => readDate(date.val(), ""));
}
