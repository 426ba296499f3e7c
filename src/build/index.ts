import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Action } from "../runtime/action";
import { BuildError } from "./build-error";
import { bundle, bundleStyles } from "./bundle";
import { Catalogue, type Texts, withBorrowed } from "./catalogue";
import { expand } from "./expand";
import { nodeProperties } from "./node-properties";
import { ROUTING_PROPERTIES } from "./routing-properties";
import { squeezed } from "./squeeze";

export { ship } from "./ship";

/** The language that every text exists in. */
const FIRST_LANGUAGE = "en-US";
/** The config node carries what all nodes share: texts, code, styles. */
const SHARED = "telephony-tenant";
/** The name of the palette's category, for which Node-RED asks whichever node comes first. */
const CATEGORY = "palette.label.telephony";
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
  const borrowed = new Map<string, Iterable<string>>();
  const sizes = new Map<string, number>();
  for (const [type, file] of nodes) {
    const catalogue = new Catalogue(texts(type), type === SHARED ? {} : shared);
    const html = named(`nodes/${type}.html`, () =>
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
    borrowed.set(type, catalogue.borrowed);
  }
  mkdirSync(join(root, "resources"), { recursive: true });
  writeFileSync(join(root, "resources", "dialogs.js"), later);
  const out = join(root, "dist", "nodes");
  cpSync(join(root, "icons"), join(out, "icons"), { recursive: true });
  copyTexts(join(root, "locales"), join(out, "locales"), borrowed);
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
      "What only an open dialog needs belongs into src/editor/dialogs, which the editor loads later.",
  );
}

function propertiesOf(type: string, file: string) {
  const { action } = require(file) as { action?: Action };
  return action ? nodeProperties(action) : (ROUTING_PROPERTIES[type] ?? []);
}

/**
 * What every editor loads when it starts.
 * @param later what it loads with the first dialog, under a name that changes with it: a cache may know an older one
 */
function editorCode(root: string, later: string): string {
  const VERSION = createHash("sha256").update(later).digest("hex").slice(0, 8);
  const script = bundle("src/editor/index.ts", root, "telephony", { VERSION });
  const styles = bundleStyles("src/editor/rows.css", root);
  return `<style>${styles}</style>\n<script type="text/javascript">\n${script}\n</script>`;
}

/** What the first dialog that opens loads. */
function dialogCode(root: string): string {
  const STYLES = bundleStyles("src/editor/dialogs/widgets.css", root);
  return bundle("src/editor/dialogs/index.ts", root, "telephony.dialogs", { STYLES });
}

/** @param borrowed by node type, the shared texts that its dialog uses */
function copyTexts(from: string, to: string, borrowed: ReadonlyMap<string, Iterable<string>>): void {
  for (const language of readdirSync(from)) {
    // Node-RED shows English where a language has nothing; that nothing is missing is for the tests to hold.
    const has = (file: string) => existsSync(join(from, language, file));
    if (!has(`${SHARED}.json`)) continue;
    const shared = json<Texts>(join(from, language, `${SHARED}.json`));
    mkdirSync(join(to, language), { recursive: true });
    for (const [type, keys] of borrowed) {
      if (has(`${type}.json`)) {
        const own = json<Texts>(join(from, language, `${type}.json`));
        const texts = withBorrowed(own, shared, [...keys, CATEGORY]);
        writeFileSync(join(to, language, `${type}.json`), JSON.stringify(texts));
      }
      if (has(`${type}.html`)) cpSync(join(from, language, `${type}.html`), join(to, language, `${type}.html`));
    }
  }
}

function named<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof BuildError ? new BuildError(`${file}: ${error.message}.`) : error;
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    throw new BuildError(`The file ${basename(file)} is missing: ${file}`);
  }
}

function json<T>(file: string): T {
  const text = read(file);
  try {
    return JSON.parse(text) as T;
  } catch (error) {
    throw new BuildError(`${file} is no JSON: ${String(error)}`);
  }
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KB`;
}
