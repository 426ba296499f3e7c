import { deepEqual, throws } from "node:assert/strict";
import type { Express } from "express";
import type { NodeAPI } from "node-red";
import { addReceiver, removeReceiver } from "../../../src/runtime/nodes/webhook/routes";

const express = require("express") as () => Express;
const receiver = { id: "hook", path: "a", takesGet: false, isServed: false, receive() {}, show() {} };

/** An app that has its routes at `router`, as one of Express 5, or nowhere. */
const hidden = (app: Express, isExpress5: boolean) => {
  const get = (_: Express, name: string) => {
    if (name === "router" || name === "_router") return name === "router" && isExpress5 ? routerOf(app) : undefined;
    return (Object(app) as Record<string, () => unknown>)[name]?.bind(app);
  };
  return { httpNode: new Proxy(app, { get: get as never }), httpAdmin: express(), settings: {} } as unknown as NodeAPI;
};
const routerOf = (app: Express) =>
  (app as unknown as { readonly _router: { readonly stack: { route?: { path: unknown } }[] } })._router;

describe("the routes of webhooks", () => {
  afterEach(() => removeReceiver(receiver.id));

  it("stand before the others in Express 5, too", () => {
    const app = express().post("/:any", () => {});
    addReceiver(hidden(app, true), receiver);
    const paths = routerOf(app).stack.flatMap(({ route }) => (route ? String(route.path) : []));
    deepEqual(paths, ["/.*/", "/:any"]);
  });

  it("are a mistake where they are not found", () => {
    const add = () => addReceiver(hidden(express(), false), receiver);
    for (let n = 0; n < 2; n += 1) throws(add, { code: "ERR_CONFIG", key: "config.noRoutes" });
  });
});
