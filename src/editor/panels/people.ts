import type { ReadList } from "../inputs/list-input";
import { translate } from "../texts";
import { rowList, withChanges } from "./list-rows";

/** Makes the list of the people that an escalation calls. */
export function peopleList(box: JQuery, value: unknown): ReadList {
  const options = { addButton: translate("people.add"), ariaLabelledBy: "telephony-people-label", sortable: true };
  return rowList(box, value, showPerson, options);
}

function showPerson(item: JQuery, given: unknown, changed: () => void): () => unknown {
  const person = Object(given) as Readonly<Record<string, unknown>>;
  const line = $("<div>", { class: "telephony-line telephony-person" }).appendTo(item);
  const text = (label: string, placeholder: string, value: unknown) =>
    $("<input>", { type: "text", "aria-label": label, placeholder, val: String(value ?? "") }).appendTo(line);
  const number = text(translate("number.external"), translate("number.external"), person["number"]);
  const name = text(translate("exception.name"), translate("exception.name"), person["name"]);
  const type = $("<select>", { "aria-label": translate("label.toKind") })
    .append(
      (["external", "internal"] as const).map((value) =>
        $("<option>", { value, text: translate(`choice.toKind.${value}`) }),
      ),
    )
    .val(String(person["type"] || "external"))
    .appendTo(line);
  line.on("input change", changed);
  if (given === undefined) number.trigger("focus");
  return () => withChanges(person, { number: number.val(), name: name.val(), type: type.val() }, { type: "external" });
}
