import { html, nothing, type TemplateResult } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";
import { t } from "../texts";

const MOST_ROWS = 200;

/**
 * The first rows of a list that has the newest first.
 * @param all how many there are, of which `rows` may be a part
 */
export function newest<T>(
  id: string,
  rows: readonly T[],
  keyOf: (row: T) => unknown,
  draw: (row: T) => TemplateResult,
  all = rows.length,
): TemplateResult {
  const shown = rows.slice(0, MOST_ROWS);
  return html`${all > shown.length ? html`<p class="soft none">${t("newestOf", { count: shown.length, all })}</p>` : nothing}
    <div class="list" id=${id}>${repeat(shown, keyOf, draw)}</div>`;
}
