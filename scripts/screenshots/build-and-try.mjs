// The animated picture of the README: a call is built, deployed and tried in the sandbox.
import { createRequire } from "node:module";
import { Film, WIDTH } from "./film.mjs";

const require = createRequire(import.meta.url);
const { Editor } = require("../../dist/test/support/browser/editor.js");
const { Hand } = require("../../dist/test/support/browser/hand.js");
const { flowOf } = require("../../dist/test/support/browser/flows.js");
const { NodeRed } = require("../../dist/test/support/browser/node-red.js");

const SPOKEN = [
  { action: "talk", text: "Your order is ready.", textType: "str", voice: "lannhi", speed: "", loop: "1" },
];

/** Draws a moment at a time and writes them to a file. */
export async function buildAndTry(browser, file) {
  const nodeRed = await NodeRed.start(flowOf([]));
  try {
    const editor = await Editor.open(browser, nodeRed, { width: WIDTH });
    await Film.stage(editor);
    const film = new Film();
    await build(editor, (seconds) => film.show(editor.page, seconds));
    await film.write(editor.page, file);
  } finally {
    await nodeRed.stop();
  }
}

async function build(editor, show) {
  const { page } = editor;
  const hand = await Hand.on(editor);
  const chart = await page.locator("#red-ui-workspace-chart").boundingBox();
  const place = async (type, x, y) => {
    const id = await hand.place(type, x, y);
    await page.mouse.move(chart.x + 300, chart.y + 400);
    await show(0.9);
    return id;
  };

  await show(0.8);
  const inject = await place("inject", 200, 120);
  const call = await place("call-out", 420, 120);
  await hand.wire(inject, call);
  await page.mouse.move(chart.x + 300, chart.y + 400);
  await show(1);
  await page.evaluate(`RED.nodes.node(${JSON.stringify(call)}).actions = ${JSON.stringify(SPOKEN)}`);
  await editor.edit(call);
  await show(1.2);
  await editor.choose("#node-input-toNumber", "str");
  const number = page.locator("#node-input-toNumber + .red-ui-typedInput-container .red-ui-typedInput-input");
  await number.fill("");
  for (const digits of ["000", "000000", "0000000000"]) {
    await number.fill(digits);
    await number.press("Tab");
    await show(0.3);
  }
  await show(1.5);
  await editor.done();
  await show(0.8);
  await editor.deploy();
  await page.locator("#red-ui-header-button-deploy.disabled").waitFor();
  await show(1);
  await page.locator(`[id="${inject}"] .red-ui-flow-node-button-button`).click();
  await page
    .locator(".red-ui-flow-node-status-label")
    .filter({ hasText: /accepted/ })
    .waitFor();
  await page.mouse.move(chart.x + 300, chart.y + 400);
  await show(3);
}
