// npm start: Node-RED with the nodes, a simulated tenant and the example flows. See --help.
import { createCipheriv, createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { needNode, refuse, root } from "./preconditions.mjs";

const USAGE = `Usage: npm start -- [--port 1880] [--fresh] [--user-dir <folder>]

Starts Node-RED with the nodes of this package, a simulated tenant and the example flows. No phone rings.

  --port <port>        port on 127.0.0.1 (default: the environment variable PORT, else 1880)
  --fresh              restore the example flows; your flows are kept in a file beside them
  --user-dir <folder>  Node-RED's user folder (default: .node-red in the project)
  --help, -h           show this text
`;

/** The examples that it shows, in the order of their tabs. */
const EXAMPLES = ["1 Hello", "2 Call a customer"];
const CALL_PATH = "call-a-customer";
/** The secret of the examples' webhooks, until their user enters another one. */
const SECRET = "${CALL_SECRET}";
/** The arrangement of Node-RED 5's sidebars for a user who has not chosen one: as by default, but with the calls in front. */
const SIDEBARS = {
  v: 4,
  tabs: [],
  primary: {
    top: { tabs: ["info", "help", "config", "context", "telephony"], active: "telephony" },
    bottom: { tabs: ["debug"], active: "debug" },
  },
  secondary: { top: { tabs: ["explorer"], active: "explorer" }, bottom: { tabs: ["palette"], active: "palette" } },
};
/** Ports for the sandbox. Any other one was chosen by the user. */
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

needNode("22.9.0", "Node-RED 5");
const { port, fresh, userDir } = options();
if (!isPort(port)) refuse(`The port must be a number from 1 to 65535, not "${port}".`);
prepare();
await lock();
if (!(await isFree(port))) refuse(`The port ${port} is not free; choose another one with --port.`);
const url = `http://127.0.0.1:${port}`;
const { flows, tenant } = await openFlows();

const nodeRed = createRequire(import.meta.url)("node-red");
nodeRed.events.once("flows:started", async () => {
  if (!nodeRed.server.listening) await once(nodeRed.server, "listening");
  process.stdout.write(await welcome());
});
// Node-RED prefers a flow file in the current folder to the one in the user folder.
process.chdir(userDir);
// Node-RED's own command in this process, with its signals and its exit code.
process.argv.splice(2, Infinity, "--userDir", userDir, "--port", port);
createRequire(import.meta.url)("node-red/red.js");

function options() {
  const { PORT, npm_config_port } = process.env;
  try {
    const { values } = parseArgs({
      options: {
        // `npm start --port=1881`, without the dashes in between: npm passes the option on in its environment.
        port: { type: "string", default: npm_config_port || PORT || "1880" },
        fresh: { type: "boolean", default: false },
        "user-dir": { type: "string", default: join(root, ".node-red") },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    if (!values.help) return { ...values, userDir: resolve(values["user-dir"]) };
    process.stdout.write(USAGE);
    process.exit(0);
  } catch (error) {
    return refuse(`${error.message.split(/\.\s/, 1)[0]}. See npm start -- --help.`);
  }
}

/** Locks the user folder until this process ends: of two Node-REDs in one folder, the last deploy would win. */
async function lock() {
  const file = join(userDir, "npm-start.json");
  const holder = readJson(file);
  // A process that was killed leaves the file.
  if (holder && !(await isFree(holder.port)))
    refuse(`npm start is already running at http://127.0.0.1:${holder.port}; another one needs another --user-dir.`);
  writeFileSync(file, JSON.stringify({ port }));
  process.once("exit", () => rmSync(file, { force: true }));
}

/** Links this package into the user folder, as if it were installed, and writes settings with new secrets where there are none. */
function prepare() {
  const link = join(userDir, "node_modules/@cloud-telephony/node-red-call-actions");
  mkdirSync(dirname(link), { recursive: true });
  // Linked anew each time: the project may have been moved.
  rmSync(link, { force: true, recursive: true });
  symlinkSync(root, link, "junction");
  const file = join(userDir, "settings.js");
  const secret = () => JSON.stringify(randomBytes(18).toString("base64url"));
  const text = `// Written by npm start once; your changes stay.
process.env.CALL_SECRET ||= ${secret()};
module.exports = {
  uiHost: "127.0.0.1",
  flowFile: "flows.json",
  flowFilePretty: true,
  credentialSecret: ${secret()},
  telemetry: { enabled: false, updateNotification: false },
  editorTheme: { tours: false },
};
`;
  if (existsSync(file)) return;
  writeFileSync(file, text, { mode: 0o600 });
  writeFileSync(
    join(userDir, ".config.users.json"),
    JSON.stringify({ _: { editor: { sidebar: { state: SIDEBARS } } } }),
  );
}

/** Reads the flow file, which begins as the examples. Their sandbox, if it is still there, gets a free port. */
async function openFlows() {
  const file = join(userDir, "flows.json");
  if (fresh && existsSync(file)) setAside();
  const isNew = !existsSync(file);
  const flows = isNew ? [...EXAMPLES.flatMap(example), TENANT] : readJson(file);
  if (!Array.isArray(flows) || !flows.every((node) => typeof node?.id === "string"))
    refuse(`${file} is not a flow file: correct it, or run npm start -- --fresh, which keeps it.`);
  const tenant = flows.find(({ id, mode, d }) => id === TENANT.id && mode === "sandbox" && !d);
  const sandboxPort = tenant?.sandboxPort;
  if (SANDBOX_PORTS.includes(Number(sandboxPort)))
    for (const port of SANDBOX_PORTS.toReversed()) if (await isFree(port)) tenant.sandboxPort = port;
  if (isNew) {
    // Node-RED does not read credentials from the flow file.
    const secrets = flows.filter(({ credentials }) => credentials).map(({ id, credentials }) => [id, credentials]);
    writeFileSync(join(userDir, "flows_cred.json"), JSON.stringify(encrypted(Object.fromEntries(secrets))));
    for (const node of flows) delete node.credentials;
  }
  if (isNew || tenant?.sandboxPort !== sandboxPort) writeFileSync(file, JSON.stringify(flows, null, 4));
  return { flows, tenant };
}

/** Encrypts credentials as Node-RED stores them: it warns of any that are not encrypted. */
function encrypted(credentials) {
  const { credentialSecret } = createRequire(import.meta.url)(join(userDir, "settings.js"));
  if (!credentialSecret) return credentials;
  const iv = randomBytes(16);
  const cipher = createCipheriv("aes-256-ctr", createHash("sha256").update(credentialSecret).digest(), iv);
  const text = cipher.update(JSON.stringify(credentials), "utf8", "base64") + cipher.final("base64");
  return { $: iv.toString("hex") + text };
}

/** Keeps the flows under another name, with their credentials. */
function setAside() {
  const now = new Date().toISOString().replaceAll(/\D/g, "");
  const names = ["flows.json", "flows_cred.json"].filter((name) => existsSync(join(userDir, name)));
  for (const name of names) renameSync(join(userDir, name), join(userDir, `before-fresh-${now}-${name}`));
  process.stdout.write(`Your previous flows are in ${join(userDir, `before-fresh-${now}-flows.json`)}.\n`);
}

/** The nodes of an example, with the tenant of all. */
function example(name) {
  const nodes = readJson(join(root, "examples", `${name}.json`)).filter(({ type }) => type !== TENANT.type);
  return nodes.map((node) => ({ ...node, ...(node.tenant && { tenant: TENANT.id }) }));
}

/** Reads a file of JSON; undefined if it holds none. */
function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8").replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}

/** The text that is printed once the flows run. Its curl line is a whole command. */
async function welcome() {
  const lines = ["", `Open ${url}/ for the flows. The tab Telephony in its sidebar shows the calls as they ring.`];
  const webhook = flows.find(({ type, path, d }) => type === "telephony-webhook" && path === CALL_PATH && !d);
  const isFixed = isPort(tenant?.sandboxPort);
  const pages = isFixed ? `http://127.0.0.1:${tenant.sandboxPort}/sandbox` : `${url}/telephony/sandbox/${TENANT.id}`;
  // The sandbox starts beside the flows.
  for (let tries = 0; tenant && tries < 50 && !(await answers(`${pages}/calls`)); tries += 1) await sleep(100);
  if (tenant && (await answers(`${pages}/calls`)))
    lines.push(`Open ${pages} to see the calls (${pages}/calls as JSON). No phone rings.`);
  if (webhook) {
    const isOurs = nodeRed.nodes.getCredentials(webhook.id)?.secret === SECRET;
    const header = `X-Call-Secret: ${isOurs ? process.env.CALL_SECRET : "the secret of the webhook"}`;
    // Every shell accepts double quotes; a secret with characters that are special in them is quoted for POSIX.
    const quoted = /["$`\\!%]/.test(header) ? `'${header.replaceAll("'", String.raw`'\''`)}'` : `"${header}"`;
    const order = ["orderNo=1001", "name=Ada", "number=0000000000"].map((field) => `-d "${field}"`).join(" ");
    const look = `-w "\\nThe call is in the tab Telephony of ${url}/\\n"`;
    lines.push("Or post an order from another terminal, and a phone rings:", "");
    lines.push(`curl -i -H ${quoted} ${look} ${order} ${url}/${CALL_PATH}`);
  }
  return `${[...lines, "", "Ctrl+C ends it.", ""].join("\n")}\n`;
}

async function answers(address) {
  const response = await fetch(address).catch(() => undefined);
  await response?.body.cancel();
  return response?.ok === true;
}

function isPort(text) {
  return /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;
}

/** Whether something can listen on a port of loopback. */
async function isFree(port) {
  const server = createServer().listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
