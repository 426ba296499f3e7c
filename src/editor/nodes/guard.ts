import type { Ruling } from "../../workshop/admin/guard-preview";
import type { RefusalAnswer } from "../../workshop/admin/refused";
import { configInput } from "../inputs/input";
import { listReader, prepareList } from "../inputs/list-input";
import { phoneList } from "../panels/phone-list";
import { afterPause, ask, reasonOf } from "../panels/server/ask";
import { moment } from "../panels/server/gate-preview";
import { translate } from "../texts";

const LISTS = ["allow", "block"];

/** Prepares the lists of a tenant's guard, and shows whether a number that the user types would be called. */
export function prepareGuard(node: EditorNode): void {
  for (const property of LISTS) prepareList(node, property, phoneList);
  const [number, verdict] = [$("#telephony-tryNumber"), $("#telephony-tried")];
  const later = afterPause();
  number.closest("details").on("change input", () => later(update));

  function update(): void {
    const typed = String(number.val()).trim();
    verdict.removeData("request").text("");
    // Closing a dialog triggers changes while its elements are removed.
    if (typed === "" || !verdict[0]?.isConnected) return;
    const config: Record<string, unknown> = {};
    for (const property of ["country", "perNumber"]) config[property] = configInput(property).val();
    for (const property of LISTS) {
      config[property] = listReader(property)?.();
      config[`${property}Type`] = configInput(`${property}Type`).val();
    }
    ask<Ruling | RefusalAnswer>(verdict, "telephony/guard", { id: node.id, number: typed, config }).then(
      (answer) => say(answer.ok ? sentence(answer) : reasonOf(node, answer), !answer.ok),
      (reason: string) => say(reason, true),
    );
  }

  function say(text: string, isProblem: boolean): void {
    verdict.text(text).toggleClass("telephony-problem", isProblem);
  }
}

function sentence({ kind, retryAfterMs = 0, until = "" }: Ruling): string {
  return translate(`guard.${kind}`, {
    ...(kind === "perNumber" && { time: duration(retryAfterMs) }),
    ...(kind === "waits" && { at: moment(until) }),
  });
}

/** In hours, or in minutes if they are few. */
function duration(ms: number): string {
  const minutes = Math.ceil(ms / 60_000);
  const [count, unit] = minutes < 120 ? [minutes, "minute"] : [Math.ceil(minutes / 60), "hour"];
  return count.toLocaleString(translate("language"), { style: "unit", unit });
}
