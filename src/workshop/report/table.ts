import { html, type Markup } from "../../page/markup";
import { type Budget, folded } from "./rows";
import type { Key, ReportTexts } from "./texts";

interface Column<Row> {
  readonly title: Key;
  readonly className?: string;
  readonly cell: (row: Row) => Markup | string | null | readonly Markup[];
}

/** A table with a title, if there are rows. */
export function table<Row>(
  texts: ReportTexts,
  budget: Budget,
  title: Key,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
): Markup | undefined {
  if (rows.length === 0) return undefined;
  const shown = budget.take(rows, (row) => {
    const cells = columns.map(({ className, cell }) => html`<td class="${className}">${cell(row)}</td>`);
    return html`<tr>${cells}</tr>\n`;
  });
  const part = (some: readonly Markup[]) => html`<div class="scroll"><table class="rows">
<thead><tr>${columns.map((column) => html`<th scope="col">${texts.text(column.title)}</th>`)}</tr></thead>
<tbody>${some}</tbody>
</table></div>`;
  return html`<section id="${title}">
<h2>${texts.text(title)} <span class="soft">${texts.count(rows.length)}</span></h2>
${folded(texts, shown, rows.length, part)}
</section>`;
}
