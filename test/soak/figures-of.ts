import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { root } from "../support/root";
import type { Figure } from "./part";

const LIMIT_MS = 15 * 60_000;

/** Runs a part of the soak in a process of its own. Throws when it ends without figures. */
export async function figuresOf(part: string, undici = "undici", args: readonly string[] = []): Promise<Figure[]> {
  const child = fork(join(__dirname, "parts", `${part}.js`), args, {
    execArgv: ["--expose-gc", "--require", join(root, "scripts/undici.cjs")],
    env: { ...process.env, UNDICI: undici },
    timeout: LIMIT_MS,
  });
  let figures: Figure[] = [];
  child.on("message", (message) => {
    figures = message as Figure[];
  });
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0 || figures.length === 0) throw new Error(`${part} ended with exit code ${code} and without figures`);
  return figures;
}
