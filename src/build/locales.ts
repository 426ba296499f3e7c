import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { about, BuildError } from "./build-error";
import { type Texts, textOf } from "./catalogue";
import { json, read } from "./files";
import { withPieces } from "./shared-texts";

/** The config node carries what all nodes share: texts, code, styles. */
export const SHARED = "telephony-tenant";
/** The part of the texts with the name of the palette's category, for which Node-RED asks whichever node comes first. */
const CATEGORY = "palette";

/**
 * Puts the texts and the help of the nodes beside them, in every language.
 * @throws BuildError when a help text has a mark for which there is no text
 */
export function copyLocales(from: string, to: string, types: readonly string[]): void {
  for (const language of readdirSync(from)) {
    // Node-RED shows English where a language has nothing; that nothing is missing is for the tests to hold.
    const has = (file: string) => existsSync(join(from, language, file));
    if (!has(`${SHARED}.json`)) continue;
    const shared = json<Texts>(join(from, language, `${SHARED}.json`));
    mkdirSync(join(to, language), { recursive: true });
    for (const type of types) {
      if (has(`${type}.json`)) {
        const own = json<Texts>(join(from, language, `${type}.json`));
        const texts = { ...own, [CATEGORY]: shared[CATEGORY] };
        writeFileSync(join(to, language, `${type}.json`), JSON.stringify(texts));
      }
      if (has(`${type}.html`)) {
        // Goes out as it is written; this finds what the editor would not.
        whole(join(from, language, `${type}.html`), shared);
        cpSync(join(from, language, `${type}.html`), join(to, language, `${type}.html`));
      }
    }
  }
}

/**
 * A node's help as it is shown, with the pieces that it shares with others.
 * @param folder of the language
 * @throws BuildError when it has a mark for which there is no text
 */
export function wholeHelp(folder: string, type: string): string {
  return whole(join(folder, `${type}.html`), json<Texts>(join(folder, `${SHARED}.json`)));
}

function whole(file: string, shared: Texts): string {
  return about(file, () => {
    const help = withPieces(read(file), (key) => {
      const text = textOf(shared, key);
      if (text === undefined) throw new BuildError(`has a mark for a text that ${SHARED}.json does not have: ${key}`);
      return text;
    });
    const stray = /^[ \t]*\{\{.*$|(?<!`)\{\{\w+\}\}(?!`)/m.exec(help);
    if (stray) throw new BuildError(`cannot read the mark ${stray[0]}`);
    return help;
  });
}
