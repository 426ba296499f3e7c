#!/usr/bin/env node
import { UsageError } from "../sandbox/command-line";
import type { Command } from "./command";

interface Subcommand {
  readonly summary: string;
  load(): Command;
}

/** In the order of the help. */
const SUBCOMMANDS: Readonly<Record<string, Subcommand>> = {
  sandbox: { summary: "runs a simulated tenant on this machine", load: () => require("./sandbox") as Command },
};

const names = Object.keys(SUBCOMMANDS);
const width = Math.max(...names.map((name) => name.length));
const usage = `Usage: telephony <command> [options]

${Object.entries(SUBCOMMANDS)
  .map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`)
  .join("\n")}

See the options of a command with telephony <command> --help.
`;

async function run([name, ...args]: readonly string[]): Promise<number> {
  if (name === "--help" || name === "-h") {
    process.stdout.write(usage);
    return 0;
  }
  if (name === undefined) throw new UsageError(`Name a command: ${names.join(", ")}. See telephony --help.`);
  const subcommand = Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name] : undefined;
  if (!subcommand) {
    const kind = name.startsWith("-") ? "option" : "command";
    throw new UsageError(`Unknown ${kind} '${name}'. The commands: ${names.join(", ")}. See telephony --help.`);
  }
  return subcommand.load().run(`telephony ${name}`, args);
}

run(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: Error) => {
    process.stderr.write(`telephony: ${error.message}\n`);
    process.exitCode = 2;
  },
);
