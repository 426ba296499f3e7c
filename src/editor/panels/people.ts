import { translate } from "../texts";
import { menu, textBox } from "./controls";
import { rowsOf, withChanges } from "./list-rows";

/** Makes the list of the people that an escalation calls. */
export const peopleList = rowsOf(showPerson, "people.add", true);

function showPerson(item: JQuery, given: unknown): () => unknown {
  const person = Object(given) as Readonly<Record<string, unknown>>;
  const line = $("<div>", { class: "telephony-line telephony-person" }).appendTo(item);
  const number = textBox(translate("number.external"), person["number"]).appendTo(line);
  const name = textBox(translate("exception.name"), person["name"]).appendTo(line);
  const kinds = (["external", "internal"] as const).map((kind) => [kind, translate(`choice.toKind.${kind}`)] as const);
  const type = menu(translate("label.toKind"), kinds, String(person["type"] || "external")).appendTo(line);
  if (given === undefined) number.trigger("focus");
  return () => withChanges(person, { number: number.val(), name: name.val(), type: type.val() }, { type: "external" });
}
