import { html, type Markup } from "../../page/markup";
import type { Key, ReportTexts } from "./texts";

/** Rows that are shown at once, and in each part that is folded away: a browser lays out no more of them at a time. */
const FIRST = 200;
const PART = 5000;

interface Column<Row> {
  readonly title: Key;
  readonly className?: string;
  readonly cell: (row: Row) => Markup | string | null | readonly Markup[];
}

/** A table that begins with its first rows: a campaign has 100,000 calls. */
export function table<Row>(
  texts: ReportTexts,
  title: Key,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  empty?: Key,
): Markup | undefined {
  if (rows.length === 0)
    return (
      empty &&
      html`<section id="${title}"><h2>${texts.text(title)}</h2><p class="soft">${texts.text(empty)}</p></section>`
    );
  const cells = (row: Row) => columns.map(({ className, cell }) => html`<td class="${className}">${cell(row)}</td>`);
  const part = (some: readonly Row[]) => html`<div class="scroll"><table class="rows">
<thead><tr>${columns.map((column) => html`<th scope="col">${texts.text(column.title)}</th>`)}</tr></thead>
<tbody>${some.map((row) => html`<tr>${cells(row)}</tr>\n`)}</tbody>
</table></div>`;
  const parts = Array.from({ length: Math.ceil((rows.length - FIRST) / PART) }, (_, index) =>
    rows.slice(FIRST + index * PART, FIRST + (index + 1) * PART),
  );
  const more = parts.map(
    (some) => html`<details>
<summary>${texts.text("more", { count: texts.count(some.length) })}</summary>${part(some)}
</details>`,
  );
  return html`<section id="${title}">
<h2>${texts.text(title)} <span class="soft">${texts.count(rows.length)}</span></h2>
${part(rows.slice(0, FIRST))}${more}
</section>`;
}
