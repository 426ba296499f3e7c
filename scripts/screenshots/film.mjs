// An animated picture: moments of a browser page, written as a GIF.
import { writeFileSync } from "node:fs";
import gifenc from "gifenc";

export const WIDTH = 1100;
export const HEIGHT = 640;
/** The last of 256 colours stands for pixels that are as in the frame before. */
const UNCHANGED = 255;
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
