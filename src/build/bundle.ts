import { buildSync } from "esbuild";

/**
 * Joins and minifies modules for browsers, or a style sheet.
 * @param entry path of the first module or of the style sheet
 * @param root the package's folder
 * @param globalName the name of what the first module exports
 */
export function bundle(entry: string, root: string, globalName?: string): string {
  const { outputFiles } = buildSync({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    format: "iife",
    ...(globalName && { globalName }),
    // The oldest browsers that Node-RED 4 itself still runs in.
    target: "es2020",
    minify: true,
    charset: "utf8",
    write: false,
    logLevel: "silent",
  });
  return outputFiles.map(({ text }) => text.trim()).join("\n");
}
