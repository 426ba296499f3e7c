import type { NodeAPI, NodeMessage } from "node-red";
import { FieldError, isForbidden, type Path } from "../fields";

/** Puts an answer into the message that asked for it. */
export interface Target {
  /** Throws FieldError where the message could not take the answer: known before a call is placed, not after. */
  check(message: NodeMessage): void;
  set(message: NodeMessage, value: unknown): void;
}

/** Prepares the message property that takes an answer's data. */
export function target(RED: NodeAPI, property: string): Target {
  const path = parse(RED, property);
  return {
    check(message) {
      if (!path) throw new FieldError("badTarget", "target", { value: property }, "the dialog");
      let value: unknown = message;
      for (const key of path.slice(0, -1)) {
        if (typeof key === "object" || value === undefined) return;
        if (typeof value !== "object" || value === null)
          throw new FieldError("targetTaken", "target", { value: property }, `msg.${property}`);
        value = Object.hasOwn(value, key) ? (value as Record<string | number, unknown>)[key] : undefined;
      }
      if (value !== undefined && (typeof value !== "object" || value === null)) {
        throw new FieldError("targetTaken", "target", { value: property }, `msg.${property}`);
      }
    },
    set: (message, value) => {
      if (path?.length === 1 && typeof path[0] === "string")
        (message as unknown as Record<string, unknown>)[path[0]] = value;
      else RED.util.setMessageProperty(message, property, value, true);
    },
  };
}

function parse(RED: NodeAPI, property: string): Path | undefined {
  try {
    const path = RED.util.normalisePropertyExpression(property.replace(/^msg\./, "")) as Path;
    return path.length > 0 && !isForbidden(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

/** The message to send on: the one that came, or its copy where that one takes no properties. */
export function writable(message: NodeMessage, properties: readonly string[]): NodeMessage {
  const locked = properties.some((property) => {
    const own = Object.getOwnPropertyDescriptor(message, property);
    return own ? !(own.writable || own.set) : !Object.isExtensible(message);
  });
  return locked ? { ...message } : message;
}
