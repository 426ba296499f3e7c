import { buildSync } from "esbuild";

/** The oldest browsers that Node-RED 4 itself still runs in. */
export const TARGET = "es2020";

/**
 * Joins modules for browsers, and what they share with the runtime, into one script without the blanks and long names that
 * only we read.
 * @param entry path of the first module
 * @param root the package's folder
 * @param global the name of what the first module exports
 */
export function bundle(entry: string, root: string, global?: string): string {
  const { outputFiles } = buildSync({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    format: "iife",
    ...(global && { globalName: global }),
    target: TARGET,
    minify: true,
    // Vietnamese in the code would otherwise cost six bytes a letter.
    charset: "utf8",
    write: false,
    logLevel: "silent",
  });
  return outputFiles.map(({ text }) => text.trim()).join("\n");
}

/** A style sheet without what only we read. */
export function bundleStyles(entry: string, root: string): string {
  const { outputFiles } = buildSync({ absWorkingDir: root, entryPoints: [entry], minify: true, write: false });
  return outputFiles.map(({ text }) => text.trim()).join("\n");
}
