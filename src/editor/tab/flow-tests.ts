import type { Expectation, FlowTest, TestsAnswer } from "../../workshop/admin/rehearsal-routes";
import type { RehearsalState } from "../../workshop/admin/rehearsals";
import { menu, smallButton, textBox } from "../panels/controls";
import { afterPause, ask, showResult } from "../panels/server/ask";
import { labelIn } from "../panels/server/instances";
import { translate } from "../texts";
import { deployedTenants } from "./tenants";

const ADDRESS = "telephony/rehearsal";
const POLL_MS = 1000;
const BEHAVIOURS = ["answers", "declines", "never answers"] as const;

type Results = NonNullable<RehearsalState["tests"]>;
type Editable = { -readonly [Key in keyof FlowTest]: FlowTest[Key] };

/** The tests beside the flow file: each a table of when, phones and then. They are recorded, edited, saved and run here. */
export class FlowTests {
  readonly #state: JQuery;
  readonly #list: JQuery;
  readonly #record: JQuery;
  readonly #discard: JQuery;
  readonly #run: (tests: readonly FlowTest[]) => void;
  #tests: Editable[] = [];
  #results: Results = [];
  #isRecording = false;
  readonly #later = afterPause();
  #asked = 0;
  /** Called with the tests whenever they were read or changed. */
  onRead: (tests: readonly FlowTest[]) => void = () => {};

  constructor(area: JQuery, run: (tests: readonly FlowTest[]) => void) {
    this.#run = run;
    $("<h4>", { text: translate("rehearse.tests") }).appendTo(area);
    const buttons = $("<div>", { class: "telephony-line" }).appendTo(area);
    this.#record = smallButton({ text: translate("rehearse.record") }, () => void this.#toggle());
    const runAll = smallButton({ text: translate("rehearse.runAll") }, () => this.#run(this.#tests));
    this.#discard = smallButton({ text: translate("rehearse.discard") }, () => void this.#toggle(false)).hide();
    buttons.append(this.#record, this.#discard, runAll);
    this.#state = $("<p>", { role: "status" }).appendTo(area);
    this.#list = $("<div>").appendTo(area);
  }

  get tests(): readonly FlowTest[] {
    return this.#tests;
  }

  async read(): Promise<void> {
    await this.#ask("tests");
  }

  /** Green or red, with what was expected and found. */
  show(results: Results): void {
    this.#results = results;
    this.#draw();
  }

  /** @param keeps whether the end of a recording makes a test of it */
  async #toggle(keeps = true): Promise<void> {
    const on = !this.#isRecording;
    // Numbers and names of real people would be stored.
    const hasLive = deployedTenants().some(({ mode }) => mode === "live");
    if (on && hasLive && !window.confirm(translate("rehearse.recordLive"))) return;
    const made = (await this.#ask("record", { on }))?.made;
    if (!made || !keeps) return;
    if (!made.when?.length && !made.then.some((entry) => "call" in entry))
      return showResult(this.#state, "hint", translate("rehearse.nothingRecorded"));
    this.#tests.push({ ...made });
    await this.#save();
  }

  /** Asks the server, and shows what it answers. */
  async #ask(what: "tests" | "record", body?: object): Promise<TestsAnswer | undefined> {
    const asked = ++this.#asked;
    try {
      // The end of a recording is answered once: no later question may take its place.
      const area = what === "record" ? this.#record : this.#state;
      const answer = await ask<TestsAnswer>(area, `${ADDRESS}/${what}`, body);
      // An answer to an earlier question does not know that the recording has begun or ended since.
      if (what === "record" || asked === this.#asked) this.#take(answer);
      return answer;
    } catch (reason) {
      showResult(this.#state, "wrong", String(reason));
      return undefined;
    }
  }

  #take(answer: TestsAnswer): void {
    this.#isRecording = answer.isRecording;
    this.#record.text(translate(answer.isRecording ? "rehearse.saveAsTest" : "rehearse.record"));
    this.#discard.toggle(answer.isRecording);
    if (answer.problem) showResult(this.#state, "wrong", answer.problem);
    else if (answer.isRecording)
      showResult(this.#state, "busy", translate("rehearse.recorded", { count: answer.recorded }));
    else this.#state.text(answer.tests.length > 0 ? (answer.file.split(/[\\/]/).at(-1) ?? "") : "");
    if (answer.isRecording) this.#later(() => void (this.#isRecording && this.read()), POLL_MS);
    // What is being edited stays.
    if (answer.problem) return;
    this.#tests = answer.tests.map((test) => ({ ...test }));
    this.#draw();
    this.onRead(this.#tests);
  }

  async #save(): Promise<void> {
    await this.#ask("tests", { tests: this.#tests });
  }

  #draw(): void {
    const shown = this.#list.children("[open]").toArray();
    const open = new Set(shown.map((each) => each.getAttribute("data-name")));
    this.#list.empty().append(...this.#tests.map((test, index) => this.#test(test, index, open.has(test.name))));
  }

  #test(test: Editable, index: number, isOpen: boolean): JQuery {
    const result = this.#results.find(({ name }) => name === test.name);
    const fold = $("<details>", { class: "telephony-flow-test", "data-name": test.name }).prop("open", isOpen);
    const icon = result ? (result.isGreen ? "fa-check telephony-fine" : "fa-times telephony-problem") : "fa-circle-o";
    const state = result ? translate(result.isGreen ? "rehearse.green" : "rehearse.red") : "";
    $("<summary>")
      .append($("<i>", { class: `fa ${icon}`, title: state, "aria-label": state }), ` ${test.name}`)
      .appendTo(fold);
    if (result?.problem) $("<p>", { class: "telephony-problem", text: result.problem }).appendTo(fold);
    const name = textBox(translate("label.name"), test.name);
    name.on("change", () => {
      test.name = String(name.val());
    });
    fold.append(name);
    const table = $("<div>", { class: "telephony-when-then" }).appendTo(fold);
    const column = (title: string, rows: readonly JQuery[]) =>
      $("<section>")
        .append($("<h5>", { text: title }), ...rows)
        .appendTo(table);
    column(translate("rehearse.when"), whenRows(test));
    column(translate("rehearse.phones"), phoneRows(test));
    column(translate("rehearse.then"), this.#thenRows(test, result));
    const remove = () => {
      if (!window.confirm(translate("rehearse.sureRemove", { name: test.name }))) return;
      this.#tests.splice(index, 1);
      void this.#save();
    };
    const buttons = $("<div>", { class: "telephony-line" }).append(
      smallButton({ text: translate("rehearse.run") }, () => this.#run([test])),
      smallButton({ text: translate("rehearse.save") }, () => void this.#save()),
      smallButton({ text: translate("rehearse.remove") }, remove),
    );
    return fold.append(buttons);
  }

  #thenRows(test: Editable, result: Results[number] | undefined): JQuery[] {
    const change = (index: number, entry: Expectation | undefined) => {
      test.then = test.then.flatMap((each, at) => (at === index ? (entry ? [entry] : []) : [each]));
    };
    const rows = test.then.map((entry, index) => {
      const check = result?.checks[index];
      const row = $("<div>", { class: "telephony-then" }).append(
        ...cells(entry, (changed) => change(index, changed)),
        smallButton({ text: "×", "aria-label": translate("list.remove") }, () => {
          change(index, undefined);
          this.#draw();
        }),
      );
      if (check && !check.isGreen)
        row.append(
          $("<div>", { class: "telephony-compared telephony-problem" }).append(
            $("<div>", { text: `${translate("rehearse.expected")} ${expectedText(entry)}` }),
            $("<div>", { text: `${translate("rehearse.found")} ${foundText(check.found)}` }),
          ),
        );
      else if (check) row.addClass("telephony-fine");
      return row;
    });
    const add = smallButton({ text: translate("rehearse.addCall") }, () => {
      test.then = [...test.then, { call: "" }];
      this.#draw();
    });
    return [...rows, $("<div>").append(add)];
  }
}

/** An expectation in one line. */
function expectedText(entry: Expectation): string {
  const line = (...parts: unknown[]) => parts.filter(Boolean).join(" ");
  const quoted = (text: string | undefined) => text && JSON.stringify(text);
  const times = "times" in entry && entry.times !== undefined && `× ${entry.times}`;
  if ("call" in entry) {
    const said = [entry.says ?? [], entry.saysExactly ?? []].flat().map(quoted);
    return line(entry.call, ...said, entry.voice, entry.between?.join("–"), entry.at, times);
  }
  if ("request" in entry) return line(entry.request, entry.target, times);
  if ("notPlaced" in entry) return line(entry.notPlaced, translate("rehearse.notPlaced"), entry.code);
  if ("reaches" in entry) return line(translate("rehearse.reaches", { node: entry.reaches }), times);
  if ("nobodyElse" in entry) return translate("rehearse.nobodyElse");
  return line(translate("rehearse.response", { number: entry.response }), entry.status, quoted(entry.body));
}

/** With instants down to the minute. */
function foundText(found: readonly string[]): string {
  return found.map((each) => each.replace(/^(\S{10})T(\d\d:\d\d)\S*/, "$1 $2")).join("; ") || "–";
}

/** The fields of an expectation. */
function cells(entry: Expectation, change: (entry: Expectation) => void): JQuery[] {
  // Each field changes what the others have set.
  let now = entry;
  const cell = (label: string, value: string | undefined, read: (text: string) => object) => {
    const input = textBox(label, value);
    return input.on("change", () => {
      now = { ...now, ...read(String(input.val()).trim()) };
      change(now);
    });
  };
  if ("notPlaced" in entry)
    return [cell(translate("rehearse.notPlaced"), entry.notPlaced, (text) => ({ notPlaced: text }))];
  if ("response" in entry)
    return [
      $("<span>", { text: translate("rehearse.response", { number: entry.response }) }),
      cell("200", entry.status?.toString(), (text) => ({ status: Number(text) })),
    ];
  if (!("call" in entry)) return [$("<span>", { text: expectedText(entry) })];
  const { call, says, between } = entry;
  return [
    cell(translate("rehearse.number"), call, (text) => ({ call: text })),
    cell(translate("rehearse.says"), says, (text) => ({ says: text || undefined })),
    cell(translate("rehearse.between"), between?.join("–"), (text) => {
      const [from, until = ""] = text.split(/\s*[–-]\s*/);
      return { between: text === "" ? undefined : [from, until] };
    }),
  ];
}

function whenRows(test: Editable): JQuery[] {
  return (test.when ?? []).map((input) => {
    const what =
      "post" in input ? `${input.method ?? "POST"} ${input.post}` : "get" in input ? `GET ${input.get}` : nameOf(input);
    const body = "post" in input && input.body !== undefined ? JSON.stringify(input.body) : "";
    return $("<div>").append($("<code>", { text: `${input.at} ${what}`, title: body }));
  });
}

function phoneRows(test: Editable): JQuery[] {
  return Object.entries(test.world?.phones ?? {}).map(([number, behaviour]) => {
    const text = typeof behaviour === "string" ? behaviour : JSON.stringify(behaviour);
    const choices = [...new Set([text, ...BEHAVIOURS])].map((each) => [each, behaviourText(each)] as const);
    const select = menu(number, choices, text).on("change", () => {
      const chosen = BEHAVIOURS.find((each) => each === select.val()) ?? behaviour;
      test.world = { ...test.world, phones: { ...test.world?.phones, [number]: chosen } };
    });
    return $("<div>").append($("<code>", { text: number }), " ", select);
  });
}

function behaviourText(behaviour: string): string {
  if (behaviour === "answers") return translate("rehearse.answers");
  if (behaviour === "declines") return translate("rehearse.declines");
  return behaviour === "never answers" ? translate("rehearse.neverAnswers") : behaviour;
}

function nameOf(input: { readonly inject: string } | { readonly node: string }): string {
  const id = "inject" in input ? input.inject : input.node;
  return labelIn(id, id);
}
