import { swap } from "../make";

/** One entry of a list. */
export interface Row {
  readonly key: string;
  /** A row is drawn anew when this differs. */
  readonly version: string;
  draw(): HTMLElement;
}

/** Pixels of rows that are drawn above and below what is visible. */
const MARGIN = 600;
/** Pixels of a row that was not drawn yet. */
const ESTIMATE = 72;

/** Draws only the rows of a long list that are visible; the rest is empty space. */
export class WindowedList {
  readonly #drawn = new Map<string, { readonly version: string; readonly element: HTMLElement }>();
  readonly #heights = new Map<string, number>();
  #rows: readonly Row[] = [];
  #isPlanned = false;

  constructor(readonly element: HTMLElement) {
    const plan = () => this.#plan();
    window.addEventListener("scroll", plan, { passive: true });
    window.addEventListener("resize", plan);
    new ResizeObserver(plan).observe(element);
  }

  show(rows: readonly Row[]): void {
    this.#rows = rows;
    this.#paint();
  }

  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    requestAnimationFrame(() => {
      this.#isPlanned = false;
      this.#paint();
    });
  }

  #paint(): void {
    const { element } = this;
    if (element.closest("[hidden]")) return;
    const top = -element.getBoundingClientRect().top;
    let [before, after, offset] = [0, 0, 0];
    const visible: Row[] = [];
    for (const row of this.#rows) {
      const height = this.#heights.get(row.key) ?? ESTIMATE;
      if (offset + height < top - MARGIN) before += height;
      else if (offset > top + innerHeight + MARGIN) after += height;
      else visible.push(row);
      offset += height;
    }
    element.style.paddingTop = `${before}px`;
    element.style.paddingBottom = `${after}px`;
    this.#place(visible);
    for (const { key } of visible) this.#heights.set(key, this.#drawn.get(key)?.element.offsetHeight ?? ESTIMATE);
  }

  #place(visible: readonly Row[]): void {
    const keys = new Set(visible.map(({ key }) => key));
    for (const [key, { element }] of this.#drawn) {
      if (keys.has(key)) continue;
      element.remove();
      this.#drawn.delete(key);
    }
    let next = this.element.firstElementChild;
    for (const row of visible) {
      const old = this.#drawn.get(row.key);
      let element = old?.element;
      if (old?.version !== row.version || !element) {
        element = row.draw();
        if (old) {
          if (next === old.element) next = element;
          swap(old.element, element);
        }
        this.#drawn.set(row.key, { version: row.version, element });
      }
      if (element === next) next = element.nextElementSibling;
      else this.element.insertBefore(element, next);
    }
  }
}
