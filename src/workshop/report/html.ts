import { documentOf, policyOf, resource } from "../../page/document";
import { html, type Markup } from "../../page/markup";
import { joined } from "../../texts/catalogue";
import type { Report } from "../rehearsal/make-report";
import type { Rehearsal } from "../rehearsal/rehearse";
import { table } from "./table";
import { type Key, ReportTexts } from "./texts";
import { week } from "./week";

interface Options {
  /** A tag such as `de`; English if there are no texts in it. */
  readonly language?: string | undefined;
  /** Whether an editor shows the report, in which a click selects a node. */
  readonly isInEditor?: boolean;
}

/** The program of a report in the editor, which its tab listens to. */
const SELECT = `addEventListener("click", ({ target: { dataset: { node: id } } }) => {
  if (id) window.opener?.postMessage({ telephony: "node", id }, location.origin);
});`;
const PHONES = ["answered", "declined", "unanswered"] as const;
const KINDS = { post: "kindPost", get: "kindPost", inject: "kindInject", node: "kindNode" } as const;

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

function bodyOf(texts: ReportTexts, { report, notes, nodeRedPath }: Rehearsal, isInEditor: boolean): Markup {
  const { from, until, brokenOff, nodeRed, seed } = report;
  const span = { from: texts.time(from, "year"), until: texts.time(until, "year") };
  return html`<header>
<h1>${texts.text("title")}</h1>
<p class="soft">${texts.text("span", span)}</p>
</header>
<main>
${brokenOff === null ? "" : html`<p class="notice bad" role="alert">${texts.text("brokenOff")} ${brokenOff}</p>`}
${notes.map((note) => html`<p class="notice">${note}</p>`)}
${figures(texts, report)}
<section id="week"><h2>${texts.text("week")}</h2>${week(texts, report)}<p class="soft">${texts.text("weekHint")}</p></section>
${tables(texts, report, isInEditor)}
</main>
<footer class="soft">${texts.text("made", { nodeRed, path: nodeRedPath, seed })} ${texts.text("limits")}</footer>`;
}

function figures(texts: ReportTexts, { figures, calls, errors, outside }: Report): Markup {
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
${figure("outside", outside.length)}
${figure("errors", errors.length, "", errors.length > 0 ? "bad" : "")}
</dl>`;
}

function tables(texts: ReportTexts, report: Report, isInEditor: boolean): readonly (Markup | undefined)[] {
  const { calls, notPlaced, figures, errors, inputs, requests, outside } = report;
  const badge = (key: Key, state: string = key) => html`<span class="badge ${state}">${texts.text(key)}</span>`;
  const time = ({ at }: { readonly at: string }) =>
    html`<time datetime="${at}" title="${at}">${texts.time(at, "second")}</time>`;
  const nodeName = ({ node, nodeId }: { readonly node: string; readonly nodeId: string }) =>
    isInEditor
      ? html`<button class="link" title="${nodeId}" data-node="${nodeId}">${node || nodeId}</button>`
      : html`<span title="${nodeId}">${node || nodeId}</span>`;
  const at = { title: "at", className: "at", cell: time } as const;
  const node = { title: "node", cell: nodeName } as const;
  const number = { title: "number", className: "number", cell: (row: { number: string }) => row.number } as const;
  const tenant = { title: "tenant", cell: (row: { tenant: string }) => row.tenant } as const;
  const hasTenants = new Set(calls.map((call) => call.tenant)).size > 1;
  return [
    table(texts, "errors", errors, [
      ...[at, node],
      { title: "code", cell: ({ code }) => code },
      { title: "message", cell: ({ message }) => message },
    ]),
    table(
      texts,
      "calls",
      calls,
      [
        ...[at, number],
        {
          title: "says",
          className: "says",
          cell: ({ says, answerUrl }) =>
            says.length > 0
              ? says.map((text) => html`<p>${text}</p>`)
              : answerUrl && texts.text("asks", { address: answerUrl }),
        },
        { title: "phone", cell: ({ phone }) => phone && badge(phone) },
        { title: "outcome", cell: ({ outcome }) => badge(outcome) },
        ...[node, ...(hasTenants ? [tenant] : [])],
      ],
      "noCalls",
    ),
    table(texts, "notPlaced", notPlaced, [
      ...[at, number],
      {
        title: "reason",
        cell: ({ code, reason }) =>
          html`${code === null ? badge("stillWaiting", "waiting") : html`<code>${code}</code>`} ${reason}`,
      },
      node,
    ]),
    table(texts, "calledTwice", figures.calledTwice, [
      number,
      { title: "calls", cell: ({ calls }) => texts.count(calls) },
    ]),
    table(texts, "inputs", inputs, [
      at,
      { title: "kind", cell: ({ kind }) => texts.text(KINDS[kind]) },
      { title: "target", cell: ({ target }) => target },
      { title: "response", cell: ({ status, body }) => html`${status} <code>${bodyText(body)}</code>` },
    ]),
    table(texts, "requests", requests, [
      ...[at, node],
      { title: "action", cell: ({ action }) => html`<code>${action}</code>` },
      { title: "target", cell: ({ target }) => target },
      { title: "outcome", cell: ({ outcome }) => badge(outcome === "applied" ? "done" : outcome, outcome) },
      ...(hasTenants ? [tenant] : []),
    ]),
    table(texts, "outside", outside, [
      ...[at, node],
      { title: "type", cell: ({ type }) => html`<code>${type}</code>` },
      { title: "given", className: "says", cell: ({ given }) => html`<code>${bodyText(given)}</code>` },
      { title: "answer", cell: ({ answered }) => texts.text(answered ? "byWorld" : "endedThere") },
    ]),
  ];
}

function bodyText(body: unknown): string {
  return typeof body === "string" ? body : body === null || body === undefined ? "" : JSON.stringify(body);
}
