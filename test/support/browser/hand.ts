import type { Locator, Page } from "playwright-core";

const COUNT = `(() => {
  window.pressesOfTheHand = 0;
  window.addEventListener("mousedown", ({ isTrusted }) => { if (isTrusted) window.pressesOfTheHand += 1; }, true);
})()`;

/** A place on the page. */
type Point = readonly [x: number, y: number];

/**
 * A user's hand on mouse and keyboard. The browser itself counts how often a mouse button goes down, so a double click
 * counts as two and a drag as one.
 */
export class Hand {
  private constructor(private readonly page: Page) {}

  static async on(page: Page): Promise<Hand> {
    await page.evaluate(COUNT);
    return new Hand(page);
  }

  /** How often the mouse button went down so far. */
  clicks(): Promise<number> {
    return this.page.evaluate("window.pressesOfTheHand");
  }

  async click(target: Locator): Promise<void> {
    await target.click();
  }

  async doubleClick(target: Locator): Promise<void> {
    await target.dblclick();
  }

  /** Presses on one place, moves, and lets go at another. */
  async drag(from: Point, to: Point): Promise<void> {
    const { mouse } = this.page;
    await mouse.move(...from);
    await mouse.down();
    // Node-RED and jQuery UI treat a move of a few pixels as a click.
    await mouse.move((from[0] + to[0]) / 2, (from[1] + to[1]) / 2, { steps: 4 });
    await mouse.move(...to, { steps: 4 });
    await mouse.up();
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }
}

/** The middle of an element, which is scrolled into view as a wheel would. */
export async function middleOf(target: Locator): Promise<Point> {
  await target.scrollIntoViewIfNeeded();
  const box = await target.boundingBox();
  if (!box) throw new Error(`${target} is not on the page`);
  return [box.x + box.width / 2, box.y + box.height / 2];
}
