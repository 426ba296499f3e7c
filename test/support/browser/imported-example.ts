import { eventually } from "../process/eventually";
import { freePort } from "../process/free-port";
import type { Editor } from "./editor";

/** Something on the canvas, with its true edges. */
export interface Drawn {
  readonly id: string;
  readonly name: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export interface DrawnNode extends Drawn {
  readonly type: string;
  /** The problems behind the red triangle. */
  readonly problems: readonly string[];
}

export interface DrawnWire {
  readonly from: string;
  readonly to: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

/** One example of the package in the editor, from the Import dialog to the Debug sidebar, by hand as far as possible. */
export class ImportedExample {
  private constructor(
    readonly editor: Editor,
    readonly tab: string,
  ) {}

  /** Clicks Menu → Import → Examples → our package → the file; then shows its tab. */
  static async from(editor: Editor, name: string): Promise<ImportedExample> {
    const { page } = editor;
    const before = await tabs(editor);
    await page.click("#red-ui-header-button-sidemenu");
    await page.click("#menu-item-import");
    const dialog = page.locator("#red-ui-clipboard-dialog");
    const label = (text: string) => dialog.locator(".red-ui-treeList-label:visible").getByText(text, { exact: true });
    await dialog.getByRole("link", { name: "Examples" }).click();
    await label("@cloud-telephony/node-red-call-actions").click();
    // A moment after the dialog has opened, Node-RED disables the button for the empty text of another tab.
    await eventually(async () => {
      await label(name).click();
      await page.click("#red-ui-clipboard-dialog-ok", { timeout: 5000 });
      return true;
    });
    await page.waitForFunction(`RED.nodes.getWorkspaceOrder().length === ${before.length + 1}`);
    const tab = (await tabs(editor)).find((id) => !before.includes(id)) as string;
    await page.evaluate(`RED.workspaces.show(${JSON.stringify(tab)})`);
    await page.waitForFunction(`RED.nodes.filterNodes({ z: ${JSON.stringify(tab)} }).every(({ w }) => w > 0)`);
    const imported = new ImportedExample(editor, tab);
    await imported.#move(await freePort());
    return imported;
  }

  /** Moves its sandbox to a free port instead of one that may be in use, and its own requests, too. */
  async #move(port: number): Promise<void> {
    await this.editor.page.evaluate(`(() => {
      const nodes = RED.nodes.filterNodes({ z: ${JSON.stringify(this.tab)} });
      const tenants = new Set(nodes.map(({ tenant }) => tenant));
      RED.nodes.eachConfig((tenant) => {
        if (!tenants.has(tenant.id) || tenant.sandboxPort === "0") return;
        for (const node of nodes) if (node.url) node.url = node.url.replace(":" + tenant.sandboxPort + "/", ":${port}/");
        tenant.sandboxPort = "${port}";
      });
    })()`);
  }

  /** Lists its nodes, the config nodes among them; those that are drawn have edges, with their buttons. */
  nodes(): Promise<DrawnNode[]> {
    return this.editor.page.evaluate(`(() => {
      const drawn = RED.nodes.filterNodes({ z: ${JSON.stringify(this.tab)} });
      const used = new Set(drawn.map(({ tenant }) => tenant));
      const tenants = [];
      RED.nodes.eachConfig((node) => { if (used.has(node.id)) tenants.push(node); });
      return [...drawn, ...tenants].map((node) => {
        RED.editor.validateNode(node);
        const { id, type, x, y, w, h, validationErrors } = node;
        const button = (side) => (node._def.button && (node._def.align ?? "left") === side ? 20 : 0);
        return {
          id, type, name: node.name || RED.utils.getNodeLabel(node), problems: node.valid ? [] : validationErrors ?? ["unknown"],
          left: x - w / 2 - button("left"), right: x + w / 2 + button("right"), top: y - h / 2, bottom: y + h / 2,
        };
      });
    })()`);
  }

  /** Lists its nodes as a deploy would write them, without what an import makes anew. */
  written(): Promise<Record<string, unknown>[]> {
    return this.editor.page.evaluate(
      `RED.nodes.createCompleteNodeSet().filter(({ z }) => z === ${JSON.stringify(this.tab)})`,
    );
  }

  groups(): Promise<Drawn[]> {
    return this.editor.page.evaluate(`RED.nodes.groups(${JSON.stringify(this.tab)}).map(({ id, name, x, y, w, h }) =>
      ({ id, name, left: x, right: x + w, top: y, bottom: y + h }))`);
  }

  /** The wires as the browser draws them. */
  wires(): Promise<DrawnWire[]> {
    return this.editor.page.evaluate(`[...document.querySelectorAll(".red-ui-flow-link-line")]
      .filter((path) => path.parentNode.__data__.source.z === ${JSON.stringify(this.tab)})
      .map((path) => {
        const { source, target } = path.parentNode.__data__;
        const steps = Array.from({ length: Math.ceil(path.getTotalLength() / 3) }, (_, step) => path.getPointAtLength(step * 3));
        return { from: source.id, to: target.id, points: steps.map(({ x, y }) => [x, y]) };
      })`);
  }

  /** The places of statuses, with the longest text that a node of the package shows in English, in sandbox mode. */
  statuses(): Promise<Drawn[]> {
    return this.editor.page.evaluate(`(() => {
      const nodes = RED.nodes.filterNodes({ z: ${JSON.stringify(this.tab)} }).filter(({ tenant }) => tenant);
      for (const node of nodes) {
        const texts = { "call-list": "sandbox: 312 of 850, 4 not called, until about Mon 14:20" };
        const others = node.type.startsWith("call-") ? "sandbox: may have been transferred" : "sandbox: closed until Mon 08:00";
        const text = texts[node.type] ?? others;
        Object.assign(node, { status: { fill: "yellow", shape: "ring", text }, dirtyStatus: true, dirty: true });
      }
      // At once: on a busy machine the next frame may be far.
      RED.view.redraw(true, true);
      return nodes.map(({ id, name, x, y, w, h }) => {
        const node = document.getElementById(id);
        const whole = node.querySelector(".red-ui-flow-node").getBoundingClientRect();
        const status = node.querySelector(".red-ui-flow-node-status-group").getBoundingClientRect();
        const left = x - w / 2 + status.left - whole.left;
        const top = y - h / 2 + status.top - whole.top;
        return { id, name, left, right: left + status.width, top, bottom: top + status.height };
      });
    })()`);
  }

  /** Clicks the button of an Inject node. */
  async press(inject: string): Promise<void> {
    const { page } = this.editor;
    const id = await page.evaluate(
      `RED.nodes.filterNodes({ z: ${JSON.stringify(this.tab)}, type: "inject" }).find(({ name }) => name === ${JSON.stringify(inject)})?.id`,
    );
    if (!id) throw new Error(`There is no Inject node "${inject}"`);
    await page.locator(`[id="${id}"] .red-ui-flow-node-button-button`).click();
  }
}

function tabs(editor: Editor): Promise<string[]> {
  return editor.page.evaluate("RED.nodes.getWorkspaceOrder().slice()");
}
