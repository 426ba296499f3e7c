import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type ParseArgsConfig, parseArgs } from "node:util";
import { oneLine } from "../fields/quote";
import { packageFolder } from "../page/document";

/** A mistake in what follows a command's name. Its message is one sentence. */
export class UsageError extends Error {}

/**
 * Runs a command and sets the exit code. A failure is written as sentences that name the command, without a stack.
 * @param command the name by which the user called it
 */
export async function runCommand(command: string, work: (command: string) => Promise<number>): Promise<number> {
  let code = 2;
  try {
    code = await work(command);
  } catch (error) {
    const lines = (error as Error).message.split("\n");
    process.stderr.write(lines.map((line) => `${command}: ${oneLine(line)}\n`).join(""));
  }
  process.exitCode = code;
  return code;
}

/**
 * Reads options and arguments of a command; `undefined` if only its help was asked for, which is shown.
 * @param command its name, for the advice to ask for help
 * @throws UsageError
 */
export function commandLine<T extends ParseArgsConfig>(command: string, usage: string, config: T) {
  const options = { ...config.options, help: { type: "boolean", short: "h" } } as const;
  try {
    const given = parseArgs<T>({ ...config, options });
    if (!("help" in given.values)) return given;
    process.stdout.write(usage);
    return undefined;
  } catch (error) {
    // Node's first sentence names the option.
    const [sentence] = (error as Error).message.split(/\.\s/, 1);
    throw new UsageError(`${sentence}. See ${command} --help.`);
  }
}

/** @throws UsageError unless it is one of the choices */
export function choiceOption<T extends string>(name: string, text: string, choices: readonly T[]): T {
  const choice = choices.find((each) => each === text);
  if (choice !== undefined) return choice;
  throw new UsageError(`The option --${name} must be one of ${choices.join(", ")}, not "${text}".`);
}

/** @throws UsageError unless it is a whole number in the range, or not given */
export function numberOption<Text extends string | undefined>(name: string, text: Text, least: number, most: number) {
  if (text === undefined) return undefined as Extract<Text, undefined>;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new UsageError(`The option --${name} must be a whole number from ${least} to ${most}, not "${text}".`);
}

export function version(): string {
  return (JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8")) as { version: string }).version;
}
