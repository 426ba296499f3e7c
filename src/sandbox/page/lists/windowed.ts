import { html, type TemplateResult } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";
import { redraw } from "../redraw";

/** Pixels of rows that are drawn above and below the visible part. */
const MARGIN = 600;
/** Pixels of a row that has not been drawn yet. */
const ESTIMATE = 72;

/** Draws only the visible rows of a long list; empty space stands for the rest. */
export class WindowedList<T> {
  readonly #id: string;
  readonly #keyOf: (row: T) => string;
  readonly #draw: (row: T) => TemplateResult;
  readonly #heights = new Map<string, number>();
  #visible: readonly T[] = [];

  constructor(id: string, keyOf: (row: T) => string, draw: (row: T) => TemplateResult) {
    this.#id = id;
    this.#keyOf = keyOf;
    this.#draw = draw;
    window.addEventListener("scroll", redraw, { passive: true });
    window.addEventListener("resize", redraw);
  }

  render(rows: readonly T[]): TemplateResult {
    const top = -(document.getElementById(this.#id)?.getBoundingClientRect().top ?? 0);
    let [before, after, offset] = [0, 0, 0];
    const visible: T[] = [];
    for (const row of rows) {
      const height = this.#heights.get(this.#keyOf(row)) ?? ESTIMATE;
      if (offset + height < top - MARGIN) before += height;
      else if (offset > top + innerHeight + MARGIN) after += height;
      else visible.push(row);
      offset += height;
    }
    this.#visible = visible;
    // Set as a property: the page's policy forbids style attributes.
    return html`<div class="list" id=${this.#id} .style=${`padding: ${before}px 0 ${after}px`}>
      ${repeat(visible, this.#keyOf, this.#draw)}
    </div>`;
  }

  /** Call after drawing: rows that are higher or lower than assumed move the others. */
  measure(): void {
    const children = document.getElementById(this.#id)?.children ?? [];
    for (const [index, row] of this.#visible.entries()) {
      const height = (children[index] as HTMLElement | undefined)?.offsetHeight ?? 0;
      if (height === 0 || height === this.#heights.get(this.#keyOf(row))) continue;
      this.#heights.set(this.#keyOf(row), height);
      redraw();
    }
  }
}
