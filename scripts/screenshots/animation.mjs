// The animated picture of the README: a call is built, deployed and tried in the sandbox.
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import gifenc from "gifenc";

const require = createRequire(import.meta.url);
const { Editor } = require("../../dist/test/support/browser/editor.js");
const { Hand, middleOf } = require("../../dist/test/support/browser/hand.js");
const { flowOf } = require("../../dist/test/support/browser/flows.js");
const { NodeRed } = require("../../dist/test/support/browser/node-red.js");

const WIDTH = 1100;
const HEIGHT = 640;
/** The last of 256 colours stands for pixels that are as in the frame before. */
const UNCHANGED = 255;
const SPOKEN = [
  { action: "talk", text: "Your order is ready.", textType: "str", voice: "lannhi", speed: "", loop: "1" },
];
const HIDDEN = "#red-ui-notifications, .red-ui-tips, .red-ui-sidebar-info-tips { display: none !important }";

/** Draws a moment at a time and writes them to a file. */
export async function animate(browser, file) {
  const nodeRed = await NodeRed.start(flowOf([]));
  try {
    const editor = await Editor.open(browser, nodeRed, { width: WIDTH });
    await editor.page.setViewportSize({ width: WIDTH, height: HEIGHT });
    await editor.page.addStyleTag({ content: HIDDEN });
    const moments = [];
    const show = async (seconds) => {
      // A click on a node may have scrolled the canvas.
      await editor.page.evaluate("document.querySelector('#red-ui-workspace-chart').scrollTo(0, 0)");
      moments.push({ png: await editor.page.screenshot(), delay: seconds * 1000 });
    };
    await build(editor, show);
    writeFileSync(file, encode(await pixelsOf(editor.page, moments)));
  } finally {
    await nodeRed.stop();
  }
}

async function build(editor, show) {
  const { page } = editor;
  const hand = await Hand.on(page);
  const chart = await page.locator("#red-ui-workspace-chart").boundingBox();
  const place = async (type, x, y) => {
    await hand.drag(await middleOf(page.locator(`[data-palette-type="${type}"]`)), [chart.x + x, chart.y + y]);
    await page.mouse.move(chart.x + 300, chart.y + 400);
    const id = await page.evaluate(`RED.nodes.filterNodes({ type: ${JSON.stringify(type)} })[0].id`);
    await show(0.9);
    return id;
  };
  const port = (id, kind) => middleOf(page.locator(`[id="${id}"] .red-ui-flow-port-${kind}`).first());

  await show(0.8);
  const inject = await place("inject", 200, 120);
  const call = await place("call-out", 420, 120);
  await hand.drag(await port(inject, "output"), await port(call, "input"));
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

/** Decodes the pictures where there is a decoder: in the browser. */
async function pixelsOf(page, moments) {
  const decode = `async (png) => {
    const picture = await createImageBitmap(await (await fetch("data:image/png;base64," + png)).blob());
    const canvas = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
    canvas.drawImage(picture, 0, 0);
    const bytes = canvas.getImageData(0, 0, picture.width, picture.height).data;
    return new Promise((resolve) => {
      const reader = new FileReader();
      reader.onload = () => resolve(reader.result.split(",")[1]);
      reader.readAsDataURL(new Blob([bytes]));
    });
  }`;
  const frames = [];
  for (const { png, delay } of moments) {
    const base64 = await page.evaluate(`(${decode})("${png.toString("base64")}")`);
    frames.push({ pixels: new Uint8ClampedArray(Buffer.from(base64, "base64")), delay });
  }
  return frames;
}

function encode(frames) {
  const { applyPalette, GIFEncoder, quantize } = gifenc;
  const gif = GIFEncoder();
  let before;
  for (const { pixels, delay } of frames) {
    const palette = quantize(pixels, UNCHANGED);
    const indexes = applyPalette(pixels, palette);
    const [now, then] = [pixels, before].map((bytes) => bytes && new Uint32Array(bytes.buffer));
    if (then)
      for (let index = 0; index < now.length; index += 1) if (now[index] === then[index]) indexes[index] = UNCHANGED;
    while (palette.length <= UNCHANGED) palette.push([0, 0, 0]);
    gif.writeFrame(indexes, WIDTH, HEIGHT, {
      palette,
      delay,
      transparent: true,
      transparentIndex: UNCHANGED,
      dispose: 1,
    });
    before = pixels;
  }
  gif.finish();
  return gif.bytes();
}
