import { buildSync, transformSync } from "esbuild";

/** The oldest browsers that Node-RED 4 itself still runs in. */
const TARGET = "es2020";

/**
 * Joins the modules of the editor, and what they share with the runtime, into one script with one global, without the
 * blanks and long names that only we read.
 * @param entry path of the module that becomes the global
 * @param root the package's folder
 */
export function bundle(entry: string, root: string, global: string): string {
  const { outputFiles } = buildSync({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    format: "iife",
    globalName: global,
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

const SCRIPT = /(<script type="text\/javascript">)([\s\S]*?)(<\/script>)/g;

/** Takes the blanks out of a dialog's own scripts; names stay, since the flow library reads `registerType` from them. */
export function withSmallScripts(html: string): string {
  return html.replace(SCRIPT, (_, open: string, code: string, close: string) => {
    const small = transformSync(code, { minifyWhitespace: true, target: TARGET, charset: "utf8" });
    return open + small.code.trim() + close;
  });
}
