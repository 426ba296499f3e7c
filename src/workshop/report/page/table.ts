import { html, nothing, type TemplateResult } from "lit-html";
import { redraw } from "../../../sandbox/page/redraw";
import { count, type Key, t } from "./texts";

const STEP = 200;

interface Column<Row> {
  readonly title: Key;
  readonly className?: string;
  readonly cell: (row: Row) => unknown;
}

/** How many rows of a table are shown. */
const lengths = new Map<Key, number>();

/** A table that shows its first rows, and more when asked: a campaign has 100,000 calls. */
export function table<Row>(
  title: Key,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  empty?: Key,
): TemplateResult | typeof nothing {
  if (rows.length === 0)
    return empty ? html`<section id=${title}><h2>${t(title)}</h2><p class="soft">${t(empty)}</p></section>` : nothing;
  const length = lengths.get(title) ?? STEP;
  const more = () => {
    lengths.set(title, length * 5);
    redraw();
  };
  const left = rows.length - length;
  const line = (row: Row) =>
    html`<tr>
    ${columns.map(({ className, cell }) => html`<td class=${className ?? nothing}>${cell(row)}</td>`)}
  </tr>`;
  return html`<section id=${title}>
    <h2>${t(title)} <span class="soft">${count(rows.length)}</span></h2>
    <div class="scroll">
      <table class="rows">
        <thead><tr>${columns.map((column) => html`<th scope="col">${t(column.title)}</th>`)}</tr></thead>
        <tbody>${rows.slice(0, length).map(line)}</tbody>
      </table>
    </div>
    ${left > 0 ? html`<button @click=${more}>${t("more", { count: count(left) })}</button>` : nothing}
  </section>`;
}
