import { randomBytes } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "../preconditions.mjs";
import { exampleFlows } from "./example-flows.mjs";
import { readFlows, readJson, setAside } from "./flow-file.mjs";

/**
 * Prepares a user folder of Node-RED: settings, secrets and example flows, each made once and left alone from then on,
 * and a link to this package, so that its nodes and examples are found as installed ones are.
 * @param fresh puts the example flows back; the flows that were there are kept beside them
 * @returns what its two files of data hold, a way to write the flows, and where those that were there are kept
 */
export function prepareUserFolder(folder, { fresh }) {
  const at = (name) => join(folder, name);
  if (!existsSync(at("settings.js"))) copyFileSync(join(root, "scripts", "start", "settings.js"), at("settings.js"));
  if (!existsSync(at("secrets.json"))) {
    const secrets = { callSecret: secret(), credentialSecret: secret() };
    writeFileSync(at("secrets.json"), JSON.stringify(secrets, null, 2), { mode: 0o600 });
  }
  link(at("node_modules/@cloud-telephony/node-red-call-actions"));

  const writeFlows = (flows) => writeFileSync(at("flows.json"), JSON.stringify(flows, null, 4));
  const kept = fresh ? setAside(folder) : undefined;
  if (!existsSync(at("flows.json"))) writeFlows(exampleFlows());
  return { secrets: readJson(at("secrets.json")), flows: readFlows(at("flows.json")), writeFlows, kept };
}

function secret() {
  return randomBytes(18).toString("base64url");
}

/** Made anew each time: the project's folder may have been moved. */
function link(path) {
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { force: true, recursive: true });
  symlinkSync(root, path, "junction");
}
