import { UsageError } from "../sandbox/command-line";
import { FileError } from "./flow-file";

/** @throws UsageError unless it is a whole number in the range */
export function numberOption(
  name: string,
  text: string | undefined,
  { least, most }: { readonly least: number; readonly most: number },
): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new UsageError(`The option --${name} must be a whole number from ${least} to ${most}, not "${text}".`);
}

/** Names the file in front of each sentence about what is in it. */
export function readAs<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw new FileError((error as Error).message.replaceAll(/^/gm, `${file}: `));
  }
}
