import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";
import type { NodeDeclaration } from "../runtime/register";
import type { Catalogue } from "../texts/catalogue";
import { FIRST_LANGUAGE, readCatalogue, shippedAs } from "./catalogue";
import { dialog } from "./dialog";
import { help } from "./help";
import { writeSchemas } from "./schema";
import { BuildError, forAll, inFile, read } from "./sources";

/** Styles and texts of pages that stand alone, by the part of the catalogues with their texts. */
const PAGES = {
  sandboxPage: { name: "sandbox", folder: "src/sandbox/page" },
  rehearsalPage: { name: "rehearsal", folder: "src/workshop/report" },
} as const;
/** Parts of the catalogues that the editor does not show: they stand in the help texts, or in a page. */
const NOT_IN_EDITOR = ["help", "field", ...Object.keys(PAGES)];

const LUA = join("src", "backlog", "redis", "lua");

/**
 * Puts beside the compiled nodes what the editor needs: dialogs, icons, texts, help, and the sidebar tab; and the schemas.
 * @param root the package's folder
 * @returns one line about what was built
 * @throws BuildError
 */
export function buildEditor(root: string): string {
  const out = join(root, "dist", "nodes");
  const { nodes } = require(join(out, "index.js")) as { readonly nodes: readonly NodeDeclaration[] };
  const resources = join(root, "resources");
  mkdirSync(resources, { recursive: true });
  for (const [part, { name, folder }] of Object.entries(PAGES)) {
    writeFileSync(join(resources, `${name}.css`), bundle(`${folder}/style.css`, root));
    writeFileSync(join(resources, `${name}.json`), JSON.stringify(pageTexts(root, part)));
  }
  writeFileSync(join(resources, "sandbox.js"), bundle("src/sandbox/page/index.ts", root));
  cpSync(join(root, "icons"), join(out, "icons"), { recursive: true });
  cpSync(join(root, LUA), join(root, "dist", LUA), { recursive: true });

  for (const file of BUNDLED) bundleInto(join(root, "dist", "src", ...file.split("/")));

  const plugin = join(root, "dist", "plugin");
  mkdirSync(plugin, { recursive: true });
  const tab = editorCode(root, "src/editor/tab/tab.css", "src/editor/tab/tab.ts");
  writeFileSync(join(plugin, "tab.html"), tab);

  const texts = readCatalogue(join(root, "locales", FIRST_LANGUAGE));
  const shared = editorCode(root, "src/editor/dialogs.css", "src/editor/index.ts", "telephony");
  const markup = [shared];
  const dialogs = () => forAll(nodes, (node) => markup.push(dialogOf(root, node, texts)));
  const languages = readdirSync(join(root, "locales")).map((language) => () => buildLanguage(root, language, nodes));
  forAll([dialogs, ...languages], (build) => build());
  const html = markup.join("\n");
  writeFileSync(join(out, "index.html"), html);
  writeSchemas(join(root, "dist", "schema"), nodes, texts);
  return `${nodes.length} dialogs, ${(Buffer.byteLength(html + tab) / 1024).toFixed(0)} KB for the editor`;
}

/** The files whose library is no dependency: the clock of a rehearsal, and the parsers of JSONata, JavaScript and CSV. */
const BUNDLED = [
  ...["rehearsal/child/clock.js", "lint/expression.js", "lint/function-code.js"].map((file) => `workshop/${file}`),
  "runtime/nodes/list/reading/csv.js",
];

function bundleInto(file: string): void {
  const options = { bundle: true, minify: true, platform: "node", format: "cjs", target: "node20" } as const;
  buildSync({ entryPoints: [file], outfile: file, allowOverwrite: true, logLevel: "silent", ...options });
}

/** The texts of a page, by the two letters of their language. */
function pageTexts(root: string, part: string): Readonly<Record<string, unknown>> {
  const languages = readdirSync(join(root, "locales"));
  return Object.fromEntries(
    languages.map((language) => {
      const { pattern, tab, [part]: own } = readCatalogue(join(root, "locales", language)) as Record<string, Catalogue>;
      // The reasons for which calls wait stand once.
      const { for: reasons } = Object(tab?.["waits"]);
      return [language.slice(0, 2), Object.assign({}, reasons, pattern, own)];
    }),
  );
}

function dialogOf(root: string, node: NodeDeclaration, texts: Catalogue): string {
  const file = join("nodes", `${node.type}.html`);
  const own = `${node.type}.svg`;
  const icon = existsSync(join(root, "icons", own)) ? own : "font-awesome/fa-phone";
  // The indentation would be a thirtieth of what the editor loads.
  return inFile(file, () => dialog(read(join(root, file)), node, texts, undefined, icon).replace(/^ +/gm, ""));
}

function buildLanguage(root: string, language: string, nodes: readonly NodeDeclaration[]): void {
  const from = join(root, "locales", language);
  const to = join(root, "dist", "nodes", "locales", shippedAs(language));
  mkdirSync(to, { recursive: true });
  const catalogue = readCatalogue(from);
  const shipped = forEditor(catalogue);
  const helps: string[] = [];
  forAll(nodes, (node) => {
    const { type } = node;
    const texts = catalogue[type];
    if (typeof texts !== "object" || !("type" in texts))
      throw new BuildError(`locales/${language}/telephony.json has no texts of ${type}: it needs "type" at least`);
    shipped[type] = forEditor(texts);
    helps.push(helpScript(type, help(from, node, catalogue)));
  });
  writeFileSync(join(to, "index.json"), JSON.stringify(shipped));
  writeFileSync(join(to, "index.html"), helps.join("\n"));
}

function forEditor(texts: Catalogue): Record<string, string | Catalogue> {
  return Object.fromEntries(Object.entries(texts).filter(([key]) => !NOT_IN_EDITOR.includes(key)));
}

/** The last line marks our help for the styles of its tables. */
function helpScript(type: string, markdown: string): string {
  return `<script type="text/markdown" data-help-name="${type}">\n${markdown}\n\n<span class="telephony-help"></span>\n</script>\n`;
}

/** Styles and code as Node-RED loads them into its editor. */
function editorCode(root: string, style: string, code: string, globalName?: string): string {
  const styles = bundle(style, root);
  const script = bundle(code, root, globalName);
  return `<style>${styles}</style>\n<script type="text/javascript">\n${script}\n</script>`;
}

/**
 * Joins and minifies modules for browsers, or a style sheet.
 * @param entry path of the first module or of the style sheet
 * @param root the package's folder
 * @param globalName the name of what the first module exports
 */
function bundle(entry: string, root: string, globalName?: string): string {
  const { outputFiles } = buildSync({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    format: "iife",
    ...(globalName && { globalName }),
    target: "es2022",
    minify: true,
    charset: "utf8",
    write: false,
    logLevel: "silent",
  });
  return outputFiles.map(({ text }) => text.trim()).join("\n");
}
