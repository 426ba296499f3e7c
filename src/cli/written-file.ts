import { accessSync, constants, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { FileError } from "./flow-file";

/**
 * Before the work whose result goes there: nobody likes to wait for a file that cannot be written.
 * @throws FileError
 */
export function checkWritable(file: string): void {
  try {
    accessSync(dirname(file), constants.W_OK);
  } catch {
    throw new FileError(`${file} cannot be written: its folder does not exist, or may not be written to.`);
  }
}

/** @throws FileError */
export function writeText(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new FileError(`${file} cannot be written: ${(error as Error).message}.`);
  }
}
