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

/** Of the package. */
export function version(): string {
  return (JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8")) as { version: string }).version;
}
