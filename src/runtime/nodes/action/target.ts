import type { NodeAPI, NodeMessage } from "node-red";
import { DIALOG, FORBIDDEN_KEYS, ValueError } from "../../../fields";
import { NOWHERE } from "../../../fields/rules";
import { attempt } from "../../../json/rules";

export type Target = ReturnType<typeof target>;

/** The message property that receives an answer's data. */
export function target({ util }: Pick<NodeAPI, "util">, property: string) {
  const isNowhere = property === NOWHERE;
  const path = property.replace(/^msg\./, "");
  const keysIn = (message?: NodeMessage): readonly unknown[] =>
    attempt((): unknown[] => util.normalisePropertyExpression(path, message)) ?? [];
  // A path such as `payload[msg.topic]` has a key of each message's own.
  const parsed = keysIn();
  const fixed = parsed.some(Array.isArray) ? undefined : parsed;
  const refusal = (key: "badTarget" | "targetTaken", source: string) =>
    new ValueError(`input.${key}`, "target", { property }, source);
  return {
    /** Throws ValueError if the message cannot take the answer, before a call is placed rather than after. */
    check(message: NodeMessage): void {
      if (isNowhere) return;
      const keys = fixed ?? keysIn(message);
      if (keys.length === 0 || !keys.every(isKey)) throw refusal("badTarget", DIALOG);
      let holder: unknown = message;
      for (const [depth, key] of keys.entries()) {
        const isNew = isObject(holder) && !Object.hasOwn(holder, key);
        const written = isNew || depth === keys.length - 1;
        // A locked message is sent on as a copy; the objects in it belong to the flow and are not copied.
        if (!isObject(holder) || (written && depth > 0 && !takes(holder, key)))
          throw refusal("targetTaken", `msg.${property}`);
        if (written) return;
        holder = holder[key];
      }
    },
    set(message: NodeMessage, value: unknown): void {
      if (isNowhere) return;
      if (fixed?.length === 1) (message as unknown as Holder)[fixed[0] as Key] = value;
      else util.setMessageProperty(message, path, value, true);
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

/** The message itself, or a shallow copy if the properties cannot be written to it. */
export function writable(message: NodeMessage, properties: readonly string[]): NodeMessage {
  for (const property of properties) if (!takes(message, property)) return { ...message };
  return message;
}
