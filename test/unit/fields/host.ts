import { util } from "@node-red/util";
import type { Node, NodeAPI } from "node-red";
import { type Config, type Fields, reader, ValueError } from "../../../src/fields";
import { hostOf } from "../../../src/runtime/node-red/host";

type Stores = Readonly<Record<"flow" | "global", Readonly<Record<string, unknown>>>>;

/**
 * Reads by Node-RED's own evaluation with a substitute for the node: property paths, JSONata, environment values, and an
 * asynchronous context store, as a database would be.
 */
export function readerOf<F extends Fields>(fields: F, config: Config, stores: Stores = { flow: {}, global: {} }) {
  const later = (store: Readonly<Record<string, unknown>>) => ({
    get: (key: string, _store: string | undefined, callback: (error: unknown, value?: unknown) => void) => {
      const value = store[key];
      setImmediate(() => (value instanceof Error ? callback(value) : callback(null, value)));
    },
  });
  const node = {
    id: "n1",
    warn: () => {},
    context: () => ({ flow: later(stores.flow), global: later(stores.global) }),
  } as unknown as Node;
  const prepared = reader(fields, config, hostOf({ util, _: (key: string) => key } as unknown as NodeAPI, node));
  return async (message: object) => prepared.read(message);
}

/** The error that a reader rejects with: the part of a field that is wrong, and where its value was found. */
export function refusal(path: string | RegExp, source: string | RegExp): object {
  return { constructor: ValueError, path, source };
}
