import { strict as assert } from "node:assert";
import type { Locator } from "playwright-core";
import type { Editor } from "./editor";

const COUNT = `(() => {
  window.pressesOfTheHand = 0;
  window.addEventListener("mousedown", ({ isTrusted }) => { if (isTrusted) window.pressesOfTheHand += 1; }, true);
})()`;

/** The nodes of the tab in front. */
const IDS = "RED.nodes.filterNodes({ z: RED.workspaces.active() }).map(({ id }) => id)";

/** A place on the page. */
type Point = readonly [x: number, y: number];

/**
 * A user's hand on mouse and keyboard. The browser itself counts how often a mouse button goes down, so a double click
 * counts as two and a drag as one.
 */
export class Hand {
  private constructor(private readonly editor: Editor) {}

  static async on(editor: Editor): Promise<Hand> {
    await editor.page.evaluate(COUNT);
    return new Hand(editor);
  }

  /** How often the mouse button went down so far. */
  clicks(): Promise<number> {
    return this.editor.page.evaluate("window.pressesOfTheHand");
  }

  /** Presses on one place, moves, and lets go at another. */
  async drag(from: Point, to: Point): Promise<void> {
    const { mouse } = this.editor.page;
    await mouse.move(...from);
    await mouse.down();
    // Node-RED and jQuery UI treat a move of a few pixels as a click.
    await mouse.move((from[0] + to[0]) / 2, (from[1] + to[1]) / 2, { steps: 4 });
    await mouse.move(...to, { steps: 4 });
    await mouse.up();
  }

  /** Drags a node out of the palette, and returns its id; `x` and `y` count from the corner of the canvas. */
  async place(type: string, x: number, y: number): Promise<string> {
    const { page } = this.editor;
    const before = (await page.evaluate(IDS)) as string[];
    const canvas = await page.locator("#red-ui-workspace-chart").boundingBox();
    assert.ok(canvas);
    const entry = page.locator(`.red-ui-palette-node[data-palette-type="${type}"]`);
    await this.drag(await middleOf(entry), [canvas.x + x, canvas.y + y]);
    const id = ((await page.evaluate(IDS)) as string[]).find((id) => !before.includes(id));
    return id ?? assert.fail(`No ${type} was dropped`);
  }

  async wire(from: string, to: string, output = 0): Promise<void> {
    const port = (id: string, kind: string, index: number) =>
      middleOf(this.editor.page.locator(`[id="${id}"] .red-ui-flow-port-${kind}`).nth(index));
    await this.drag(await port(from, "output", output), await port(to, "input", 0));
  }

  /** Opens a dialog by a double click. */
  async open(id: string): Promise<void> {
    await this.editor.page.locator(`[id="${id}"] .red-ui-flow-node`).dblclick();
    await this.editor.page.locator("#node-dialog-ok").waitFor();
    await this.editor.settled();
  }

  /** Adds a tenant as its dialog comes. */
  async addTenant(): Promise<void> {
    await this.editor.addTenant();
    const done = this.editor.page.locator("#node-config-dialog-ok");
    await done.click();
    await done.waitFor({ state: "detached" });
    await this.editor.settled();
  }

  async deploy(): Promise<void> {
    await this.editor.page.click("#red-ui-header-button-deploy");
    await this.editor.page.waitForFunction("!RED.nodes.dirty()");
  }

  async type(text: string): Promise<void> {
    await this.editor.page.keyboard.type(text);
  }
}

/** The middle of an element, which is scrolled into view as a wheel would. */
async function middleOf(target: Locator): Promise<Point> {
  await target.scrollIntoViewIfNeeded();
  const box = await target.boundingBox();
  if (!box) throw new Error(`${target} is not on the page`);
  return [box.x + box.width / 2, box.y + box.height / 2];
}
