import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Field, type Fields, propertyName } from "../fields";
import { KINDS } from "../fields/kinds";
import { fieldsByMode } from "../runtime/node-red/field-label";
import { fieldsOf } from "../runtime/nodes/escalate/declaration";
import type { NodeDeclaration } from "../runtime/register";
import { type Catalogue, filled, joined } from "../texts/catalogue";
import { findText, readCatalogue } from "./catalogue";
import { BuildError, inFile, read } from "./sources";

/** A line of its own in a help text: `{{outputs}}`. */
const MARK = /^\{\{(\w+)\}\}$/gm;

/**
 * The help of a node as Node-RED's Markdown: `help/<type>.md`, or `help/action.md` for an action that needs no more than
 * its introduction. Its marks are `{{inputs}}`, made of the declaration, `{{outputs}}`, `{{errors}}`, and any text
 * `help.<mark>` of the catalogue, the node's own or the shared one.
 * @param folder of the language
 */
export function help(folder: string, node: NodeDeclaration, catalogue = readCatalogue(folder)): string {
  const own = join(folder, "help", `${node.type}.md`);
  const file = existsSync(own) || node.kind !== "action" ? own : join(folder, "help", "action.md");
  return inFile(file, () => {
    const markdown = read(file)
      .trim()
      .replace(MARK, (_, mark: string) => expand(mark));
    // Node-RED shows a line `: name (type) : text` as it is when the text has another colon.
    const wrong = /^:[^:\n]+:[^:\n]*:.*$/m.exec(markdown);
    if (wrong) throw new BuildError(`the text of a field has a colon, which Node-RED cannot show: ${wrong[0]}`);
    return markdown;
  });

  function expand(mark: string): string {
    if (node.kind === "escalation" && mark === "inputs") return inputs(node.type, [fieldsOf(node)], catalogue);
    if (node.kind === "list" && mark === "inputs") {
      // The number has a usual column, which the text says.
      const { "to.number": _, ...fields } = node.shape.fields;
      return inputs(node.type, [fields], catalogue);
    }
    if (node.kind !== "action") return text(mark);
    const modes = fieldsByMode(node);
    if (mark === "inputs") return inputs(node.type, modes, catalogue);
    const hasCallId = modes.some((fields) => "callId" in fields);
    const { type, lane, repeat, effect } = node;
    const late = repeat === "freely" ? [] : ["late"];
    const dials = lane && repeat === "never" ? ["dials"] : [];
    const parts: Readonly<Record<string, readonly string[]>> = {
      outputs: ["payload", ...(hasCallId ? ["callId"] : []), "outputs", ...(lane ? ["row"] : [])],
      errors: ["errorsBegin", "outcome", "errorTable", "slower", "again", ...late, ...dials],
    };
    const variants = [repeat, effect === "none" ? "read" : "changed"];
    const mayHaveBeen = findText(catalogue, type, `errors.mayHaveBeen.${effect}`);
    const texts = (parts[mark] ?? [mark]).map((part) => text(part, ...variants));
    return filled(texts.join("\n"), { mayHaveBeen });
  }

  /** @param variants the last parts of the keys of a text that has several */
  function text(mark: string, ...variants: readonly string[]): string {
    const keys = [`help.${mark}`, ...variants.map((variant) => `help.${mark}.${variant}`)];
    const [found] = keys.flatMap((key) => findText(catalogue, node.type, key) ?? []);
    if (found === undefined)
      throw new BuildError(`the catalogue has no text "${node.type}.${keys[0]}" or "${keys[0]}"`);
    return found;
  }
}

/** The list of a node's fields, in all its modes. */
function inputs(type: string, modes: readonly Fields[], catalogue: Catalogue): string {
  const names = new Set(modes.flatMap((fields) => Object.keys(fields)));
  const named = (name: string) => modes.flatMap((fields) => fields[name] ?? []);
  return [...names].map((name) => inputLine(name, type, named(name), catalogue)).join("\n");
}

/**
 * Writes a line of the list: what a message may contain, and the text `field.<property>` with choices and default. Without
 * such a text the choices stand alone, and without choices the dialog's hint or label replaces it.
 * @param fields the field as each mode has it
 */
function inputLine(name: string, type: string, fields: readonly Field[], catalogue: Catalogue): string {
  const find = (key: string) => findText(catalogue, type, key);
  const fill = (key: string, values: object) => filled(find(key) ?? "", { ...values });
  const field = fields.find(({ kind }) => kind !== "onlyInMode") ?? fields[0];
  const property = fields.find((each) => each.property !== undefined)?.property ?? propertyName(name);
  const choices = new Set(fields.flatMap((each) => [...(each.choices ?? []), ...Object.keys(each.spellings ?? {})]));
  const list = [...choices].map((choice) => {
    const label = find(`choice.${property}.${choice}`);
    return label === undefined ? `\`${choice}\`` : fill("pattern.aside", { text: `\`${choice}\``, aside: label });
  });
  const text =
    find(`field.${property}`) ??
    (list.length > 0 ? undefined : (find(`hint.${property}`) ?? find(`label.${property}`)));
  const sentences = [
    text,
    list.length > 0 ? fill("help.choices", { list: joined(fill, "pattern.also", list) }) : undefined,
    field?.default === undefined ? undefined : fill("help.default", { value: field.default }),
  ].filter((sentence) => sentence !== undefined);
  const kinds = (KINDS[field?.kind ?? "any"].json ?? []).map((kind) => find(`help.kind.${kind}`)).join(" | ");
  const isRequired = fields.every(({ required, default: fallback }) => required && fallback === undefined);
  const optional = isRequired ? "" : `*${find("help.optional")}* – `;
  return `: payload.${name} (${kinds}) : ${optional}${joined(fill, "pattern.sentences", sentences)}`;
}
