import { documentOf, policyOf, resource } from "../../page/document";
import { html, type Markup } from "../../page/markup";
import { joined, withPlainInstants } from "../../texts/catalogue";
import type { Report } from "../rehearsal/make-report";
import type { Rehearsal } from "../rehearsal/rehearse";
import { byNode, groupsOf, type Of } from "./by-node";
import { partsOf } from "./parts";
import { Budget } from "./rows";
import { table } from "./table";
import { type Key, ReportTexts } from "./texts";
import { timeline } from "./timeline";
import { week } from "./week";
import { whyNothing } from "./why";

interface Options {
  /** A tag such as `de`; English if there are no texts in it. */
  readonly language?: string | undefined;
  /** Whether an editor shows the report, in which a click selects a node. */
  readonly isInEditor?: boolean;
}

/** The program of a report in the editor, which listens to it: a click selects a node, and the key closes the window around it. */
const SELECT = `const editor = window.opener ?? window.parent;
addEventListener("click", ({ target: { dataset: { node: id } } }) => {
  if (id) editor.postMessage({ telephony: "node", id }, location.origin);
});
addEventListener("keydown", ({ key }) => {
  if (key === "Escape") editor.postMessage({ telephony: "leave" }, location.origin);
});
document.documentElement.style.colorScheme = new URLSearchParams(location.search).get("theme") ?? "";`;
const PHONES = ["answered", "declined", "unanswered"] as const;

/** The report as a page that stands alone: no request, no other file. */
export function htmlOf(rehearsal: Rehearsal, { language = "en", isInEditor = false }: Options = {}): string {
  const texts = new ReportTexts(language);
  const style = resource("rehearsal.css");
  const parts = { style, script: isInEditor ? SELECT : undefined };
  const page = {
    ...parts,
    language: texts.language,
    title: texts.text("title"),
    body: bodyOf(texts, rehearsal, isInEditor),
  };
  return documentOf(page, policyOf(parts, "trusted-types 'none'"));
}

function bodyOf(texts: ReportTexts, rehearsal: Rehearsal, isInEditor: boolean): Markup {
  const { report, notes, nodeRedPath, brokenOff } = rehearsal;
  const { from, until, nodeRed, seed } = report;
  const span = { from: texts.time(from, "year"), until: texts.time(until, "year") };
  const sentences = (...all: readonly string[]) => joined(texts.text, "sentences", all);
  const [parts, budget] = [partsOf(texts, isInEditor), new Budget()];
  // The window around it says so itself.
  const why = isInEditor ? undefined : whyNothing(texts, rehearsal);
  // Before the timeline, which takes what room is left.
  const repeated = byNode(texts, report, parts, budget);
  const overview = html`${figures(texts, report)}
<section id="week"><h2>${texts.text("week")}</h2>${week(texts, report)}<p class="soft">${texts.text("weekHint")}</p></section>`;
  const happened = timeline(texts, report, parts, budget);
  const twice = table(texts, budget, "calledTwice", report.figures.calledTwice, [
    { title: "number", className: "number", cell: ({ number }) => number },
    { title: "calls", cell: ({ calls }) => texts.count(calls) },
  ]);
  return html`<header>
<h1>${texts.text("title")}</h1>
<p class="soft">${texts.text("span", span)}</p>
</header>
<main>
${brokenOff === null ? "" : html`<p class="notice bad" role="alert">${sentences(texts.text("brokenOff"), withPlainInstants(brokenOff(texts.text)))}</p>`}
${why && html`<p class="notice" id="why">${why}</p>`}
${notes.map((note) => html`<p class="notice">${note}</p>`)}
${isInEditor ? [happened, repeated, twice, overview] : [overview, happened, repeated, twice]}
</main>
<footer class="soft">${sentences(texts.text("made", { nodeRed, path: nodeRedPath, seed }), texts.text("limits"))}</footer>`;
}

function figures(texts: ReportTexts, report: Report): Markup {
  const { figures, calls } = report;
  const allOf = (of: Of) => groupsOf(report, of).reduce((sum, { times }) => sum + times, 0);
  const failed = allOf("errors");
  const { busiestMinute: busiest, speechSeconds, calledTwice } = figures;
  const phones = PHONES.flatMap((kind) => {
    const found = calls.filter(({ phone }) => phone === kind).length;
    return found > 0 ? `${texts.count(found)}\u00a0${texts.text(kind)}` : [];
  });
  const figure = (title: Key, value: number | string, detail = "", className = "") => html`<div class="${className}">
<dt>${texts.text(title)}</dt>
<dd>${typeof value === "number" ? texts.count(value) : value}${detail && html`<small>${detail}</small>`}</dd>
</div>`;
  return html`<dl class="figures">
${figure("calls", figures.calls, joined(texts.text, "also", phones))}
${figure("notPlaced", figures.notPlaced)}
${busiest && figure("busiestMinute", busiest.calls, texts.time(busiest.at, "minute"))}
${figure("speech", texts.text("minutes", { minutes: texts.count(speechSeconds / 60) }))}
${figure("calledTwice", calledTwice.length)}
${figure("outside", allOf("outside"))}
${figure("errors", failed, "", failed > 0 ? "bad" : "")}
</dl>`;
}
