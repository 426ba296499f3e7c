import { type Browser, chromium, type Locator, type Page } from "playwright-core";
import { assertValid } from "../schemas";
import type { NodeRed } from "./node-red";

/** Beside what Playwright gives every browser. */
const ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-quic"];

/** Node-RED's own: a tip that is due before its sidebar is there. */
const EARLY_TIP =
  /^TypeError: Cannot read properties of undefined \(reading 'html'\)\n *at \w+ \(\S*\/red\.min\.js\S*\)$/;

/** For what a browser does. A busy machine may take a minute to start one, or to open a page. */
export const LIMIT_MS = 150_000;

export function launch(): Promise<Browser> {
  const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
  return chromium.launch({ executablePath, args: ARGUMENTS, timeout: LIMIT_MS });
}

export interface Options {
  readonly dark?: boolean;
  readonly width?: number;
  readonly locale?: string;
  readonly timezone?: string;
}

const nodeOf = (id: string) => `RED.nodes.node(${JSON.stringify(id)})`;

/** The nodes of the flow as Node-RED would deploy them, without those that it marks as wrong. */
const VALID_NODES = `RED.nodes.createCompleteNodeSet({ credentials: false })
  .filter(({ id }) => RED.nodes.node(id)?.valid !== false)`;

/** The flow editor in a browser, driven as a user would. */
export class Editor {
  /** Errors and warnings of the browser. */
  readonly complaints: string[] = [];

  page!: Page;
  /** The node whose dialog was opened last. */
  #edited: string | undefined;
  nodeRed!: NodeRed;

  static async open(browser: Browser, nodeRed: NodeRed, options: Options = {}): Promise<Editor> {
    const editor = new Editor();
    editor.nodeRed = nodeRed;
    await editor.visit(browser, options);
    return editor;
  }

  /** Opens the editor of its Node-RED. */
  async visit(browser: Browser, options: Options = {}): Promise<void> {
    this.page = await browser.newPage({
      viewport: { width: options.width ?? 1200, height: 900 },
      colorScheme: options.dark ? "dark" : "light",
      locale: options.locale ?? "en-US",
      ...(options.timezone !== undefined && { timezoneId: options.timezone }),
    });
    this.page.setDefaultTimeout(LIMIT_MS);
    this.page.on("pageerror", (error) => {
      const stack = error.stack ?? String(error);
      if (!EARLY_TIP.test(stack)) this.complaints.push(stack);
    });
    this.page.on("console", (message) => {
      const text = message.text();
      // Node-RED reports a dialog that fails to open by console.log.
      const failed =
        message.type() === "error" || /oneditprepare|oneditsave|Validation error|Definition error/.test(text);
      if (failed && !/favicon|Failed to load resource/.test(text)) this.complaints.push(text);
    });
    await this.page.goto(this.nodeRed.url);
    await this.#ready();
    if (options.dark) await this.page.evaluate("document.documentElement.classList.add('nr-theme-dark')");
  }

  /** The node of the canvas that has this label. */
  labelled(label: string): Locator {
    return this.page.locator(".red-ui-flow-node-group", { hasText: label });
  }

  /** A port of such a node. */
  port(label: string, side: "input" | "output"): Locator {
    return this.labelled(label).locator(`.red-ui-flow-port-${side} rect`);
  }

  /** Drags one thing to another, or to a place on the screen. */
  async drag(what: Locator, to: Locator | readonly [x: number, y: number]): Promise<void> {
    const { mouse } = this.page;
    await what.scrollIntoViewIfNeeded();
    await mouse.move(...(await middleOf(what)));
    await mouse.down();
    await mouse.move(...("waitFor" in to ? await middleOf(to) : to), { steps: 10 });
    await mouse.up();
  }

  /** Opens the dialog of such a node with the mouse. */
  async open(label: string): Promise<void> {
    await this.page.mouse.dblclick(...(await middleOf(this.labelled(label))));
    await this.page.locator("#node-dialog-ok").waitFor();
    await this.settled();
  }

  /** Reads Node-RED's major version. */
  async version(): Promise<number> {
    return Number.parseInt(await this.page.evaluate("RED.settings.version"), 10);
  }

  async #ready(): Promise<void> {
    await this.page.waitForFunction(
      "window.RED && RED.nodes && RED.nodes.getType('call-out') && document.querySelector('#red-ui-workspace-chart .red-ui-workspace-chart-background, #red-ui-workspace-chart svg')",
    );
    await this.page.waitForFunction(
      "!document.querySelector('#red-ui-loading-progress:not([style*=none])') || getComputedStyle(document.querySelector('#red-ui-loading-progress')).display === 'none'",
    );
    // A menu that still unfolds may move between a press and its release: the browser then sees no click.
    await this.page.evaluate(`(() => {
      $.fx.off = true;
      window.startedRevisions = new Set([RED.nodes.version()]);
      RED.comms.subscribe("notification/runtime-deploy", (_, { revision }) => startedRevisions.add(revision));
    })()`);
  }

  /** Chooses in the user settings, and loads the page again, so that the choice applies. */
  async setUp(setting: string, value: string): Promise<void> {
    await this.inSettings((select) => this.page.selectOption(select(setting), value));
    await this.reload();
  }

  /** Loads the page again. */
  async reload(): Promise<void> {
    await this.page.reload();
    await this.#ready();
  }

  /** Opens the user settings for a while; a setting is found by its name. */
  async inSettings<Result>(use: (select: (setting: string) => string) => Promise<Result>): Promise<Result> {
    // A test that failed may have left its dialog behind.
    if ((await this.page.locator(".red-ui-tray").count()) > 0) await this.cancel();
    await this.page.evaluate("RED.actions.invoke('core:show-user-settings')");
    await this.page.locator("#user-settings-editor-language").waitFor();
    await this.settled();
    const result = await use((setting) => `#user-settings-${setting}`);
    await this.page.locator("#node-dialog-ok").click();
    await this.#closed();
    return result;
  }

  /** Opens the dialog of a node, or of a config node. */
  async edit(id: string): Promise<void> {
    this.#edited = id;
    // A test that failed may have left its dialog behind.
    if ((await this.page.locator(".red-ui-tray").count()) > 0) await this.cancel();
    await this.page.evaluate(`(() => {
      const node = ${nodeOf(id)};
      if (node._def.category === "config") RED.editor.editConfig("", node.type, node.id);
      else RED.editor.edit(node);
    })()`);
    await this.#doneButton().waitFor();
    await this.settled();
  }

  /** Opens the dialog of a node and leaves it with Done, as it is. */
  async reopen(id: string): Promise<void> {
    await this.edit(id);
    await this.done();
  }

  async done(): Promise<void> {
    await this.#doneButton().click();
    await this.#closed();
    const saved = (await this.page.evaluate(VALID_NODES)) as { readonly id: string; readonly type: string }[];
    // Others may be as somebody wrote them.
    for (const node of saved) if (node.id === this.#edited) assertValid(node);
  }

  async cancel(): Promise<void> {
    await this.page.locator("#node-dialog-cancel, #node-config-dialog-cancel").last().click();
    await this.#closed();
  }

  /** Waits for a tray to be gone. Node-RED cleans up after it in the same task, so that nothing is left to be done then. */
  async #closed(): Promise<void> {
    await this.page.waitForFunction(
      "!document.querySelector('.red-ui-tray') && RED.editor.getEditStack().length === 0",
    );
  }

  #doneButton(): Locator {
    return this.page.locator("#node-dialog-ok, #node-config-dialog-ok").last();
  }

  /** Waits for trays to slide in, and for credentials from the server before a dialog gets its fields; all can be used afterwards. */
  async settled(): Promise<void> {
    await this.page.waitForFunction(
      `(() => {
        const tray = [...document.querySelectorAll(".red-ui-tray")].at(-1);
        if (!tray) return true;
        const isIn = tray.style.right === "0px" && getComputedStyle(tray).right === "0px";
        return isIn && tray.querySelector(".red-ui-tray-body").hasChildNodes();
      })()`,
      undefined,
      { polling: 120 },
    );
  }

  /**
   * Deploys everything, confirming the editor's questions, until the flows have started; returns them as the server has them then.
   * Asks again, because Node-RED 4 ignores a deploy right after another one.
   */
  async deploy(): Promise<Record<string, unknown>[]> {
    await this.page.waitForFunction(
      `(() => {
        if (!RED.nodes.dirty()) return startedRevisions.has(RED.nodes.version());
        const confirm = document.getElementById("red-ui-deploy-dialog-confirm-deploy-deploy");
        if (confirm) confirm.click();
        else RED.actions.invoke("core:deploy-flows");
        return false;
      })()`,
      undefined,
      { polling: 100 },
    );
    return this.nodeRed.flows();
  }

  /** Deploys everything; returns a node as the server has it then. */
  async deployed(id: string): Promise<Record<string, unknown>> {
    return (await this.deploy()).find((node) => node["id"] === id) ?? {};
  }

  /** Drops a node from the palette; returns its id. */
  drop(type: string): Promise<string> {
    return this.page.evaluate(`(() => {
      const { node, historyEvent } = RED.view.createNode(${JSON.stringify(type)}, 300, 300);
      RED.history.push(historyEvent);
      RED.nodes.add(node);
      RED.editor.validateNode(node);
      RED.nodes.dirty(true);
      RED.view.redraw(true);
      return node.id;
    })()`);
  }

  /** A node as a deploy would write it. */
  written(id: string): Promise<Record<string, unknown>> {
    return this.page.evaluate(`RED.nodes.createCompleteNodeSet().find((node) => node.id === ${JSON.stringify(id)})`);
  }

  /** The value of a node's property in the editor. */
  property(id: string, name: string): Promise<unknown> {
    return this.page.evaluate(`${nodeOf(id)}[${JSON.stringify(name)}]`);
  }

  /** Gives a node other properties, without its dialog. */
  async change(id: string, properties: object): Promise<void> {
    await this.page.evaluate(`void Object.assign(${nodeOf(id)}, ${JSON.stringify(properties)})`);
  }

  /** Adds nodes to the flow. */
  async import(...nodes: readonly object[]): Promise<void> {
    await this.page.evaluate(`void RED.nodes.import(${JSON.stringify(nodes)})`);
  }

  /** The label of a node on the canvas. */
  label(id: string): Promise<string> {
    return this.page.evaluate(`RED.utils.getNodeLabel(${nodeOf(id)})`);
  }

  /** The problems that the editor reports for a node. */
  problems(id: string): Promise<string[]> {
    return this.page.evaluate(`(RED.editor.validateNode(${nodeOf(id)}), ${nodeOf(id)}.validationErrors)`);
  }

  /** Waits until an element shows a text. */
  async shows(selector: string, text: string | RegExp): Promise<void> {
    const place = this.page.locator(selector);
    try {
      await place.filter({ hasText: text }).waitFor();
    } catch (error) {
      throw new Error(`${selector} shows ${JSON.stringify(await place.allTextContents())}`, { cause: error });
    }
  }

  /** Opens the menu of schedules beside an input; returns its entries. */
  async schedules(input: string): Promise<Locator> {
    await this.page.click(`${input} + .red-ui-typedInput-container .red-ui-typedInput-option-expand`);
    return this.page.locator(".red-ui-popover-panel:visible .red-ui-menu li");
  }

  /** Opens the dialog of a new tenant from that of a node. */
  async addTenant(): Promise<void> {
    await this.page.click("#node-input-btn-tenant-add");
    await this.page.locator("#node-config-dialog-ok").waitFor();
    await this.settled();
  }

  /** Chooses a type in a typed input by its menu, then types a value where one is given. */
  async choose(input: string, type: string, value?: string): Promise<void> {
    const container = this.page.locator(`${input} + .red-ui-typedInput-container`);
    await this.openFold(input);
    if ((await this.page.evaluate(`$(${JSON.stringify(input)}).typedInput("type")`)) !== type) {
      await container.locator(".red-ui-typedInput-type-select").click();
      await this.#pick(type);
    }
    if (value === undefined) return;
    const options = container.locator(".red-ui-typedInput-option-trigger");
    if (await options.isVisible()) {
      await options.click();
      await this.#pick(value);
    } else await container.locator(".red-ui-typedInput-input").fill(value);
    await this.page.keyboard.press("Tab");
  }

  async #pick(value: string): Promise<void> {
    const menu = this.page.locator(".red-ui-typedInput-options:visible");
    await menu.locator(`a[value="${value}"]`).click();
    await menu.waitFor({ state: "hidden" });
  }

  /** Opens all folded sections of the dialog. */
  async unfold(): Promise<void> {
    await this.page.evaluate("void $('.red-ui-tray details').prop('open', true)");
  }

  /** Opens the folded section that an input is in. */
  async openFold(input: string): Promise<void> {
    await this.page.evaluate(`$(${JSON.stringify(input)}).closest("details").prop("open", true)`);
  }

  /** Opens another editor of the same Node-RED. */
  beside(options: Options): Promise<Editor> {
    return Editor.open(this.page.context().browser() as Browser, this.nodeRed, options);
  }

  close(): Promise<void> {
    return this.page.close();
  }
}

async function middleOf(what: Locator): Promise<readonly [x: number, y: number]> {
  await what.waitFor();
  const { x, y, width, height } = (await what.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  return [x + width / 2, y + height / 2];
}
