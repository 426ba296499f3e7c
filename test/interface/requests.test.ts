import { equal, ok } from "node:assert/strict";
import { operationAt } from "../../src/client/operations";
import { ACTIONS } from "../support/node-types";
import { checkRequest, fieldsOf, OPERATIONS, operationOf } from "./interface";
import { REQUESTS } from "./requests";

describe("the expected requests", () => {
  for (const { title, node, method, path, body } of REQUESTS) {
    it(`${title}: is a request of the interface`, () => {
      checkRequest({ method, url: path, body });
      const { action } = operationAt(method, path.replace(/\?.*/, "")) ?? {};
      if (node["type"] !== "business-hour-ensure") equal(action, node["type"], "action in src/client/operations.ts");
    });
  }

  for (const operation of OPERATIONS) {
    it(`cover ${operation.name} with each of its fields`, () => {
      const requests = REQUESTS.filter(({ method, path }) => operationOf(method, path).operation === operation);
      ok(requests.length > 0, `Add a request for ${operation.name} to test/interface/requests.ts`);
      const sent = requests.flatMap(({ path, body = {} }) => [
        ...Object.keys(body),
        ...new URL(path, "http://tenant").searchParams.keys(),
      ]);
      for (const field of fieldsOf(operation)) {
        ok(sent.includes(field), `Give "${field}" a value in a ${operation.name} of test/interface/requests.ts`);
      }
    });
  }

  for (const { type, effect } of ACTIONS) {
    it(`cover the node ${type}`, () => {
      const first = REQUESTS.find(({ node }) => node["type"] === type);
      ok(first, `Add what "${type}" sends, as the interface writes it, to test/interface/requests.ts`);
      equal(first.mayHaveBeen ?? "none", effect, `mayHaveBeen of "${type}" in test/interface/requests.ts`);
    });
  }
});
