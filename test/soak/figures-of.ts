import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { root } from "../support/root";
import type { Figure } from "./part";

/** Runs a part of the soak in a process of its own, as `npm run soak` does. Throws when that ends without figures. */
export async function figuresOf(part: string): Promise<Figure[]> {
  const child = fork(join(__dirname, `${part}.js`), [], {
    execArgv: ["--require", join(root, "scripts/undici.cjs")],
  });
  let figures: Figure[] = [];
  child.on("message", (told) => {
    figures = told as Figure[];
  });
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0 || figures.length === 0) throw new Error(`${part} ended with exit code ${code}, without a figure`);
  return figures;
}
