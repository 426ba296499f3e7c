import { deepEqual, throws } from "node:assert/strict";
import type { Express } from "express";
import type { NodeAPI } from "node-red";
import { addReceiver, removeReceiver } from "../../../src/runtime/nodes/webhook/routes";

const express = require("express") as () => Express;
const receiver = { id: "hook", path: "a", takesGet: false, isServed: false, receive() {}, show() {} };

/** An app that has its routes at `router`, as one of Express 5, or nowhere. */
function hostOf(isExpress5: boolean) {
  const app = express();
  app.post("/:any", () => {});
  const read = (target: Express, name: string | symbol) => {
    const given: unknown = Reflect.get(target, name === "router" ? "_router" : name);
    if (name === "_router" || (name === "router" && !isExpress5)) return undefined;
    return typeof given === "function" && name !== "router" ? given.bind(target) : given;
  };
  return { app, RED: { httpNode: new Proxy(app, { get: read }), settings: {} } as unknown as NodeAPI };
}

describe("the routes of webhooks", () => {
  afterEach(() => removeReceiver(receiver.id));

  it("stand before the others in Express 5, too", () => {
    const { app, RED } = hostOf(true);
    addReceiver(RED, receiver);
    const { stack } = (app as unknown as { readonly _router: { readonly stack: { route?: { path: unknown } }[] } })
      ._router;
    deepEqual(
      stack.flatMap(({ route }) => (route ? String(route.path) : [])),
      ["/.*/", "/:any"],
    );
  });

  it("are a mistake where they are not found", () => {
    const { RED } = hostOf(false);
    for (let n = 0; n < 2; n += 1)
      throws(() => addReceiver(RED, receiver), { code: "ERR_CONFIG", key: "config.noRoutes" });
  });
});
