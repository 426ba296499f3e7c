import type { Node, NodeAPI, NodeMessage } from "node-red";
import type { Host, Path } from "../../fields";
import { shared } from "./catalogue";
import { type Labelled, withLabel } from "./field-label";
import { swallowErrors } from "./swallow-errors";

/**
 * The callback form alone serves asynchronous stores. What is done with the value happens after the promise: a callback that
 * throws is called a second time.
 */
function promised(evaluate: (done: (error: Error | null, value: unknown) => void) => void): Promise<unknown> {
  return new Promise((resolve, reject) => evaluate((error, value) => (error ? reject(error) : resolve(value))));
}

/** Lets the fields read what only Node-RED can: context stores, environment values, JSONata. */
export function hostOf(RED: NodeAPI, node: Node, labelled: Labelled = node): Host {
  return {
    path: (expression) => RED.util.normalisePropertyExpression(expression) as Path,
    env: (name) => RED.util.evaluateNodeProperty(name, "env", node, {}),
    warn: ({ key, params }) =>
      swallowErrors(() => node.warn(shared(RED, `log.notice.${key}`, withLabel(RED, labelled, params)))),
    context: (scope, key, message) =>
      promised((done) => RED.util.evaluateNodeProperty(key, scope, node, message as NodeMessage, done)),
    jsonata: (expression) => {
      const prepared = RED.util.prepareJSONataExpression(expression, node);
      return (message) =>
        promised((done) => RED.util.evaluateJSONataExpression(prepared, message as NodeMessage, done));
    },
  };
}

/** For previews: there is no message, and not every reader may see environment and context values. */
export const NO_SOURCES: Host = {
  path: () => [],
  env: () => undefined,
  context: () => Promise.resolve(undefined),
  jsonata: () => () => Promise.resolve(undefined),
};
