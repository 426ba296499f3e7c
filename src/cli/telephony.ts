#!/usr/bin/env node
import { runCommand, UsageError, version } from "./command-line";

/**
 * Runs a subcommand.
 * @param name how the user called it, for messages: "telephony rehearse"
 * @param args what follows the name
 * @returns the exit code
 * @throws UsageError for a mistake in `args`
 */
type Run = (name: string, args: readonly string[]) => Promise<number>;

/** In the order of the help. Each has a file of its own, which is loaded when it is called. */
const SUBCOMMANDS: Readonly<Record<string, { readonly summary: string; readonly load: () => Run }>> = {
  sandbox: {
    summary: "runs a simulated tenant on this machine",
    load: () => (require("./sandbox") as typeof import("./sandbox")).run,
  },
  rehearse: {
    summary: "runs days of a flow in seconds, and reports its calls",
    load: () => (require("./rehearse") as typeof import("./rehearse")).run,
  },
  test: {
    summary: "rehearses flows and checks what their tests expect",
    load: () => (require("./test") as typeof import("./test")).run,
  },
  lint: { summary: "finds mistakes in flow files", load: () => (require("./lint") as typeof import("./lint")).run },
};

const names = Object.keys(SUBCOMMANDS);
const width = Math.max(...names.map((name) => name.length));
const usage = `Usage: telephony <command> [options]

${Object.entries(SUBCOMMANDS)
  .map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`)
  .join("\n")}

See the options of a command with telephony <command> --help. --version shows the version.
`;

async function run([name, ...args]: readonly string[]): Promise<number> {
  if (name === "--help" || name === "-h") {
    process.stdout.write(usage);
    return 0;
  }
  if (name === "--version") {
    process.stdout.write(`${version()}\n`);
    return 0;
  }
  if (name === undefined) throw new UsageError(`Name a command: ${names.join(", ")}. See telephony --help.`);
  const subcommand = Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name] : undefined;
  if (!subcommand) {
    const kind = name.startsWith("-") ? "option" : "command";
    throw new UsageError(`Unknown ${kind} '${name}'. The commands: ${names.join(", ")}. See telephony --help.`);
  }
  return runCommand(`telephony ${name}`, (command) => subcommand.load()(command, args));
}

void runCommand("telephony", () => run(process.argv.slice(2)));
