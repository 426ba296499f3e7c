import { strict as assert } from "node:assert";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { NodeAPI } from "node-red";
import { root } from "./root";

const LOCALES = join(root, "locales");
export const LANGUAGES = readdirSync(LOCALES);

interface Texts {
  readonly [key: string]: string | Texts;
}

const read = new Map<string, Texts>();

/** A catalogue as translators write it; read once. */
export function catalogueOf(language: string): Texts {
  const texts = read.get(language) ?? JSON.parse(readFileSync(join(LOCALES, language, "telephony.json"), "utf8"));
  read.set(language, texts);
  return texts;
}

/** Makes Node-RED's `_` of a language, without its fallback to English. */
export function speaking(language: string): NodeAPI {
  const texts = catalogueOf(language);
  const say = (key: string, params: Record<string, unknown> = {}) => {
    const path = key.slice(key.indexOf(":") + 1).split(".");
    const found = path.reduce<string | Texts | undefined>((at, step) => (at as Texts | undefined)?.[step], texts);
    // Node-RED answers with the key where there is no text, as for a field without a label.
    if (found === undefined && path.includes("label")) return key;
    assert.equal(typeof found, "string", `${language} has no ${key}`);
    return String(found).replace(/__(\w+?)__/g, (gap, name: string) => String(params[name] ?? gap));
  };
  return { _: say, util: {} } as unknown as NodeAPI;
}

/** Replaces Node-RED's `_` where a test looks at keys: what a pattern puts together is the keys of the parts. */
export function inKeys(key: string, params?: Record<string, unknown>): string {
  return key.includes("pattern.") ? speaking("en-US")._(key, params as Record<string, string>) : key;
}
