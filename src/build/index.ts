import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Action } from "../runtime/actions/action";
import { about, BuildError } from "./build-error";
import { bundle, bundleStyles } from "./bundle";
import { Catalogue, type Texts } from "./catalogue";
import { expand } from "./expand";
import { json, read } from "./files";
import { copyLocales, SHARED } from "./locales";
import { nodeProperties } from "./node-properties";
import { squeezed } from "./squeeze";

export { ship, shipToRun } from "./ship";

/** The language that every text exists in. */
const FIRST_LANGUAGE = "en-US";
/** Most bytes of code and styles that the dialogs share. */
const MOST_EDITOR_BYTES = 150 * 1024;

interface Manifest {
  readonly name: string;
  readonly "node-red": { readonly nodes: Readonly<Record<string, string>> };
}

/**
 * Puts beside every compiled node what the editor wants of it: dialog, icons, texts.
 * @param root the package's folder
 * @returns one line about what was built
 * @throws BuildError
 */
export function buildEditor(root: string): string {
  const manifest = json<Manifest>(join(root, "package.json"));
  const nodes = Object.entries(manifest["node-red"].nodes);
  const texts = (type: string) => json<Texts>(join(root, "locales", FIRST_LANGUAGE, `${type}.json`));
  const shared = texts(SHARED);
  const code = editorCode(root);
  const editor = () => code;
  for (const [type, file] of nodes) {
    const catalogue = new Catalogue(texts(type), type === SHARED ? {} : shared);
    const html = about(`nodes/${type}.html`, () =>
      squeezed(
        expand(read(join(root, "nodes", `${type}.html`)), {
          properties: propertiesOf(type, join(root, file)),
          catalogue,
          editor,
        }),
      ),
    );
    writeFileSync(join(root, file.replace(/\.js$/, ".html")), html);
  }
  mkdirSync(join(root, "resources"), { recursive: true });
  writeFileSync(join(root, "resources", "sandbox.js"), bundle("src/sandbox/page/index.ts", root));
  writeFileSync(join(root, "resources", "sandbox.css"), bundleStyles("src/sandbox/page/style.css", root));
  const out = join(root, "dist", "nodes");
  cpSync(join(root, "icons"), join(out, "icons"), { recursive: true });
  copyLocales(
    join(root, "locales"),
    join(out, "locales"),
    nodes.map(([type]) => type),
  );
  return `${nodes.length} dialogs, ${kilobytes(Buffer.byteLength(code))} of code and styles that they share`;
}

function propertiesOf(type: string, file: string) {
  const { action } = require(file) as { action?: Action };
  return nodeProperties(type, action);
}

/** The code and styles that all dialogs share. */
function editorCode(root: string): string {
  const styles = bundleStyles("src/editor/dialogs.css", root);
  const script = bundle("src/editor/index.ts", root, "telephony");
  const code = `<style>${styles}</style>\n<script type="text/javascript">\n${script}\n</script>`;
  const bytes = Buffer.byteLength(code);
  if (bytes <= MOST_EDITOR_BYTES) return code;
  throw new BuildError(`src/editor has ${kilobytes(bytes)}; at most ${kilobytes(MOST_EDITOR_BYTES)} are allowed`);
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KB`;
}
