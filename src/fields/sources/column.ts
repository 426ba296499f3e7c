import { isObject } from "../../json/rules";
import { follow, type Path } from "./path";

/** The roots of a message behind which the names of columns stand. */
const ROOTED = /^(?:msg\.)?(payload|row)(?:\.|(?=\[))(.+)$/s;
/** An index, or a name in quotation marks. */
const STEP = /\[\s*(?:"([^"]*)"|'([^']*)'|(\d+))\s*\]/g;
const NAME = /[^\s.[\]"']+/;
/** All else is one name, such as `Amount [1]`. */
const PATH = new RegExp(`^(?:${NAME.source}|${STEP.source})(?:\\.${NAME.source}|${STEP.source})*$`);

/** A column of the row that is the `payload` and the `row` of a message. */
export interface Column {
  readonly root: string;
  /** With dots, if it is the path of a part of an object. */
  readonly name: string;
}

/** The column that a path or a variable of a template names: `payload.Phone number`, `row["Phone number"]`. */
export function columnAt(expression: string): Column | undefined {
  const [, root, behind = ""] = ROOTED.exec(expression) ?? [];
  const name = PATH.test(behind) ? behind.replace(STEP, ".$1$2$3").replace(/^\.(?=.)/, "") : behind;
  return root === undefined || name.startsWith("[") ? undefined : { root, name };
}

/**
 * The name of a column as the row has it: the very name, or else the first that is the same regardless of case, spaces and zero-width
 * characters.
 */
export function columnIn(columns: readonly string[], name: string): string | undefined {
  if (columns.includes(name)) return name;
  const wanted = plain(name);
  return columns.find((column) => plain(column) === wanted);
}

function plain(name: string): string {
  return name
    .replace(/[\s\p{Default_Ignorable_Code_Point}]+/gu, "")
    .normalize("NFC")
    .toLowerCase()
    .normalize("NFC");
}

/**
 * The value of a column in a message, whose row may have its name with dots in it, or in another spelling.
 * @param path follows the same name to a part of an object
 */
export function readColumn(message: object, { root, name }: Column, path?: Path): unknown {
  const row = Object.hasOwn(message, root) ? (message as Record<string, unknown>)[root] : undefined;
  if (!isObject(row)) return path && follow(message, path);
  if (Object.hasOwn(row, name)) return row[name];
  return (path && follow(message, path)) ?? partOf(row, name);
}

function partOf(value: unknown, name: string): unknown {
  if (!isObject(value)) return undefined;
  const columns = Object.keys(value);
  const whole = columnIn(columns, name);
  if (whole !== undefined) return value[whole];
  const dot = name.indexOf(".");
  const first = dot < 0 ? undefined : columnIn(columns, name.slice(0, dot));
  return first === undefined ? undefined : partOf(value[first], name.slice(dot + 1));
}
