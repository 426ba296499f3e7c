import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../preconditions.mjs";

/** The examples that `npm start` shows, in the order of their tabs. */
const SHOWN = ["Call a customer when a form is posted", "Call control by webhook", "What does my phone system send"];

/** The tenant of all of them, so that every call is to be seen in one place. */
export const TENANT = {
  id: "5a7d0b0c5a11d001",
  type: "telephony-tenant",
  name: "Sandbox: no phone rings",
  mode: "sandbox",
  fromNumber: "0000000000",
  fromAlias: "Example hotline",
  sandboxPort: 4010,
};

/** The examples' nodes, with one tenant in place of their own. */
export function exampleFlows() {
  const nodes = SHOWN.flatMap((name) => JSON.parse(readFileSync(join(root, "examples", `${name}.json`), "utf8")));
  const acting = nodes.filter((node) => node.type !== "telephony-tenant");
  return [...acting.map((node) => ("tenant" in node ? { ...node, tenant: TENANT.id } : node)), TENANT];
}
