import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type ParseArgsConfig, parseArgs } from "node:util";
import { packageFolder } from "../page/document";

/** A mistake in what follows a command's name. Its message is one sentence. */
export class UsageError extends Error {}

/**
 * Options and arguments of a command; `undefined` if only its help was asked for, which is shown.
 * @param command its name, for the advice to ask for help
 * @throws UsageError
 */
export function commandLine<T extends ParseArgsConfig>(command: string, usage: string, config: T) {
  const options = { ...config.options, help: { type: "boolean", short: "h" } } as const;
  try {
    const given = parseArgs<T>({ ...config, options, args: withValues(config) });
    if (!("help" in given.values)) return given;
    process.stdout.write(usage);
    return undefined;
  } catch (error) {
    // Node's first sentence names the option; its further advice about leading dashes does not fit.
    const [sentence] = (error as Error).message.split(/\.\s/, 1);
    throw new UsageError(`${sentence}. See ${command} --help.`);
  }
}

/** A negative number is the value of the option before it, and refused by that option's own rule; Node takes it for an option. */
function withValues({ args = [], options = {} }: ParseArgsConfig): string[] {
  const all: string[] = [];
  for (const arg of args) {
    const option = /^--(.+)$/.exec(all.at(-1) ?? "")?.[1] ?? "";
    if (/^-\d/.test(arg) && options[option]?.type === "string") all.push(`${all.pop()}=${arg}`);
    else all.push(arg);
  }
  return all;
}

/** Of the package. */
export function version(): string {
  return (JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8")) as { version: string }).version;
}
