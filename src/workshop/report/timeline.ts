import { html, type Markup } from "../../page/markup";
import type { Report } from "../rehearsal/make-report";
import { groupsOf, MOST_IN_LINE, type Of } from "./by-node";
import { cut, type Parts } from "./parts";
import { type Budget, folded } from "./rows";
import type { Key, ReportTexts } from "./texts";

const KINDS = { post: "kindPost", get: "kindPost", inject: "kindInject", node: "kindNode" } as const;
/** Characters of an answer, or of what a node was given. */
const MOST_CHARACTERS = 1000;

interface Entry {
  readonly at: string;
  readonly className: string;
  /** The first line, which begins with what it is. */
  readonly line: readonly unknown[];
  readonly says?: readonly string[];
  readonly node?: { readonly nodeId: string; readonly node: string };
}

/** The events in order: what came in, calls and what they said, messages without a call, and all other effects. */
export function timeline(texts: ReportTexts, report: Report, parts: Parts, budget: Budget): Markup {
  const entries = entriesOf(texts, report, parts)
    .map((entry) => ({ ...entry, instant: Date.parse(entry.at) }))
    .sort((one, other) => one.instant - other.instant);
  let day = "";
  const shown = budget.take(entries, (entry) => {
    const { at, className, line, says = [], node } = entry;
    const [date = ""] = at.split("T");
    const heading = date === day ? "" : html`<li class="day"><h3>${texts.time(at, "day")}</h3></li>\n`;
    day = date;
    return html`${heading}<li class="${className}"><time datetime="${at}">${texts.time(at, "clock")}${offsetOf(at) === offsetOf(report.from) ? "" : html` <small>${offsetOf(at)}</small>`}</time>
<div><p>${line.flat(2).map((each) => (each ? html`${each} ` : ""))}</p>${says.map((text) => html`<p class="spoken">${text}</p>`)}</div>
${node && parts.node(node)}</li>\n`;
  });
  const list = (some: readonly Markup[]) => html`<ol class="timeline">\n${some}</ol>`;
  return html`<section id="timeline">
<h2>${texts.text("timeline")} <span class="soft">${texts.count(entries.length)}</span></h2>
${entries.length > 0 ? folded(texts, shown, entries.length, list) : html`<p class="soft">${texts.text("nothing")}</p>`}
</section>`;
}

function entriesOf(texts: ReportTexts, report: Report, { badge }: Parts): Entry[] {
  const { calls, notPlaced, inputs, requests } = report;
  const name = (key: Key) => html`<b>${texts.text(key)}</b>`;
  const code = (text: string | null) => text && html`<code>${cut(text, MOST_CHARACTERS)}</code>`;
  const hasTenants = new Set(calls.map((call) => call.tenant)).size > 1;
  const tenantOf = ({ tenant }: { readonly tenant: string }) => hasTenants && html`<span class="soft">${tenant}</span>`;
  const andMore = ({ rest }: { readonly rest: number }) =>
    rest > 0 && html`<span class="soft">${texts.text("andMore", { count: texts.count(rest) })}</span>`;
  return [
    ...inputs.map(({ at, kind, target, status, body }) => {
      const answer = status !== null && [texts.text("answeredWith", { status }), code(textOf(body))];
      return { at, className: "input", line: [name(KINDS[kind]), target, answer] };
    }),
    ...calls.map((call) => {
      const { at, number, says, answerUrl, phone, outcome } = call;
      const badges = [phone && badge(phone), outcome !== "applied" && badge(outcome), tenantOf(call)];
      const asks = says.length === 0 && answerUrl && texts.text("asks", { address: answerUrl });
      return { at, className: "call", line: [name("call"), number, badges, asks], says, node: call };
    }),
    ...notPlaced.map((each) => {
      const { at, number, code: given, reason } = each;
      const why =
        given === null ? [badge("stillWaiting", "waiting"), texts.text(reason as Key)] : [code(given), reason];
      return { at, className: "bad", line: [name("notCalled"), number, why], node: each };
    }),
    ...requests.map((each) => {
      const { at, action, target, outcome } = each;
      const state = badge(outcome === "applied" ? "done" : outcome, outcome);
      return { at, className: "request", line: [html`<b>${action}</b>`, target, state, tenantOf(each)], node: each };
    }),
    ...firstOfEach(report, "outside").map((each) => {
      const { at, type, given, answered } = each;
      const line = [name("wouldGoOut"), type, code(textOf(given)), answered && texts.text("byWorld"), andMore(each)];
      return { at, className: "outside", line, node: each };
    }),
    ...firstOfEach(report, "errors").map((each) => {
      const { at, code: given, message } = each;
      return {
        at,
        className: "bad",
        line: [name("error"), code(given), cut(message, MOST_CHARACTERS), andMore(each)],
        node: each,
      };
    }),
  ];
}

/** The first few of each node, the last of them with the number of the others, which stand by node. */
function firstOfEach<O extends Of>(report: Report, of: O) {
  return groupsOf(report, of).flatMap(({ rows, times }) =>
    rows
      .slice(0, MOST_IN_LINE)
      .map((row, index) => ({ ...row, rest: index === MOST_IN_LINE - 1 ? times - index - 1 : 0 })),
  );
}

/** The offset of an instant. It is shown where it differs: times of tenants in two zones seem out of order. */
function offsetOf(instant: string): string {
  return instant.slice(-6);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : value === null || value === undefined ? "" : JSON.stringify(value);
}
