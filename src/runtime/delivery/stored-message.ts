import type { NodeMessage } from "node-red";
import { attempt } from "../../json/rules";

/** Longest JSON of a property that is kept. Bytes. */
const LONGEST = 64 * 1024;
/** JSON that is made for one message, whether it is kept or not: about ten milliseconds. Characters. */
const EFFORT = 1024 * 1024;
/** Levels of objects within objects. */
const DEEPEST = 64;
/** Bytes that a UTF-16 unit of a text takes in JSON at most, and a number, and what is around a value. */
const MOST_BYTES = { unit: 6, number: 25, around: 4 };
const MOST_PATHS = 32;
const LONGEST_PATH = 200;
/** Thrown where a property has to be left out. */
const NO_JSON = new Error("no JSON");

/** Belong to a connection, which does not outlive the process. */
const OF_A_CONNECTION = ["req", "res"];

export interface StoredMessage {
  /** Plain JSON that shares no object with the message. */
  readonly json: string;
  /** Paths of what is missing, e.g. `req` or `payload.pdf`; if there are too many, the last one is `…`. */
  readonly left: string[];
  /** Bytes of the message's JSON, about. */
  readonly size: number;
  /**
   * Whether nothing is missing but the connection and properties that are `undefined`, and no value was changed: a `Date` becomes
   * a text.
   */
  readonly isExact: boolean;
}

/**
 * Returns what a durable backlog keeps of a message: its JSON, without `req`, `res`, properties over 64 KB and what is not JSON,
 * such as functions, cycles, Buffer, Map and Error. Those would come back as something else, so they are named instead.
 * Never throws, whatever a flow has put into the message.
 */
export function storedMessage(message: object): StoredMessage {
  const copy = new Copy();
  const kept: string[] = [];
  let size = 0;
  try {
    for (const key of Object.keys(message)) {
      if (key === "res" && leavesItselfOut(message)) continue;
      const json = copy.property(message, key);
      if (json === undefined) continue;
      kept.push(`${JSON.stringify(key)}:${json}`);
      size += Buffer.byteLength(key) + Buffer.byteLength(json) + 4;
    }
  } catch {
    // A proxy.
    copy.left.push("…");
  }
  const isExact = isWhole(copy.left) && !copy.isConverted;
  return { json: flat("{", kept.join(","), "}"), left: copy.left, size, isExact };
}

/** Joins texts into one: a hundred thousand may wait, and V8 keeps what was added up as all of its pieces. */
export function flat(...pieces: readonly string[]): string {
  return pieces.join("");
}

/** Whether nothing of a message was left out but its connection. */
export function isWhole(left: readonly string[]): boolean {
  return left.every((path) => OF_A_CONNECTION.includes(path));
}

export function connectionOf(message: object): object {
  const { req, res } = message as { readonly req?: unknown; readonly res?: unknown };
  return { ...(req !== undefined && { req }), ...(res !== undefined && { res }) };
}

/** Whether it is the response of a webhook that answers by itself. */
function leavesItselfOut({ res }: { readonly res?: unknown }): boolean {
  return typeof Object(res).toJSON === "function";
}

/**
 * The message that is delivered after a restart.
 * @param at when the message was accepted, ISO 8601
 */
export function restoredMessage(kept: Record<string, unknown>, left: readonly string[], at: string): NodeMessage {
  // The flow may change the message, and the backlog may still store its own.
  const message = JSON.parse(JSON.stringify(kept)) as Record<string, unknown>;
  const { telephony } = message;
  const known = typeof telephony === "object" && !Array.isArray(telephony) ? telephony : {};
  return { ...message, telephony: { ...known, restored: { at, left: [...left] } } } as NodeMessage;
}

/** Makes the JSON of properties, and names what has none. */
class Copy {
  readonly left: string[] = [];
  isConverted = false;
  #effort = 0;
  /** Leads to the current property, outermost first. */
  readonly #path: { readonly holder: object; readonly key: string | number }[] = [];

  /** Writes its JSON, `undefined` if it has none. */
  property(holder: object, key: string | number): string | undefined {
    const before = this.left.length;
    const isLeft =
      this.#path.length === 0 && (OF_A_CONNECTION.includes(`${key}`) || (this.#effort > EFFORT && key !== "_msgid"));
    this.#path.push({ holder, key });
    try {
      // Assigning `__proto__` would replace the prototype.
      if (isLeft || key === "__proto__" || `${key}`.length > LONGEST) throw NO_JSON;
      this.#effort += `${key}`.length + 3;
      const given = (holder as Record<string, unknown>)[key];
      if (this.#path.length === 1 && isShortData(given)) return this.#leaf(given);
      const value = typeof given === "object" && given !== null ? this.#converted(given, `${key}`) : given;
      const json = typeof value === "object" && value !== null ? this.#members(value) : this.#leaf(value);
      if (json !== undefined && Buffer.byteLength(json) > LONGEST) throw NO_JSON;
      return json;
    } catch {
      // Also a getter, a proxy or a `toJSON`. It is named alone, without its parts.
      this.left.length = before;
      if (before <= MOST_PATHS) this.left.push(before < MOST_PATHS ? pathOf(this.#path.map((step) => step.key)) : "…");
      return undefined;
    } finally {
      this.#path.pop();
    }
  }

  #leaf(value: unknown): string | undefined {
    if (typeof value === "function" || typeof value === "symbol") throw NO_JSON;
    if (typeof value === "string" && value.length > LONGEST) throw NO_JSON;
    const json = JSON.stringify(value) as string | undefined;
    this.isConverted ||= json === "null" && value !== null;
    this.#effort += json?.length ?? 0;
    return json;
  }

  /** The result of a `toJSON` is not asked for its own `toJSON`. */
  #converted(value: object, key: string): unknown {
    if (this.#path.length > DEEPEST) throw NO_JSON;
    for (const { holder } of this.#path) if (holder === value) throw NO_JSON;
    if (Array.isArray(value)) return value;
    // Its JSON is an object that no node takes for a Buffer.
    if (ArrayBuffer.isView(value)) throw NO_JSON;
    const { toJSON } = value as { toJSON?: unknown };
    this.isConverted ||= typeof toJSON === "function" || !isPlain(value);
    if (typeof toJSON === "function") return toJSON.call(value, key);
    // A Map, an Error or a Promise would become an empty object.
    if (Object.prototype.toString.call(value) !== "[object Object]") throw NO_JSON;
    return value;
  }

  #members(value: object): string {
    const isList = Array.isArray(value);
    let json = "";
    // The keys of a list include those of its holes.
    for (const key of isList ? Array.prototype.keys.call(value) : Object.keys(value)) {
      const member = this.property(value, key);
      // The other elements of a list keep their places.
      if (isList) this.isConverted ||= member === undefined;
      if (isList || member !== undefined)
        json += `${json && ","}${isList ? "" : `${JSON.stringify(key)}:`}${member ?? "null"}`;
      if (json.length > LONGEST || this.#effort > EFFORT) throw NO_JSON;
    }
    return isList ? `[${json}]` : `{${json}}`;
  }
}

/** Whether one call makes the JSON of a value, as of nearly all: it is data, and short. */
function isShortData(value: unknown): boolean {
  return (attempt(() => roomAfter(value, LONGEST)) ?? -1) >= 0;
}

/** The bytes that JSON leaves of a room; less than 0 if there are none, or if it would leave out or convert a part of the value. */
function roomAfter(value: unknown, room: number, depth = 1): number {
  if (typeof value === "string") return room - MOST_BYTES.unit * value.length;
  if (typeof value !== "object")
    return typeof value === "boolean" || Number.isFinite(value) ? room - MOST_BYTES.number : -1;
  if (value === null) return room - MOST_BYTES.around;
  if (depth > DEEPEST || "toJSON" in value) return -1;
  let left = room;
  if (Array.isArray(value))
    for (let index = 0; left >= 0 && index < value.length; index += 1)
      left = roomAfter(value[index], left - MOST_BYTES.around, depth + 1);
  else if (!isPlain(value) || Object.prototype.toString.call(value) !== "[object Object]") return -1;
  else
    for (const key of Object.keys(value)) {
      const member = (value as Record<string, unknown>)[key];
      left -= MOST_BYTES.unit * key.length + MOST_BYTES.around;
      if (left < 0 || key === "__proto__") return -1;
      if (member !== undefined) left = roomAfter(member, left, depth + 1);
    }
  return left;
}

/** Whether it is an instance of no class: no list, Date or Buffer. The objects of a function node have another `Object.prototype`. */
export function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function pathOf([first = "", ...keys]: readonly (string | number)[]): string {
  const path = keys.reduce<string>((before, key) => {
    if (typeof key === "number") return `${before}[${key}]`;
    return /^[\p{L}_$][\p{L}\d_$]*$/u.test(key) ? `${before}.${key}` : `${before}[${JSON.stringify(key)}]`;
  }, `${first}`);
  return path.length > LONGEST_PATH ? `${path.slice(0, LONGEST_PATH)}…` : path;
}
