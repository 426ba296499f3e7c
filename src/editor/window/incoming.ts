import { type JsonPath, setAt } from "../../json/set-at";
import type { GivenInput, Offer } from "../../workshop/admin/rehearsal/offers";
import type { FlowTest, OffersAnswer, WaitAnswer } from "../../workshop/admin/rehearsal/rehearsal-routes";
import { menu, smallButton, textBox } from "../panels/controls";
import { ask, showResult } from "../panels/server/ask";
import { labelIn } from "../panels/server/instances";
import { ownText, translate } from "../texts";
import { ADDRESS, editorsFlows } from "./request";

const MOST_FIELDS = 20;
const ALL = "*";

/** A way in, as it was chosen and edited. */
interface Row {
  offer: Offer;
  isTicked: boolean;
  /** The input that is chosen, as it was edited. */
  input: GivenInput;
}

/** The list of what can come in, with ticks: injects, requests, and the tests beside the flow file. */
export class Incoming {
  readonly #state: JQuery;
  readonly #list: JQuery;
  #rows: Row[] = [];
  #tests: readonly FlowTest[] = [];
  #examples: OffersAnswer["examples"] = [];
  readonly #tickedTests = new Set<string>();
  /** The flows that are rehearsed: all, or the one of an id. Empty: the one in front. */
  readonly #flows: JQuery;
  #wait: { isOver: boolean; readonly state: JQuery } | undefined;

  constructor(area: JQuery) {
    this.#flows = menu(translate("rehearse.flows"), [], "").on("change", () => {
      this.#tickFirst();
      this.#draw();
    });
    const label = $("<label>")
      .append($("<b>", { text: translate("rehearse.flows") }), this.#flows)
      .appendTo(area);
    this.#list = $("<div>").insertAfter(label);
    this.#state = $("<p>", { role: "status" }).appendTo(area);
  }

  /**
   * Reads what the flows offer now; what was chosen stays.
   * @param test is chosen in place of all inputs
   */
  async read(test?: string): Promise<void> {
    this.stopWaiting();
    try {
      const { inputs, tests, examples, problem } = await ask<OffersAnswer>(
        this.#state,
        `${ADDRESS}/inputs`,
        editorsFlows(),
      );
      this.#state.empty();
      if (problem) showResult(this.#state, "wrong", problem);
      this.#tests = tests;
      this.#examples = examples;
      this.#offerFlows();
      this.#take(inputs);
      if (test !== undefined) {
        for (const row of this.#rows) row.isTicked = false;
        this.#tickedTests.add(test);
      }
      this.#draw();
    } catch (reason) {
      showResult(this.#state, "wrong", String(reason));
    }
  }

  /** The inputs and tests that are ticked, in the order of the list, and the tabs that are rehearsed, unless all are. */
  chosen() {
    const inputs = this.#shown().flatMap(({ isTicked, input }) => (isTicked ? [input] : []));
    const ofExamples = this.#examplesShown().flatMap(({ flow, tests }) =>
      tests.map((test) => ({ ...test, flows: [flow] })),
    );
    const tests = [...this.#tests, ...ofExamples].filter(({ name }) => this.#tickedTests.has(name));
    return { inputs, tests, tabs: this.#tab === undefined ? undefined : [this.#tab] };
  }

  stopWaiting(): void {
    const wait = this.#wait;
    if (!wait) return;
    wait.isOver = true;
    wait.state.empty().data("request")?.abort();
    this.#wait = undefined;
  }

  get #tab(): string | undefined {
    const chosen = String(this.#flows.val() ?? "");
    return chosen === ALL ? undefined : chosen || RED.workspaces.active();
  }

  #shown(): readonly Row[] {
    const tab = this.#tab;
    return this.#rows.filter(({ offer: { flow } }) => tab === undefined || flow === tab);
  }

  #examplesShown(): OffersAnswer["examples"] {
    const tab = this.#tab;
    return this.#examples.filter(({ flow }) => tab === undefined || flow === tab);
  }

  #offerFlows(): void {
    const chosen = this.#flows.val() ?? "";
    const tabs = RED.nodes.getWorkspaceOrder().flatMap((id) => RED.nodes.workspace(id) ?? []);
    // Not a subflow.
    const inFront = RED.nodes.workspace(RED.workspaces.active());
    const options = [
      ...(inFront ? [["", translate("rehearse.inFront", { flow: inFront.label ?? "" })]] : []),
      ...tabs.map(({ id, label = id }) => [id, label]),
      [ALL, translate("rehearse.allFlows")],
    ];
    this.#flows.empty().append(options.map(([value, text]) => $("<option>", { value, text })));
    this.#flows.val(options.some(([value]) => value === chosen) ? chosen : inFront ? "" : ALL);
  }

  #take(offers: readonly Offer[]): void {
    const before = new Map(this.#rows.map((row) => [row.offer.nodeId, row]));
    this.#rows = offers.map((given) => {
      const known = before.get(given.nodeId);
      // The server keeps no request of an HTTP In node.
      const waitedFor =
        given.kind === "http in" ? (known?.offer.inputs ?? []).filter(({ at }) => at !== undefined) : [];
      const offer = { ...given, inputs: [...waitedFor, ...given.inputs] };
      const [first] = offer.inputs;
      // One that has just come in is what one wants to see, unless another one was edited.
      const isSame = known && JSON.stringify(known.offer) === JSON.stringify(offer);
      const input = isSame ? known.input : structuredClone(first?.input as GivenInput);
      return { offer, isTicked: known?.isTicked ?? false, input };
    });
    this.#tickFirst();
  }

  /** Ticks the first inject node, else the first request, if nothing is ticked. */
  #tickFirst(): void {
    const shown = this.#shown();
    if (this.#tickedTests.size > 0 || shown.some(({ isTicked }) => isTicked)) return;
    const [first] = [...shown.filter(({ offer }) => offer.kind === "inject"), ...shown];
    if (first) first.isTicked = true;
  }

  #draw(): void {
    this.#list.empty();
    let flow = "";
    for (const row of this.#shown()) {
      if (row.offer.flow !== flow && this.#tab === undefined) {
        flow = row.offer.flow;
        $("<h4>", { text: RED.nodes.workspace(flow)?.label ?? flow }).appendTo(this.#list);
      }
      this.#list.append(this.#offer(row));
    }
    if (this.#shown().length === 0) $("<p>", { text: translate("rehearse.noInputs") }).appendTo(this.#list);
    if (this.#tests.length > 0) $("<h4>", { text: translate("rehearse.tests") }).appendTo(this.#list);
    this.#list.append(this.#tests.map((test) => this.#test(test)));
    const ofExamples = this.#examplesShown();
    if (ofExamples.length > 0) $("<h4>", { text: translate("rehearse.exampleTests") }).appendTo(this.#list);
    for (const { flow, tests } of ofExamples) {
      const isOpen = tests.some(({ name }) => this.#tickedTests.has(name));
      const fold = $("<details>").prop("open", isOpen).appendTo(this.#list);
      fold.append(
        $("<summary>", { text: RED.nodes.workspace(flow)?.label ?? flow }),
        ...tests.map((test) => this.#test(test)),
      );
    }
  }

  #test({ name }: FlowTest): JQuery {
    const tick = ticked(name, this.#tickedTests.has(name), (is) => {
      if (is) this.#tickedTests.add(name);
      else this.#tickedTests.delete(name);
    });
    return $("<div>", { class: "telephony-way-in" }).append(tick);
  }

  #offer(row: Row): JQuery {
    const { offer } = row;
    const element = $("<div>", { class: "telephony-way-in" });
    const details = $("<div>", { class: "telephony-way-in-details" });
    const draw = () => {
      const hasMore = row.isTicked && offer.kind !== "inject";
      details.empty().toggle(hasMore);
      if (hasMore) this.#request(row, details, draw);
    };
    const tick = ticked(nameOf(row), row.isTicked, (is) => {
      row.isTicked = is;
      draw();
    });
    element.append(tick, details);
    const { byItself } = offer;
    if (byItself) {
      const when =
        byItself === "start" ? (ownText({ type: "business-hour-trigger" }, "label.atStart") ?? "") : byItself;
      $("<small>", { text: translate("rehearse.byItself", { when }) }).insertAfter(tick);
    }
    draw();
    return element;
  }

  /** The request that comes in: one that was received, or a made-up one, with its fields. */
  #request(row: Row, area: JQuery, draw: () => void): void {
    const { offer } = row;
    const choices = offer.inputs.map(
      ({ at }, index) => [String(index), at ? receivedText(at) : translate("rehearse.madeUp")] as const,
    );
    const same = offer.inputs.findIndex(({ input }) => JSON.stringify(input) === JSON.stringify(row.input));
    const select = menu(translate("rehearse.request"), choices, String(Math.max(0, same))).on("change", () => {
      row.input = structuredClone(offer.inputs[Number(select.val())]?.input as GivenInput);
      draw();
    });
    if (choices.length > 1) area.append(select);
    if (offer.kind === "http in") area.append(this.#waitButton(row, draw));
    if ("get" in row.input) area.append(field("GET", row.input.get, (text) => Object.assign(row.input, { get: text })));
    const body = "post" in row.input ? row.input.body : undefined;
    if (typeof body === "string")
      area.append(field(translate("rehearse.text"), body, (text) => Object.assign(row.input, { body: text })));
    for (const [path, value] of leavesOf(body).slice(0, MOST_FIELDS))
      area.append(field(path.join("."), String(value), (text) => setAt(body as object, path, typedAs(value, text))));
  }

  #waitButton(row: Row, draw: () => void): JQuery {
    const state = $("<p>", { role: "status" });
    const waitFor = async () => {
      this.stopWaiting();
      const wait = { isOver: false, state };
      this.#wait = wait;
      while (!wait.isOver) {
        showResult(state, "busy", translate("rehearse.waiting"));
        const asked = { ...editorsFlows(), node: row.offer.nodeId };
        const { received } = await ask<WaitAnswer>(state, `${ADDRESS}/wait`, asked);
        if (!received || wait.isOver) continue;
        wait.isOver = true;
        row.offer = { ...row.offer, inputs: [received, ...row.offer.inputs] };
        row.input = structuredClone(received.input);
        draw();
      }
    };
    const button = smallButton({ text: translate("rehearse.wait") }, () => {
      // A wait that was given up is refused, too.
      waitFor().catch((reason) => this.#wait?.state === state && showResult(state, "wrong", String(reason)));
    });
    return $("<div>").append(button, state);
  }
}

function nameOf({ offer: { nodeId, kind }, input }: Row): string {
  const node = labelIn(nodeId, nodeId);
  if (kind === "inject") return translate("rehearse.press", { node });
  const [path = ""] = ("get" in input ? input.get : "post" in input ? input.post : "").split("?", 1);
  const method = "get" in input ? "GET" : ("post" in input && input.method) || "POST";
  return `${method} ${path}`;
}

function receivedText(at: number): string {
  return translate("rehearse.received", {
    time: new Date(at).toLocaleTimeString(translate("language"), { timeStyle: "short" }),
  });
}

function ticked(text: string, isTicked: boolean, changed: (isTicked: boolean) => void): JQuery {
  const box = $("<input>", { type: "checkbox" }).prop("checked", isTicked);
  box.on("change", () => changed(box.prop("checked") === true));
  return $("<label>").append(box, $("<span>", { text }));
}

function field(name: string, value: string, changed: (text: string) => void): JQuery {
  const input = textBox(name, value);
  input.on("input", () => changed(String(input.val())));
  return $("<label>", { class: "telephony-field" }).append($("<span>", { text: name }), input);
}

/** The texts, numbers and truths in JSON, with their paths. */
function leavesOf(value: unknown, path: JsonPath = []): (readonly [JsonPath, unknown])[] {
  if (typeof value !== "object" || value === null) return path.length > 0 && value !== undefined ? [[path, value]] : [];
  const isList = Array.isArray(value);
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, isList ? Number(key) : key]));
}

/** Reads what was typed as the type that the value had. */
function typedAs(before: unknown, text: string): unknown {
  if (typeof before === "number" && text.trim() !== "" && Number.isFinite(Number(text))) return Number(text);
  if (typeof before === "boolean" && /^(?:true|false)$/.test(text)) return text === "true";
  return before === null && text === "null" ? null : text;
}
