import { join } from "node:path";
import { type Catalogue, textAt } from "../texts/catalogue";
import { BuildError, read } from "./sources";

/** The language in which every text exists. */
export const FIRST_LANGUAGE = "en-US";

/**
 * The name under which a language ships. Where Node-RED finds no texts of `zh-TW`, it looks for `zh`, and from the
 * environment (`LANG=zh_CN.UTF-8`) it takes two letters only: so one folder `zh` serves every Chinese.
 */
export function shippedAs(language: string): string {
  return language === FIRST_LANGUAGE ? language : (language.split("-")[0] ?? language);
}

export function readCatalogue(folder: string): Catalogue {
  const file = join(folder, "telephony.json");
  try {
    return JSON.parse(read(file)) as Catalogue;
  } catch (error) {
    throw error instanceof SyntaxError ? new BuildError(`${file} is not valid JSON: ${error.message}`) : error;
  }
}

/** The full key of a node's text: the node's own, else the shared one. */
export function findKey(catalogue: Catalogue, type: string, key: string): string | undefined {
  return [`${type}.${key}`, key].find((each) => textAt(catalogue, each) !== undefined);
}

/** A node's text: the node's own, else the shared one. */
export function findText(catalogue: Catalogue, type: string, key: string): string | undefined {
  const found = findKey(catalogue, type, key);
  return found === undefined ? undefined : textAt(catalogue, found);
}
