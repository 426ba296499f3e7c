import { strict as assert } from "node:assert";
import type { Browser } from "playwright-core";
import { Editor, launch, type Options } from "./editor";
import { type Flow, NodeRed, type Settings } from "./node-red";

/** One for all suites of a run: each start takes a second. */
let browser: Promise<Browser> | undefined;
after(async () => (await browser)?.close());

/**
 * A Node-RED and its editor for a suite, whose tests fail if the browser complains.
 * @param flow or what makes one once the suite begins
 */
export function withEditor(
  flow: Flow | (() => Flow | Promise<Flow>),
  { settings, ...options }: Options & { readonly settings?: Settings } = {},
): Editor {
  const editor = new Editor();
  before(async () => {
    browser ??= launch();
    editor.nodeRed = await NodeRed.start(typeof flow === "function" ? await flow() : flow, settings);
    await editor.visit(await browser, options);
  });
  afterEach(() => assert.deepEqual(editor.complaints, []));
  after(async () => {
    await editor.page?.close();
    await editor.nodeRed?.stop();
  });
  return editor;
}
