import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../root";
import { eventually, FinalError, LONG_MS } from "./eventually";

const script = join(root, "scripts", "start.mjs");

/** The output of a start, and the parts of it that tests check. */
export interface Started {
  readonly child: ChildProcess;
  readonly printed: { readonly out: string; readonly err: string };
  readonly curl: string;
  /** The address of the calls as JSON; empty if it was not printed. */
  readonly calls: string;
}

/** `npm start` in processes of its own, which end with the test that started them. */
export class NpmStart {
  #children: ChildProcess[] = [];

  run(args: readonly string[], env: NodeJS.ProcessEnv = {}, nodeOptions: readonly string[] = []) {
    const outer = { ...process.env, CALL_SECRET: undefined, PORT: undefined, ...env };
    const child = spawn(process.execPath, [...nodeOptions, script, ...args], {
      env: outer,
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#children.push(child);
    const printed = { out: "", err: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      printed.out += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      printed.err += text;
    });
    return { child, printed };
  }

  /** Runs until the greeting is printed, and parses the output. */
  async start(userDir: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Started> {
    // One after the other in a run of tests: two would find the same port of a sandbox free.
    const turn = join(tmpdir(), "npm-start");
    await eventually(() => mkdirSync(turn) ?? true, LONG_MS);
    const { child, printed } = this.run(["--user-dir", userDir, ...args], env);
    await eventually(() => {
      if (child.exitCode !== null) throw new FinalError(printed.out + printed.err);
      return printed.out.includes("Ctrl+C ends it.") || undefined;
    }, LONG_MS).finally(() => rmdirSync(turn));
    const curl = /^curl .*$/m.exec(printed.out)?.[0] ?? "";
    const calls = /http:\S+\/calls(?= as JSON)/.exec(printed.out)?.[0] ?? "";
    return { child, printed, curl, calls };
  }

  /** Runs to its end. */
  async refusal(args: readonly string[], env: NodeJS.ProcessEnv = {}, nodeOptions: readonly string[] = []) {
    const { child, printed } = this.run(args, env, nodeOptions);
    const [code] = (await once(child, "close")) as [number];
    return { code, ...printed };
  }

  /** Kills all at the end of a test, passed or failed. */
  kill(): void {
    for (const child of this.#children) child.kill("SIGKILL");
    this.#children = [];
  }
}

/** Asks a start to end, as Ctrl+C does. */
export async function stop({ child }: Started): Promise<void> {
  child.kill("SIGINT");
  assert.deepEqual(await once(child, "exit"), [0, null]);
}

/** Sends the request of the printed line without curl. */
export function carryOut(curl: string): Promise<Response> {
  const [, name = "", value = ""] = /-H "([^:"]+): ([^"]+)"/.exec(curl) ?? [];
  const body = new URLSearchParams([...curl.matchAll(/-d "([^"]*)"/g)].map(([, pair = ""]) => pair).join("&"));
  const address = /http:\S+$/.exec(curl)?.[0] ?? "";
  return fetch(address, { method: "POST", headers: { [name]: value }, body });
}

export async function callsAt(address: string): Promise<{ to: unknown }[]> {
  return (await (await fetch(address)).json()) as { to: unknown }[];
}
