import type { Page } from "playwright-core";

/** A visible text and its contrast to the background, from 1 (the same color) to 21. */
export interface Seen {
  readonly text: string;
  readonly ratio: number;
}

/** By WCAG's formula; 4.5 is what it asks of texts. A color is painted to learn what it is, since CSS writes it in many ways. */
const MEASURE = `(selector) => {
  const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const painted = (colors) => {
    context.clearRect(0, 0, 1, 1);
    for (const color of colors) {
      context.fillStyle = color;
      context.fillRect(0, 0, 1, 1);
    }
    return context.getImageData(0, 0, 1, 1).data;
  };
  const luminance = (colors) => {
    const [red, green, blue] = [...painted(colors)].map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const behind = (element) =>
    element ? [...behind(element.parentElement), getComputedStyle(element).backgroundColor] : ["white"];
  const own = (element) => [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE)
    .map((node) => node.textContent.trim()).join(" ").trim();
  return [...document.querySelectorAll(selector)]
    .filter((element) => element.checkVisibility() && own(element) !== "")
    .map((element) => {
      const back = behind(element);
      const [dark, light] = [luminance(back), luminance([...back, getComputedStyle(element).color])].sort((a, b) => a - b);
      return { text: own(element), ratio: (light + 0.05) / (dark + 0.05) };
    });
}`;

/** Measures the texts of all elements that match. */
export function contrasts(page: Page, selector: string): Promise<Seen[]> {
  return page.evaluate(`(${MEASURE})(${JSON.stringify(selector)})`);
}
