import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { BuildError } from "./build-error";

/** @throws BuildError when it is missing */
export function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    throw new BuildError(`The file ${basename(file)} is missing: ${file}`);
  }
}

/** @throws BuildError when it is missing or no JSON */
export function json<T>(file: string): T {
  const text = read(file);
  try {
    return JSON.parse(text) as T;
  } catch (error) {
    throw new BuildError(`${file} is no JSON: ${String(error)}`);
  }
}
