import type { ReadList } from "../../inputs/list-input";
import { shared } from "../../words";
import { rowList } from "../list-rows";
import { showException } from "./exception-row";

/** Makes the list of a gate's exceptions: holidays and other days that differ from the weekly hours. */
export function exceptionList(box: JQuery, value: unknown): ReadList {
  return rowList(box, value, showException, {
    addButton: shared("exception.add"),
    ariaLabelledBy: "telephony-exceptions-label",
  });
}
