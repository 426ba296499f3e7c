import { prepareList } from "../inputs/list-input";
import { phoneList } from "../panels/phone-list";
import { followPreview, showLine } from "../panels/server/preview";

/** Prepares the lists of a tenant's guard, and shows whether a number that the user types would be called. */
export function prepareGuard(node: EditorNode): void {
  for (const property of ["allow", "block"]) prepareList(node, property, phoneList);
  const [number, verdict] = [$("#telephony-tryNumber"), $("#telephony-tried")];
  followPreview(node, {
    what: "guard",
    area: verdict,
    more() {
      const typed = String(number.val()).trim();
      return typed === "" ? undefined : { number: typed };
    },
    show: ({ lines }) => showLine(verdict, lines[0]),
  });
}
