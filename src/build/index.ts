import { createHash } from "node:crypto";
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
/** Most bytes that the editor is to load for this package when it starts, icons and texts apart. */
const MOST_BYTES = {
  /** The tenant's dialog, with what all dialogs share. */
  shared: 38 * 1024,
  /** Any other dialog, on average. */
  dialog: 4.2 * 1024,
};

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
  const later = dialogCode(root);
  const editor = () => editorCode(root, later);
  const sizes = new Map<string, number>();
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
    sizes.set(type, Buffer.byteLength(html));
  }
  mkdirSync(join(root, "resources"), { recursive: true });
  writeFileSync(join(root, "resources", "dialogs.js"), later);
  writeFileSync(join(root, "resources", "sandbox.js"), bundle("src/sandbox/page/index.ts", root));
  writeFileSync(join(root, "resources", "sandbox.css"), bundleStyles("src/sandbox/page/style.css", root));
  const out = join(root, "dist", "nodes");
  cpSync(join(root, "icons"), join(out, "icons"), { recursive: true });
  copyLocales(
    join(root, "locales"),
    join(out, "locales"),
    nodes.map(([type]) => type),
  );
  const bytes = checkSizes(sizes);
  const more = kilobytes(Buffer.byteLength(later));
  return `${nodes.length} dialogs, ${kilobytes(bytes)} for the editor, ${more} more for the first that opens`;
}

/** @returns how much it is together */
function checkSizes(sizes: ReadonlyMap<string, number>): number {
  const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  const most = MOST_BYTES.shared + MOST_BYTES.dialog * (sizes.size - 1);
  if (bytes <= most) return bytes;
  const list = [...sizes].map(([type, size]) => `${type} ${kilobytes(size)}`).join(", ");
  throw new BuildError(
    `The dialogs have ${kilobytes(bytes)}, and ${kilobytes(most)} is what src/build/index.ts allows for that many: ${list}. ` +
      "What only an open dialog needs belongs into src/editor/panels, which the editor loads later.",
  );
}

function propertiesOf(type: string, file: string) {
  const { action } = require(file) as { action?: Action };
  return nodeProperties(type, action);
}

/**
 * What every editor loads when it starts.
 * @param later what it loads with the first dialog, under a name that changes with it: a cache may know an older one
 */
function editorCode(root: string, later: string): string {
  const VERSION = createHash("sha256").update(later).digest("hex").slice(0, 8);
  const script = bundle("src/editor/index.ts", root, "telephony", { VERSION });
  const styles = bundleStyles("src/editor/inputs/rows.css", root);
  return `<style>${styles}</style>\n<script type="text/javascript">\n${script}\n</script>`;
}

/** What the first dialog that opens loads. */
function dialogCode(root: string): string {
  const STYLES = bundleStyles("src/editor/panels/widgets.css", root);
  return bundle("src/editor/panels/index.ts", root, "telephony.dialogs", { STYLES });
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KB`;
}
