// npm start: Node-RED with the nodes, a simulated tenant and the example flows. See --help.
import { once } from "node:events";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { needNode, refuse, root } from "./preconditions.mjs";
import { isSecretOfStart, openFlows, openSandbox } from "./start/flows.mjs";
import { isPort, lockFolder, prepareFolder, whyTaken } from "./start/user-folder.mjs";

const USAGE = `Usage: npm start -- [--port 1880] [--fresh] [--user-dir <folder>]

Starts Node-RED with the nodes of this package, a simulated tenant and the example flows. No phone rings.

  --port <port>        port on 127.0.0.1 (default: the environment variable PORT, else 1880)
  --fresh              restore the example flows; your flows are kept in a numbered file beside them
  --user-dir <folder>  Node-RED's user folder (default: .node-red in the project)
  --help, -h           show this text
`;

/** The path of the example that places a call. */
const CALL_PATH = "/call-a-customer";

needNode("22.9.0", "Node-RED 5");
const { fresh, port: givenPort, userDir } = options();
if (!isPort(givenPort)) refuse(`The port must be a number from 1 to 65535, not "${givenPort}".`);
const port = Number(givenPort);
const url = `http://127.0.0.1:${port}`;
const other = port < 65_535 ? port + 1 : port - 1;
const held = await lockFolder(userDir, port);
if (held)
  refuse(
    `npm start is already running at http://127.0.0.1:${held}; npm start -- --port ${held === port ? other : port} --user-dir <folder> starts another one beside it.`,
  );
const reason = await whyTaken(port);
if (reason) {
  const problem = reason === "EACCES" ? "is not available to this user" : "is in use";
  refuse(`The port ${port} ${problem}; choose another, such as --port ${other}.`);
}

const { callSecret } = prepareFolder(userDir);
const { flows, kept } = openFlows(userDir, { fresh });
if (kept) process.stdout.write(`Your previous flows are in ${kept}.\n`);
// The examples' tabs take their secret from here, until their user enters another one.
process.env.CALL_SECRET ||= callSecret;
const sandbox = await openSandbox(userDir, flows);
const pages = sandbox && (await sandboxPages(sandbox));

const nodeRed = createRequire(import.meta.url)("node-red");
nodeRed.events.once("flows:started", async () => {
  if (!nodeRed.server.listening) await once(nodeRed.server, "listening");
  process.stdout.write(await welcome());
});
// Node-RED prefers a flow file in the current folder to the one in the user folder.
process.chdir(userDir);
// Node-RED's own command in this process, with its signals and its exit code.
const settings = join(userDir, "settings.js");
process.argv.splice(2, Infinity, "--userDir", userDir, "--settings", settings, "--port", String(port));
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

/** Where the sandbox shows its calls: on its port or, when that is only known once it runs, in the editor. */
async function sandboxPages({ id, sandboxPort }) {
  if (!isPort(sandboxPort)) return `${url}/telephony/sandbox/${id}`;
  return (await whyTaken(Number(sandboxPort))) ? undefined : `http://127.0.0.1:${sandboxPort}/sandbox`;
}

/** The text that is printed once the flows run. Its curl line is a whole command. */
async function welcome() {
  const isKnown = isSecretOfStart(flows, CALL_PATH);
  const secret = isKnown ? process.env.CALL_SECRET : "the secret of the flow";
  const lines = ["", `Open ${url}/ for the flows. The tab Telephony in its sidebar shows the calls as they ring.`];
  const placesCalls = await answers(url + CALL_PATH);
  const hash = isKnown ? `#${encodeURIComponent(secret)}` : "";
  if (placesCalls) lines.push(`Open ${url}${CALL_PATH}${hash} for the form that places a call.`);
  // The sandbox starts beside the flows.
  for (let tries = 0; pages && tries < 50 && !(await answers(`${pages}/calls`)); tries += 1) await sleep(100);
  if (pages && (await answers(`${pages}/calls`)))
    lines.push(`Open ${pages} to see the calls (${pages}/calls as JSON). No phone rings.`);
  if (placesCalls) {
    const header = `X-Call-Secret: ${secret}`;
    // Every shell accepts double quotes; a secret with characters that are special in them is quoted for POSIX.
    const quoted = /["$`\\!%]/.test(header) ? `'${header.replaceAll("'", String.raw`'\''`)}'` : `"${header}"`;
    lines.push("Or place a call from another terminal:", "");
    lines.push(`curl -i -H ${quoted} -d "name=Ada" -d "number=0000000000" ${url}${CALL_PATH}`);
  }
  return `${[...lines, "", "Ctrl+C ends it.", ""].join("\n")}\n`;
}

async function answers(address) {
  const response = await fetch(address).catch(() => undefined);
  await response?.body.cancel();
  return response?.ok === true;
}
