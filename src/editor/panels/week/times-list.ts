import { opening, readTime } from "../../../hours";
import { refusal } from "../../../hours/value-error";
import { translate } from "../../texts";
import { iconButton } from "../controls";
import { timeProblems, typedTime } from "./typed-time";
import { clock, type Times } from "./week";

/**
 * Makes the inputs of some openings of one day or exception. They are read as they are typed, and each change is an event.
 * @param whose the day, for screen readers
 * @param none the text for no openings
 */
export function timesList(box: JQuery, whose: string, none: string) {
  box.addClass("telephony-line");
  const nothing = $("<span>", { class: "telephony-none", text: none }).appendTo(box);
  const add = iconButton("fa-plus", translate("week.add", { day: whose }), () => {
    const pair = show(following(read().at(-1)));
    box.trigger("change");
    pair.find("input").first().trigger("focus").trigger("select");
  }).appendTo(box);
  return { read, write };

  function read(): Times[] {
    const pairs = box.children(".telephony-pair").toArray();
    return pairs.map((pair) => {
      const inputs = $(pair).find("input").toArray();
      const [open = "", close = ""] = inputs.map(({ value }) => typedTime(value));
      return { open, close };
    });
  }

  function write(openings: readonly Times[]): void {
    box.children(".telephony-pair").remove();
    openings.forEach(show);
    nothing.toggle(openings.length === 0);
  }

  function show(times: Times): JQuery {
    const pair = $("<span>", { class: "telephony-pair" }).insertBefore(add);
    time(pair, "open", times.open);
    $("<span>").text("–").appendTo(pair);
    time(pair, "close", times.close);
    iconButton("fa-times", translate("week.remove", { day: whose }), () => {
      pair.remove();
      nothing.toggle(read().length === 0);
      box.trigger("change");
      add.trigger("focus");
    }).appendTo(pair);
    nothing.hide();
    return pair;
  }

  function time(pair: JQuery, half: "open" | "close", value: string): void {
    const label = translate("pattern.named", { name: whose, text: translate(`week.${half}`) });
    const input = $("<input>", { type: "text", class: "telephony-time", "aria-label": label });
    const isWrong = () => refusal(() => readTime(typedTime(String(input.val())))) !== undefined;
    const check = () => input.toggleClass("input-error", isWrong());
    input.val(value).appendTo(pair);
    input.on("input", () => input.removeClass("input-error"));
    input.on("change", () => {
      input.val(typedTime(String(input.val())));
      check();
    });
    check();
  }
}

/** A second opening begins an hour after the first one's end, as after a lunch break. */
function following(last: Times | undefined): Times {
  if (!last) return { open: "08:00", close: "17:00" };
  if (timeProblems(last).length > 0) return { open: "", close: "" };
  const begins = opening(last.open, last.close).close / 60 + 60;
  return begins < 23 * 60
    ? { open: clock(begins), close: clock(Math.max(begins + 60, 17 * 60)) }
    : { open: "", close: "" };
}
