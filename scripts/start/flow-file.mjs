import { existsSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { refuse } from "../preconditions.mjs";
import { exampleFlows, TENANT } from "./example-flows.mjs";

/** Flows and their credentials, which Node-RED would forget at the next deploy of other flows. */
const FILES = ["flows", "flows_cred"];

/**
 * Moves the flows out of the way, unless they are the examples as they were.
 * @returns the file in which they are kept now, if any
 */
export function setAside(folder) {
  if (!existsSync(join(folder, "flows.json")) || isUntouched(join(folder, "flows.json"))) return undefined;
  const at = (name, number) => join(folder, `${name}.before-fresh-${number}.json`);
  let number = 1;
  while (FILES.some((name) => existsSync(at(name, number)))) number += 1;
  for (const name of FILES) {
    const file = join(folder, `${name}.json`);
    if (existsSync(file)) renameSync(file, at(name, number));
  }
  return at("flows", number);
}

function isUntouched(file) {
  const flows = parsed(file);
  // The port is ours to change, see sandbox-port.mjs.
  const same = (node) => (node?.id === TENANT.id ? { ...node, sandboxPort: TENANT.sandboxPort } : node);
  return Array.isArray(flows) && isDeepStrictEqual(flows.map(same), exampleFlows());
}

/** Ends the command where the file holds no flows. */
export function readFlows(file) {
  const flows = parsed(file);
  if (Array.isArray(flows) && flows.every((node) => typeof node?.id === "string")) return flows;
  return refuse(
    `${file} holds no flows: mend it, or start with --fresh (npm start -- --fresh), which keeps it beside the examples.`,
  );
}

/** Ends the command where the file is no JSON. */
export function readJson(file) {
  return (
    parsed(file) ??
    refuse(`${file} is no JSON: mend it, or delete it and enter again the tokens that were saved with it.`)
  );
}

function parsed(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8").replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}
