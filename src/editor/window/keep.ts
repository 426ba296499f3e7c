import type { FlowTest, TestsAnswer } from "../../workshop/admin/rehearsal/rehearsal-routes";
import type { RehearsalState } from "../../workshop/admin/rehearsal/rehearsals";
import { askFirst, button, textBox } from "../panels/controls";
import { ask, showResult } from "../panels/server/ask";
import { labelIn } from "../panels/server/instances";
import { translate } from "../texts";
import { expectedText } from "./expectation";
import { ADDRESS } from "./request";

type Made = NonNullable<RehearsalState["made"]>;

/** Makes a test of a rehearsal: what came of it, with ticks. */
export class KeepAsTest {
  readonly #button: JQuery;
  readonly #form: JQuery;
  readonly #state: JQuery;
  #made: Made | undefined;

  constructor(
    area: JQuery,
    private readonly kept: (name: string) => void,
  ) {
    this.#button = button(translate("rehearse.keep"), () => this.#toggle()).attr("aria-expanded", "false");
    this.#form = $("<form>", { class: "telephony-keep" }).hide();
    this.#state = $("<p>", { role: "status" });
    $("<div>").append(this.#button.hide(), this.#form, this.#state).appendTo(area);
  }

  /** @param made of the rehearsal that is shown, if there is one */
  offer(made: Made | undefined): void {
    this.#made = made;
    this.#state.empty();
    this.#fold(false);
    this.#button.toggle(made !== undefined);
  }

  #fold(isOpen: boolean): void {
    this.#form.toggle(isOpen);
    this.#button.attr("aria-expanded", String(isOpen));
  }

  #toggle(): void {
    const isOpen = this.#button.attr("aria-expanded") !== "true";
    this.#fold(isOpen);
    this.#state.empty();
    if (!isOpen || !this.#made) return;
    const { test, masked } = this.#made;
    const hides = JSON.stringify(test) !== JSON.stringify(masked);
    const hide = $("<input>", { type: "checkbox" }).prop("checked", true);
    const name = textBox(translate("label.name"), proposedName(test));
    const list = $("<fieldset>").append($("<legend>", { text: translate("rehearse.keepHint") }));
    const drawn = () => {
      const shown = hide.prop("checked") ? masked : test;
      list.children("label").each((index, label) => {
        const entry = shown.then[index];
        if (entry) $(label).children("span").text(expectedText(entry));
      });
      return shown;
    };
    const boxes = test.then.map(() => $("<input>", { type: "checkbox" }).prop("checked", true));
    for (const box of boxes) list.append($("<label>").append(box, $("<span>")));
    drawn();
    hide.on("change", drawn);
    const asked = $("<div>", { role: "group" });
    const save = button(translate("rehearse.save"), () => {})
      .attr("type", "submit")
      .addClass("primary");
    this.#form.empty().off("submit");
    this.#form.append(
      $("<label>", { class: "telephony-field" }).append($("<span>", { text: translate("label.name") }), name),
      list,
    );
    if (hides) this.#form.append($("<label>").append(hide, $("<span>", { text: translate("rehearse.hideNumbers") })));
    this.#form.append($("<div>", { class: "telephony-line" }).append(save), asked).on("submit", (event) => {
      event.preventDefault();
      const shown = drawn();
      const then = shown.then.filter((_, index) => boxes[index]?.prop("checked"));
      void this.#save({ ...shown, name: String(name.val()).trim(), then }, asked);
    });
    save.trigger("focus");
  }

  async #save(test: FlowTest, asked: JQuery): Promise<void> {
    try {
      const { tests, problem: unreadable } = await ask<TestsAnswer>(this.#state, `${ADDRESS}/tests`);
      // Saving would replace them all.
      if (unreadable) throw unreadable;
      const write = async () => {
        const others = tests.filter(({ name }) => name !== test.name);
        const { file, problem } = await ask<TestsAnswer>(this.#state, `${ADDRESS}/tests`, { tests: [...others, test] });
        if (problem) throw problem;
        this.#fold(false);
        showResult(this.#state, "fine", translate("rehearse.kept", { file }));
        this.#button.trigger("focus");
        this.kept(test.name);
      };
      if (!tests.some(({ name }) => name === test.name)) return await write();
      const answers = [translate("rehearse.keepOld"), translate("rehearse.replace")] as const;
      const refuse = (reason: unknown) => showResult(this.#state, "wrong", String(reason));
      askFirst(
        asked,
        translate("rehearse.sureReplace", { name: test.name }),
        answers,
        () => void write().catch(refuse),
      );
    } catch (reason) {
      showResult(this.#state, "wrong", String(reason));
    }
  }
}

function proposedName({ when: [first] = [] }: FlowTest): string {
  if (!first) return translate("rehearse.title");
  if ("inject" in first) return translate("rehearse.press", { node: labelIn(first.inject, first.inject) });
  return "post" in first ? `${first.method ?? "POST"} ${first.post}` : "get" in first ? `GET ${first.get}` : first.node;
}
