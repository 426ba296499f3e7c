// An animated picture: moments of a browser page, written as a GIF.
import { writeFileSync } from "node:fs";
import gifenc from "gifenc";

export const WIDTH = 1100;
export const HEIGHT = 640;
/** The last of 128 colours stands for pixels that are as in the frame before. */
const UNCHANGED = 127;
const EXACT = 64;
const HIDDEN = "#red-ui-notifications, .red-ui-tips, .red-ui-sidebar-info-tips { display: none !important }";

/** Shows a moment of a page for some seconds. */
export class Film {
  #moments = [];

  /** Makes the editor as large as a moment, without what would cover it. */
  static async stage(editor) {
    await editor.page.setViewportSize({ width: WIDTH, height: HEIGHT });
    await editor.page.addStyleTag({ content: HIDDEN });
  }

  async show(page, seconds) {
    // A click on a node may have scrolled the canvas.
    await page.evaluate("document.querySelector('#red-ui-workspace-chart')?.scrollTo(0, 0)");
    this.#moments.push({ png: await page.screenshot(), delay: seconds * 1000 });
  }

  async write(page, file) {
    writeFileSync(file, encode(await pixelsOf(page, this.#moments)));
  }
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

/** The colours of areas, by their place in the palette: averages would tint white, and differently in each frame. */
function mostFrequent(pixels) {
  const counts = new Map();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  const frequent = [...counts].sort(([, a], [, b]) => b - a).slice(0, EXACT);
  return new Map(frequent.map(([pixel], index) => [pixel, index]));
}

function encode(frames) {
  const { applyPalette, GIFEncoder, quantize } = gifenc;
  const gif = GIFEncoder();
  let before;
  for (const { pixels, delay } of frames) {
    const [now, then] = [pixels, before].map((bytes) => bytes && new Uint32Array(bytes.buffer));
    const exact = mostFrequent(now);
    const colors = [...exact.keys()].map((pixel) => [pixel & 255, (pixel >> 8) & 255, (pixel >> 16) & 255]);
    const palette = [...colors, ...quantize(pixels, UNCHANGED - exact.size)];
    const indexes = applyPalette(pixels, palette);
    for (let at = 0; at < now.length; at += 1)
      indexes[at] = then?.[at] === now[at] ? UNCHANGED : (exact.get(now[at]) ?? indexes[at]);
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
