import type { RehearsalState } from "../../workshop/admin/rehearsal/rehearsals";
import { button, iconButton } from "../panels/controls";
import { withLogin } from "../panels/server/calls-address";
import { follow, revealNode } from "../tab/frame";
import { translate } from "../texts";
import { compared } from "./expectation";
import { KeepAsTest } from "./keep";
import { dayName } from "./moment";
import { ADDRESS } from "./request";

/** The first time of the working week, to try when everything is closed. */
const [DAY, TIME] = [0, "10:00"];

interface Actions {
  close(): void;
  /** Runs again as if it were another day, from Monday, 0, and time. */
  again(day: number, time: string): void;
  kept(name: string): void;
}

type Report = NonNullable<RehearsalState["report"]>;
type Tests = NonNullable<RehearsalState["tests"]>;

/** The result of a rehearsal, and of tests. */
export class Happened {
  readonly #summary: JQuery;
  readonly #tests: JQuery;
  readonly #keep: KeepAsTest;
  #page: Window | null = null;
  #shown = "";

  /**
   * @param area for what one reads first
   * @param framed for the report
   */
  constructor(
    area: JQuery,
    private readonly framed: JQuery,
    private readonly actions: Actions,
  ) {
    this.#summary = $("<div>", { class: "telephony-summary" }).appendTo(area);
    this.#summary.append($("<p>", { text: translate("rehearse.nothingYet") }));
    this.#tests = $("<div>").appendTo(area);
    this.#keep = new KeepAsTest(area, (name) => actions.kept(name));
    const frame = () => (this.framed.find("iframe")[0] as HTMLIFrameElement | undefined)?.contentWindow;
    const reveal = (id: string) => this.#reveal(id);
    follow(frame, { node: reveal, leave: () => actions.close() });
    follow(() => this.#page, { node: reveal });
  }

  show(state: RehearsalState): void {
    const { isRunning, run = 0, report, nothing, tests, shown, made, notes = [], problem } = state;
    const key = `${run} ${isRunning} ${tests?.length}`;
    if (key === this.#shown || run === 0) return;
    this.#shown = key;
    this.#summary.empty();
    this.#tests.empty().append(...(tests ?? []).map(resultOf));
    // A test whose rehearsal ends early is never green.
    this.#keep.offer(report?.brokenOff === null ? made : undefined);
    if (isRunning || problem) this.framed.empty();
    if (isRunning || problem) return;
    if (report) this.#summarize(report);
    if (nothing) this.#explain(nothing);
    this.#summary.append(notes.map((text) => $("<p>", { class: "telephony-hint", text })));
    if (!report && tests && tests.length > 1 && shown !== undefined)
      this.#tests.append($("<p>", { text: translate("rehearse.reportOf", { name: shown }) }));
    if (report || tests) this.#showPage(run);
  }

  #summarize(report: Report): void {
    const { calls, notPlaced } = report.figures;
    const line = $("<div>", { class: "telephony-line" }).appendTo(this.#summary);
    line.append($("<strong>", { text: translate("rehearse.placed", { placed: calls, notPlaced }) }));
    iconButton("fa-external-link", translate("rehearse.report"), () => {
      this.#page = window.open(withLogin(`${ADDRESS}/report`));
    }).appendTo(line);
  }

  /** Explains why nothing was called, with buttons for the next step. */
  #explain({ why, nodeId, opensAt }: NonNullable<RehearsalState["nothing"]>): void {
    $("<p>", { class: "telephony-why", text: why }).appendTo(this.#summary);
    const line = $("<div>", { class: "telephony-line" }).appendTo(this.#summary);
    const day = opensAt ? (new Date(`${opensAt.slice(0, 10)}T00:00:00Z`).getUTCDay() + 6) % 7 : DAY;
    const time = opensAt?.slice(11, 16) ?? TIME;
    const text = translate("rehearse.tryAt", { day: dayName(day), time });
    line.append(button(text, () => this.actions.again(day, time)));
    if (nodeId) line.append(button(translate("rehearse.showNode"), () => this.#reveal(nodeId)));
  }

  #reveal(id: string): void {
    this.actions.close();
    revealNode(id);
    RED.view.focus();
  }

  #showPage(run: number): void {
    const theme = document.documentElement.classList.contains("nr-theme-dark") ? "dark" : "light";
    const src = withLogin(`${ADDRESS}/report`, { theme, run: String(run) });
    this.framed.empty().append($("<iframe>", { src, title: translate("rehearse.out") }));
  }
}

/** A test that was run: green, or red with what was expected and found side by side. */
function resultOf({ name, isGreen, checks, then, problem }: Tests[number]): JQuery {
  const state = translate(isGreen ? "rehearse.green" : "rehearse.red");
  const icon = $("<i>", {
    class: `fa fa-fw ${isGreen ? "fa-check" : "fa-times"}`,
    title: state,
    role: "img",
    "aria-label": state,
  });
  const row = $("<section>", { class: "telephony-tested" }).toggleClass("telephony-tested-red", !isGreen);
  const [count, total] = [checks.filter((check) => check.isGreen).length, checks.length];
  const figures = $("<small>", { text: translate("rehearse.asExpected", { count, total }) });
  $("<p>")
    .append(icon, $("<b>", { text: name }), ...(total > 0 ? [figures] : []))
    .appendTo(row);
  if (problem) $("<p>", { class: "telephony-problem", text: problem }).appendTo(row);
  return row.append(...compared(checks, then));
}
