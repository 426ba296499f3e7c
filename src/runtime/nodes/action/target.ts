import type { NodeAPI, NodeMessage } from "node-red";
import { DIALOG, FORBIDDEN_KEYS, follow, isForbidden, type Path, ValueError, withoutRoot } from "../../../fields";
import { attempt } from "../../../json/rules";

/** The message property that receives an answer's data. */
export interface Target {
  /** Throws ValueError if the message cannot take the answer, before a call is placed rather than after. */
  check(message: NodeMessage): void;
  set(message: NodeMessage, value: unknown): void;
}

/** The target of a node whose messages keep their payload: the answer is in `msg.envelope` only. */
const NOWHERE = "-";

/** Prepares the target for a node's messages. */
export function target(RED: NodeAPI, property: string): Target {
  if (property === NOWHERE) return { check() {}, set() {} };
  const path = parse(RED, property);
  const refusal = (key: "badTarget" | "targetTaken", source: string) =>
    new ValueError(`input.${key}`, "target", { property }, source);
  const fixed = path?.every(isKey) ? path : undefined;
  const keysFor = (message: NodeMessage): readonly Key[] => {
    if (fixed) return fixed;
    const keys = path?.map((step) => (typeof step === "object" ? follow(message, withoutRoot(step)) : step)) ?? [];
    if (keys.length === 0 || !keys.every(isKey)) throw refusal("badTarget", DIALOG);
    return keys;
  };
  return {
    check(message) {
      const keys = keysFor(message);
      let holder: unknown = message;
      for (const [depth, key] of keys.entries()) {
        const inner: unknown = isObject(holder) && Object.hasOwn(holder, key) ? holder[key] : undefined;
        const written = inner === undefined || depth === keys.length - 1;
        // A locked message is sent on as a copy; the objects in it belong to the flow and are not copied.
        if (!isObject(holder) || (written && depth > 0 && !takes(holder, key)))
          throw refusal("targetTaken", `msg.${property}`);
        if (written) return;
        holder = inner;
      }
    },
    set(message, value) {
      const keys = keysFor(message);
      let holder = message as unknown as Holder;
      for (const [depth, key] of keys.entries()) {
        if (depth === keys.length - 1) holder[key] = value;
        else if (!Object.hasOwn(holder, key) || holder[key] === undefined)
          holder[key] = typeof keys[depth + 1] === "number" ? [] : {};
        holder = holder[key] as Holder;
      }
    },
  };
}

type Key = string | number;
type Holder = Record<Key, unknown>;

function isKey(key: unknown): key is Key {
  return (typeof key === "string" || typeof key === "number") && !FORBIDDEN_KEYS.has(key);
}

function isObject(value: unknown): value is Holder {
  return typeof value === "object" && value !== null;
}

function takes(holder: object, key: Key): boolean {
  if (!Object.hasOwn(holder, key)) return Object.isExtensible(holder);
  const own = Object.getOwnPropertyDescriptor(holder, key);
  return own?.writable === true || own?.set !== undefined;
}

function parse(RED: NodeAPI, property: string): Path | undefined {
  const path = attempt(() => RED.util.normalisePropertyExpression(property.replace(/^msg\./, "")) as Path);
  return path && path.length > 0 && !isForbidden(path) ? path : undefined;
}

/** The message itself, or a shallow copy if the properties cannot be written to it. */
export function writable(message: NodeMessage, properties: readonly string[]): NodeMessage {
  return properties.every((property) => takes(message, property)) ? message : { ...message };
}
