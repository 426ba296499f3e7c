import type { NodeMessage } from "node-red";

/** Longest JSON of a property that is kept. Bytes. */
const LONGEST = 64 * 1024;
/** A text of fewer characters is counted roughly. */
const SHORT = 256;
/** JSON that is looked through for one message, whether it is kept or not: about ten milliseconds. Bytes. */
const EFFORT = 1024 * 1024;
/** Levels of objects within objects. */
const DEEPEST = 64;
/** Paths that are listed. */
const MOST_PATHS = 32;
const LONGEST_PATH = 200;

/** Belong to a connection, which does not outlive the process. */
const OF_A_CONNECTION = ["req", "res"];

export interface StoredMessage {
  /** Plain JSON that shares no object with the message. */
  readonly message: Record<string, unknown>;
  /** Paths of what is missing, e.g. `req` or `payload.pdf`; if there are too many, the last one is `…`. */
  readonly left: string[];
  /** Bytes of the message's JSON, about. */
  readonly size: number;
  /** Whether nothing is missing but properties that are `undefined`, and no value was changed: a `Date` becomes a text. */
  readonly isExact: boolean;
}

/**
 * What a durable backlog keeps of a message: its JSON, without `req`, `res`, properties over 64 KB and what is not JSON,
 * such as functions, cycles, Buffer, Map and Error. Those would come back as something else, so they are named instead.
 * Never throws, whatever a flow has put into the message.
 */
export function storedMessage(message: object): StoredMessage {
  const copy = new Copy();
  const kept = copy.properties(message);
  return { message: kept, left: copy.left, size: copy.length, isExact: copy.isExact };
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

/** Copies what is JSON. `undefined` stands for what is left out. */
class Copy {
  /** Bytes of what has been copied, as JSON. */
  length = 0;
  /** Bytes that were copied in vain. */
  #discarded = 0;
  /** What is being copied, outermost first, and under which key. */
  readonly #holders: object[] = [];
  readonly #keys: (string | number)[] = [];
  #left: string[] = [];
  #leftCount = 0;
  #isConverted = false;

  get isExact(): boolean {
    return !this.#isConverted && this.#leftCount === 0;
  }

  get left(): string[] {
    return this.#leftCount > this.#left.length ? [...this.#left, "…"] : this.#left;
  }

  properties(message: object): Record<string, unknown> {
    const kept: Record<string, unknown> = {};
    this.#holders[0] = message;
    let keys: string[];
    try {
      keys = Object.keys(message);
    } catch {
      // A proxy.
      this.#leftCount += 1;
      return kept;
    }
    for (const key of keys) {
      this.#keys[0] = key;
      const isLeft = OF_A_CONNECTION.includes(key) || (this.#isExhausted && key !== "_msgid");
      const value = isLeft ? this.#leave(1) : this.#property(message, key, 1);
      if (value !== undefined) kept[key] = value;
    }
    return kept;
  }

  get #isExhausted(): boolean {
    return this.length + this.#discarded > EFFORT;
  }

  /** @param depth how many keys lead to the value */
  #property(holder: object, key: string | number, depth: number): unknown {
    this.#keys[depth - 1] = key;
    const [start, leftCount] = [this.length, this.#leftCount];
    try {
      // Assigning it would replace the prototype.
      if (key === "__proto__") return this.#leave(depth);
      const keyLength = typeof key === "string" ? lengthOf(key) : 0;
      // A comma, and a colon behind a name.
      this.length += keyLength > 0 ? keyLength + 2 : 1;
      const valueStart = this.length;
      const value = this.#value((holder as Record<string, unknown>)[key], depth);
      if (value === undefined) this.#discard(start);
      if (keyLength > LONGEST || this.length - valueStart > LONGEST) return this.#leave(depth, start, leftCount);
      return value;
    } catch {
      // A getter, a proxy or a `toJSON`.
      return this.#leave(depth, start, leftCount);
    }
  }

  #value(value: unknown, depth: number): unknown {
    switch (typeof value) {
      case "string":
        this.length += lengthOf(value);
        return value;
      case "number":
        this.length += `${value}`.length;
        if (Number.isFinite(value)) return value;
        this.#isConverted = true;
        return null;
      case "boolean":
        this.length += 5;
        return value;
      case "undefined":
        return undefined;
      case "object":
        if (value !== null) return this.#object(value, depth);
        this.length += 4;
        return null;
      default:
        return this.#leave(depth);
    }
  }

  #object(value: object, depth: number): unknown {
    if (depth > DEEPEST || this.#holders.lastIndexOf(value, depth - 1) >= 0) return this.#leave(depth);
    this.#holders[depth] = value;
    if (Array.isArray(value)) return this.#array(value, depth);
    // Its JSON is an object that no node takes for a Buffer.
    if (ArrayBuffer.isView(value)) return this.#leave(depth);
    const { toJSON } = value as { toJSON?: unknown };
    if (typeof toJSON === "function" || !isPlain(value)) this.#isConverted = true;
    if (typeof toJSON === "function") return this.#converted(toJSON.call(value, `${this.#keys[depth - 1]}`), depth);
    // A Map, an Error or a Promise would become an empty object.
    if (Object.prototype.toString.call(value) !== "[object Object]") return this.#leave(depth);
    return this.#plain(value, depth);
  }

  /** The result of a `toJSON` is not asked for its own `toJSON`. */
  #converted(value: unknown, depth: number): unknown {
    if (typeof value !== "object" || value === null) return this.#value(value, depth);
    return Array.isArray(value) ? this.#array(value, depth) : this.#plain(value, depth);
  }

  #plain(value: object, depth: number): unknown {
    const [start, leftCount] = [this.length, this.#leftCount];
    const copy: Record<string, unknown> = {};
    this.length += 2;
    for (const key of Object.keys(value)) {
      const inner = this.#property(value, key, depth + 1);
      if (this.length - start > LONGEST || this.#isExhausted) return this.#leave(depth, start, leftCount);
      if (inner !== undefined) copy[key] = inner;
    }
    return copy;
  }

  #array(value: readonly unknown[], depth: number): unknown {
    const [start, leftCount] = [this.length, this.#leftCount];
    const copy: unknown[] = [];
    this.length += 2;
    for (let index = 0; index < value.length; index += 1) {
      const inner = this.#property(value, index, depth + 1);
      if (inner === undefined) {
        this.length += 5;
        this.#isConverted = true;
      }
      if (this.length - start > LONGEST || this.#isExhausted) return this.#leave(depth, start, leftCount);
      // The others keep their places.
      copy.push(inner ?? null);
    }
    return copy;
  }

  /**
   * Leaves out what is under the current keys, with all that was found in it.
   * @param start `length` before it
   * @param leftCount what was left out before it
   */
  #leave(depth: number, start = this.length, leftCount = this.#leftCount): undefined {
    this.#discard(start);
    if (leftCount < MOST_PATHS) this.#left = [...this.#left.slice(0, leftCount), pathOf(this.#keys.slice(0, depth))];
    this.#leftCount = leftCount + 1;
  }

  #discard(start: number): void {
    this.#discarded += this.length - start;
    this.length = start;
  }
}

/** Whether it is an instance of no class. The objects of a function node have another `Object.prototype`. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Bytes of a text as JSON. Those of a short one are counted without its escapes, which is faster. */
function lengthOf(text: string): number {
  if (text.length < SHORT) return Buffer.byteLength(text) + 2;
  return text.length > LONGEST ? LONGEST + 1 : Buffer.byteLength(JSON.stringify(text));
}

function pathOf([first = "", ...keys]: readonly (string | number)[]): string {
  const path = keys.reduce<string>((before, key) => {
    if (typeof key === "number") return `${before}[${key}]`;
    return /^[\p{L}_$][\p{L}\d_$]*$/u.test(key) ? `${before}.${key}` : `${before}[${JSON.stringify(key)}]`;
  }, `${first}`);
  return path.length > LONGEST_PATH ? `${path.slice(0, LONGEST_PATH)}…` : path;
}
