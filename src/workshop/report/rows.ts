import { html, type Markup } from "../../page/markup";
import type { ReportTexts } from "./texts";

/** The bytes that the rows of a page may take, so that every browser can open it. */
const ROOM_BYTES = 2_500_000;
/** Rows that are shown at once, and in each part that is folded away: a browser lays out no more of them at a time. */
const FIRST = 200;
const PART = 5000;

/** The room for rows that a page has left. */
export class Budget {
  #left = ROOM_BYTES;

  /** Takes the first rows for which there is room. */
  take<Row>(rows: readonly Row[], show: (row: Row) => Markup): readonly Markup[] {
    const shown: Markup[] = [];
    for (const row of rows) {
      const markup = show(row);
      this.#left -= Buffer.byteLength(markup.html);
      if (this.#left < 0) break;
      shown.push(markup);
    }
    return shown;
  }
}

/**
 * Shows the first rows, and folds the others away: a campaign has many calls.
 * @param rows those for which there is room
 * @param count of all rows
 * @param part shows some of them
 */
export function folded<Row>(
  texts: ReportTexts,
  rows: readonly Row[],
  count: number,
  part: (some: readonly Row[]) => Markup,
): Markup {
  const parts = Array.from({ length: Math.ceil((rows.length - FIRST) / PART) }, (_, index) =>
    rows.slice(FIRST + index * PART, FIRST + (index + 1) * PART),
  );
  const more = parts.map(
    (some) => html`<details>
<summary>${texts.text("more", { count: texts.count(some.length) })}</summary>${part(some)}
</details>`,
  );
  const left = count - rows.length;
  return html`${part(rows.slice(0, FIRST))}${more}
${left > 0 ? html`<p class="notice">${texts.text("leftOut", { count: texts.count(left) })}</p>` : ""}`;
}
