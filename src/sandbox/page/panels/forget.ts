import { button, make } from "../make";
import { type Key, t } from "../words";
import { Panel } from "./panel";

/** Clears what happened, or returns to what a new sandbox has. */
export class Forget extends Panel {
  constructor() {
    super("forget", ["clear", {}]);
    this.body.append(this.#row("clear", "clearHint"), this.#row("reset", "resetHint"));
  }

  #row(name: "clear" | "reset", hint: Key): HTMLElement {
    const row = make("div", "row");
    const ask = () => {
      const yes = button("decline", t("yes"), () => void this.send(name).then(rest), `${name} yes`);
      const cancel = button("", t("cancel"), rest, `${name} no`);
      row.replaceChildren(make("p", "", t("areYouSure")), make("div", "buttons", yes, cancel));
      cancel.focus();
    };
    const rest = () => {
      const first = button("", t(name), ask, name);
      const hadFocus = row.contains(document.activeElement);
      row.replaceChildren(first, make("p", "soft hint", t(hint)));
      if (hadFocus) first.focus();
    };
    rest();
    return row;
  }
}
