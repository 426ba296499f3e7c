import { html, nothing, render, type TemplateResult } from "lit-html";
import { currentLanguage, languages } from "../../../sandbox/page/language";
import { drawWith, redraw } from "../../../sandbox/page/redraw";
import type { Report } from "../../rehearsal/report";
import { table } from "./table";
import { choose, count, data, type Key, nameOf, shown, t } from "./texts";
import { week } from "./week";

const { report, notes, nodeRedPath } = data;
const { brokenOff } = report;
const PHONES = ["answered", "declined", "unanswered"] as const;
const KINDS = { post: "kindPost", get: "kindPost", inject: "kindInject", node: "kindNode" } as const satisfies Record<
  string,
  Key
>;

const at = { title: "at", className: "at", cell: (row: { at: string }) => time(row.at) } as const;
const node = { title: "node", cell: (row: { node: string; nodeId: string }) => nodeName(row) } as const;
const number = { title: "number", className: "number", cell: (row: { number: string }) => row.number } as const;
const tenant = { title: "tenant", cell: (row: { tenant: string }) => row.tenant } as const;

function page(): TemplateResult {
  return html`
    <header>
      <div>
        <h1>${t("title")}</h1>
        <p class="soft">${t("span", { from: shown(report.from, "year"), until: shown(report.until, "year") })}</p>
      </div>
      ${languageChoice()}
    </header>
    <main>
      ${brokenOff === null ? nothing : html`<p class="notice bad" role="alert">${t("brokenOff")} ${brokenOff}</p>`}
      ${notes.map((note) => html`<p class="notice">${note}</p>`)}
      ${figures(report)}
      <section id="week"><h2>${t("week")}</h2>${week(report)}<p class="soft">${t("weekHint")}</p></section>
      ${problems(report)} ${messages(report)} ${around(report)}
    </main>
    <footer class="soft">
      ${t("made", { nodeRed: report.nodeRed, path: nodeRedPath, seed: report.seed })} ${t("limits")}
    </footer>`;
}

function figures({ figures, calls, errors, outside }: Report): TemplateResult {
  const { busiestMinute: busiest, speechSeconds, calledTwice } = figures;
  const phones = PHONES.flatMap((kind) => {
    const found = calls.filter(({ phone }) => phone === kind).length;
    return found > 0 ? `${count(found)}\u00a0${t(kind)}` : [];
  });
  return html`<dl class="figures">
    ${figure("calls", count(figures.calls), phones.join(", "))}
    ${figure("notPlaced", count(figures.notPlaced))}
    ${busiest ? figure("busiestMinute", count(busiest.calls), shown(busiest.at, "minute")) : nothing}
    ${figure("speech", t("minutes", { minutes: (speechSeconds / 60).toLocaleString(currentLanguage(), { maximumFractionDigits: 1 }) }))}
    ${figure("calledTwice", count(calledTwice.length))} ${figure("outside", count(outside.length))}
    ${figure("errors", count(errors.length), "", errors.length > 0)}
  </dl>`;
}

function figure(title: Key, value: string, detail = "", isBad = false): TemplateResult {
  return html`<div class=${isBad ? "bad" : nothing}>
    <dt>${t(title)}</dt>
    <dd>${value}${detail && html`<small>${detail}</small>`}</dd>
  </div>`;
}

function problems({ errors }: Report): TemplateResult | typeof nothing {
  return table("errors", errors, [
    at,
    node,
    { title: "code", cell: ({ code }) => code },
    { title: "message", cell: ({ message }) => message },
  ]);
}

function messages({ calls, notPlaced, figures }: Report): TemplateResult {
  return html`${table(
    "calls",
    calls,
    [
      at,
      number,
      {
        title: "says",
        className: "says",
        cell: ({ says, answerUrl }) =>
          says.length > 0 ? says.map((text) => html`<p>${text}</p>`) : answerUrl && t("asks", { address: answerUrl }),
      },
      { title: "phone", cell: ({ phone }) => (phone ? badge(phone) : nothing) },
      { title: "outcome", cell: ({ outcome }) => badge(outcome) },
      node,
      ...(new Set(calls.map(({ tenant }) => tenant)).size > 1 ? [tenant] : []),
    ],
    "noCalls",
  )}
  ${table("notPlaced", notPlaced, [
    at,
    number,
    {
      title: "reason",
      cell: ({ code, reason }) =>
        html`${code === null ? badge("stillWaiting", "waiting") : html`<code>${code}</code>`} ${reason}`,
    },
    node,
  ])}
  ${table("calledTwice", figures.calledTwice, [number, { title: "calls", cell: ({ calls }) => count(calls) }])}`;
}

function around({ inputs, outside }: Report): TemplateResult {
  return html`${table("inputs", inputs, [
    at,
    { title: "kind", cell: ({ kind }) => t(KINDS[kind]) },
    { title: "target", cell: ({ target }) => target },
    { title: "response", cell: ({ status, body }) => html`${status} <code>${bodyText(body)}</code>` },
  ])}
  ${table("outside", outside, [
    at,
    node,
    { title: "type", cell: ({ type }) => html`<code>${type}</code>` },
    { title: "answer", cell: ({ answered }) => t(answered ? "byWorld" : "endedThere") },
  ])}`;
}

function languageChoice(): TemplateResult {
  const changed = ({ target }: Event) => {
    choose((target as HTMLSelectElement).value);
    redraw();
  };
  return html`<select id="language" aria-label=${t("language")} @change=${changed}>
    ${languages.map((tag) => html`<option value=${tag} lang=${tag} ?selected=${tag === currentLanguage()}>${nameOf(tag)}</option>`)}
  </select>`;
}

function time(at: string): TemplateResult {
  return html`<time datetime=${at} title=${at}>${shown(at, "second")}</time>`;
}

/** In the tab of the editor, a click selects the node. */
function nodeName({ node, nodeId }: { readonly node: string; readonly nodeId: string }): TemplateResult {
  const name = node || nodeId;
  if (window.parent === window || origin === "null") return html`<span title=${nodeId}>${name}</span>`;
  const select = () => window.parent.postMessage({ telephony: "node", id: nodeId }, origin);
  return html`<button class="link" title=${nodeId} @click=${select}>${name}</button>`;
}

function badge(key: Key, state: string = key): TemplateResult {
  return html`<span class="badge ${state}">${t(key)}</span>`;
}

function bodyText(body: unknown): string {
  if (body === null || body === undefined) return "";
  return typeof body === "string" ? body : JSON.stringify(body);
}

function draw(): void {
  document.documentElement.lang = currentLanguage();
  document.title = t("title");
  render(page(), document.body);
}

drawWith(draw);
draw();
