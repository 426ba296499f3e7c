import { strict as assert } from "node:assert";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { TENANT_SETTINGS } from "../../src/tenant/settings";
import { root } from "../support/root";

/*
 * A text that nobody wrote shows as its key, in an error that somebody reads at the worst moment. This collects the keys
 * that the sources ask for, and finds the texts that nothing asks for any more.
 */

interface Texts {
  readonly [key: string]: string | Texts;
}

const shared = JSON.parse(readFileSync(join(root, "locales", "en-US", "telephony.json"), "utf8")) as Texts;
const sources = new Map(["nodes", "src/fields", "src/tenant", "src/hours", "src/runtime"].flatMap(read));
const editor = new Map(["src/editor"].flatMap(read));

function read(folder: string): [string, string][] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".ts"),
  );
  return names.map((name) => [`${folder}/${name}`, readFileSync(join(root, folder, name), "utf8")]);
}

function textOf(texts: Texts, key: string): string | undefined {
  const found = key
    .split(".")
    .reduce<string | Texts | undefined>((at, step) => (typeof at === "object" ? at[step] : undefined), texts);
  return typeof found === "string" ? found : undefined;
}

function leaves(texts: Texts, path = ""): string[] {
  return Object.entries(texts).flatMap(([key, text]) =>
    typeof text === "string" ? [`${path}${key}`] : leaves(text, `${path}${key}.`),
  );
}

/** The members of a union of literals. */
function union(file: string, name: string): string[] {
  const [, members = ""] = new RegExp(`type ${name} =([^;]*);`).exec(sources.get(file) ?? "") ?? [];
  const found = literals(members);
  assert.notEqual(found.length, 0, `${file} has no union ${name}`);
  return found;
}

function literals(code: string): string[] {
  return [...code.matchAll(/"([^"\\\n]*)"/g)].map(([, text = ""]) => text);
}

/** The arguments of every call of a function, as code. */
function calls(code: string, name: string): string[] {
  return [...code.matchAll(new RegExp(`(?<![\\w.])${name}\\(`, "g"))].map(({ index, 0: start }) => {
    let depth = 1;
    let end = index + start.length;
    for (; depth > 0 && end < code.length; end += 1) depth += code[end] === "(" ? 1 : code[end] === ")" ? -1 : 0;
    return code.slice(index + start.length, end - 1);
  });
}

/** Where answers are judged: one code may have several sentences. */
const VERDICT = "src/tenant/classify.ts";
const isKey = (text: string) => /^\w[\w.]*\w$/.test(text);

const codes = union("src/tenant/errors.ts", "Code");
const modes = TENANT_SETTINGS.mode.choices.filter((mode) => mode !== "live");
/** Words of the client that stand where a key might stand. */
const words = new Set(["Phase", "Outcome", "Sent"].flatMap((name) => union("src/tenant/errors.ts", name)));

/** Every key that the runtime may ask for, with where. */
function asked(): Map<string, string> {
  const keys = new Map<string, string>();
  const add = (key: string, where: string) => keys.set(key, where);
  for (const code of codes) {
    add(`errors.${code}`, "Code");
    add(`status.${code}`, "Code");
  }
  for (const mode of modes) add(`status.mode.${mode}`, "Mode");
  for (const problem of union("src/hours/hours-error.ts", "HoursProblem"))
    add(`errors.input.hours.${problem}`, "HoursProblem");
  for (const fault of union("src/runtime/actions/pages.ts", "Fault"))
    if (fault !== "redeployed") add(`errors.pages.${fault}`, "Fault");
  for (const word of union("src/fields/word.ts", "WordKey")) add(`words.${word}`, "WordKey");
  for (const word of ["open", "openUntil", "closed", "closedUntil", "stale"]) add(`status.${word}`, "gate");
  for (const day of ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]) add(`status.days.${day}`, "gate");
  for (const [file, code] of sources) {
    for (const name of ["new FieldError", "new TemplateError", "refusal"])
      for (const call of calls(code, name)) {
        const [, key] = /^\s*"(\w+)"/.exec(call) ?? [];
        if (key) add(`errors.input.${key}`, file);
      }
    for (const [, key = ""] of code.matchAll(/\bkey: "([\w.]+)"(?! \|)/g)) add(`errors.${key}`, file);
    for (const call of calls(code, "badAddress")) for (const key of literals(call)) add(`errors.config.${key}`, file);
    for (const name of ["new TenantError", "missing", ...(file === VERDICT ? ["fail"] : [])])
      for (const call of calls(code, name))
        for (const key of literals(call)) if (isKey(key) && !words.has(key)) add(`errors.${key}`, file);
    const [, chosen = ""] = file === VERDICT ? (/const key = (certificate[^;]*);/.exec(code) ?? []) : [];
    for (const key of literals(chosen)) if (!words.has(key)) add(`errors.${key}`, file);
    for (const name of ["shared", "#text"])
      for (const call of calls(code.replaceAll("this.#text", "#text"), name)) {
        const [, key] = /^\s*(?:[\w.#]+,\s*)?"([\w.]+)"/.exec(call) ?? [];
        if (key) add(name === "shared" ? key : `status.${key}`, file);
      }
  }
  return keys;
}

describe("The catalogue", () => {
  it("has a sentence for every key that the sources ask for", () => {
    const missing = [...asked()].filter(([key]) => textOf(shared, key) === undefined);
    assert.deepEqual(missing, []);
  });

  it("has a sentence for every setting that can be refused", () => {
    const known = Object.keys(shared["errors"] as Texts).length;
    assert.ok(known > 20);
    const config = new Set(Object.keys((shared["errors"] as { config: Texts }).config));
    for (const file of ["src/tenant/settings.ts", "src/runtime/gate/inputs.ts"]) {
      for (const call of calls(sources.get(file) ?? "", "bad").filter(
        (each) => literals(each).length > 0 && !each.includes(": string"),
      )) {
        assert.ok(
          literals(call).some((each) => config.has(each)),
          `${file}: bad(${call})`,
        );
      }
    }
  });

  it("has no sentence that nothing asks for", () => {
    const said = new Set(
      [...sources.values(), ...editor.values()]
        .flatMap(literals)
        .flatMap((text) => [text, text.split(".").at(-1) ?? ""]),
    );
    const runtime = {
      errors: shared["errors"] ?? {},
      status: shared["status"] ?? {},
      log: shared["log"] ?? {},
      words: shared["words"] ?? {},
    } as Texts;
    const known = asked();
    const unused = leaves(runtime).filter((key) => !known.has(key) && !said.has(key.split(".").at(-1) ?? ""));
    assert.deepEqual(unused, []);
  });

  it("names each sentence's gaps as __name__, and hints at no way around certificates", () => {
    for (const key of leaves(shared)) {
      const text = textOf(shared, key) ?? "";
      assert.equal((text.match(/__/g)?.length ?? 0) % 2, 0, key);
      if (key.startsWith("errors.")) assert.doesNotMatch(text, /rejectUnauthorized|NODE_TLS|verif|insecure/i, key);
    }
  });
});
