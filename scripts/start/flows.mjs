import { existsSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { refuse, root } from "../preconditions.mjs";
import { readJson, whyTaken } from "./user-folder.mjs";

/** The examples that `npm start` shows, in the order of their tabs. */
const EXAMPLES = ["2 Call a customer", "Call control by webhook", "What does my phone system send"];

/** The ports that `npm start` gives to the sandbox. Any other one was chosen by the user. */
const SANDBOX_PORTS = Array.from({ length: 10 }, (_, index) => 4010 + index);

/** One tenant for all examples, so that all calls are on one page. */
const TENANT = {
  id: "5a7d0b0c5a11d001",
  type: "telephony-tenant",
  name: "Sandbox: no phone rings",
  mode: "sandbox",
  fromNumber: "0000000000",
  fromAlias: "Example hotline",
  sandboxPort: SANDBOX_PORTS[0],
};

/** The secret of the examples' tabs is the one in the environment. Node-RED looks up a variable's own name outside its tab. */
const SECRET = { name: "CALL_SECRET", value: "CALL_SECRET", type: "env" };

/**
 * Reads the flow file of a user folder. Where there is none, or with `fresh`, it becomes the examples; flows that differ
 * from these are kept under another name, together with their credentials.
 * @returns the flows and, with `fresh`, the file that keeps the previous ones
 */
export function openFlows(folder, { fresh }) {
  const file = join(folder, "flows.json");
  const kept = fresh && existsSync(file) && !isUnchanged(readJson(file)) ? setAside(folder) : undefined;
  if (fresh || !existsSync(file)) writeFlows(folder, examples());
  const flows = readJson(file);
  if (Array.isArray(flows) && flows.every((node) => typeof node?.id === "string")) return { flows, kept };
  return refuse(
    `${file} is not a flow file: correct it, or run npm start -- --fresh to keep it and start with the examples.`,
  );
}

/** Gives the examples' sandbox a free port. Returns its tenant, or undefined where the flows have none. */
export async function openSandbox(folder, flows) {
  const tenant = flows.find(({ id, mode, d }) => id === TENANT.id && mode === "sandbox" && !d);
  if (!SANDBOX_PORTS.includes(Number(tenant?.sandboxPort))) return tenant;
  for (const port of SANDBOX_PORTS) {
    if (await whyTaken(port)) continue;
    if (port !== Number(tenant.sandboxPort)) {
      tenant.sandboxPort = port;
      writeFlows(folder, flows);
    }
    return tenant;
  }
  return tenant;
}

/** Whether the webhook at this path requires the secret that `npm start` has set, not one that its user has entered. */
export function isSecretOfStart(flows, path) {
  const webhook = flows.find(({ type, method, url }) => type === "http in" && method === "post" && url === path);
  const variables = flows.find(({ id }) => id === webhook?.z)?.env ?? [];
  const secret = variables.find(({ name }) => name === SECRET.name);
  return secret === undefined || isDeepStrictEqual(secret, SECRET);
}

function examples() {
  const nodes = EXAMPLES.flatMap((name) => readJson(join(root, "examples", `${name}.json`)));
  const others = nodes.filter(({ type }) => type !== TENANT.type);
  return [...others.map((node) => ({ ...node, ...ofStart(node) })), TENANT];
}

/** The differences to an example as shipped. */
function ofStart({ type, tenant, env = [] }) {
  if (tenant) return { tenant: TENANT.id };
  return type === "tab" ? { env: env.map((variable) => (variable.name === SECRET.name ? SECRET : variable)) } : {};
}

function isUnchanged(flows) {
  if (!Array.isArray(flows)) return false;
  const anyPort = (node) => ({ ...node, sandboxPort: undefined });
  return isDeepStrictEqual(flows.map(anyPort), examples().map(anyPort));
}

function setAside(folder) {
  const names = ["flows", "flows_cred"];
  const kept = (name, number) => join(folder, `${name}.before-fresh-${number}.json`);
  let number = 1;
  while (names.some((name) => existsSync(kept(name, number)))) number += 1;
  for (const name of names) {
    const file = join(folder, `${name}.json`);
    if (existsSync(file)) renameSync(file, kept(name, number));
  }
  return kept("flows", number);
}

function writeFlows(folder, flows) {
  writeFileSync(join(folder, "flows.json"), JSON.stringify(flows, null, 4));
}
