// npm start: Node-RED with the nodes, a simulated tenant and the example flows. See --help.
import { once } from "node:events";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { buildWhenNeeded } from "./built.mjs";
import { needInstalled, needNode, refuse, root } from "./preconditions.mjs";
import { openFlows, openSandbox } from "./start/flows.mjs";
import { neighbour, readPort, whyTaken } from "./start/port.mjs";
import { lockFolder, prepareFolder } from "./start/user-folder.mjs";
import { welcome } from "./start/welcome.mjs";

const USAGE = `Usage: npm start -- [--port 1880] [--fresh] [--user-dir <folder>]

Starts Node-RED with the nodes of this package, a simulated tenant and the example flows. No phone rings.

  --port <port>        port on 127.0.0.1 (default: the environment variable PORT, else 1880)
  --fresh              restore the example flows; your flows are kept in a numbered file beside them
  --user-dir <folder>  Node-RED's user folder (default: .node-red in the project)
  --help, -h           show this text
`;

needNode("22.9.0", "Node-RED 5");
const { fresh, port: givenPort, userDir } = options();
const port = readPort(givenPort) ?? refuse(`The port must be a number from 1 to 65535, not "${givenPort}".`);
const held = await lockFolder(userDir, port);
if (held) {
  const other = held === port ? neighbour(port) : port;
  refuse(
    `npm start is already running at http://127.0.0.1:${held}; npm start -- --port ${other} --user-dir <folder> starts another one beside it.`,
  );
}
const reason = await whyTaken(port);
if (reason) {
  const problem = reason === "EACCES" ? "is not available to this user" : "is in use";
  refuse(`The port ${port} ${problem}; choose another, such as --port ${neighbour(port)}.`);
}
needInstalled("typescript", "node-red");
buildWhenNeeded();

const { callSecret } = prepareFolder(userDir);
const { flows, kept } = openFlows(userDir, { fresh });
if (kept) process.stdout.write(`Your previous flows are in ${kept}.\n`);
process.env.CALL_SECRET ||= callSecret;
const sandbox = await openSandbox(userDir, flows);
const pages = sandbox && (await sandboxPages(sandbox));

const nodeRed = createRequire(import.meta.url)("node-red");
nodeRed.events.once("flows:started", async () => {
  if (!nodeRed.server.listening) await once(nodeRed.server, "listening");
  const calls = pages && (await answers(`${pages}/calls`)) ? pages : undefined;
  process.stdout.write(welcome({ port, secret: process.env.CALL_SECRET, calls, flows }));
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
  const fixed = readPort(String(sandboxPort));
  if (!fixed) return `http://127.0.0.1:${port}/telephony/sandbox/${id}`;
  return (await whyTaken(fixed)) ? undefined : `http://127.0.0.1:${fixed}/sandbox`;
}

/** Waits up to five seconds for the sandbox, which starts beside the flows. */
async function answers(url) {
  for (let tries = 0; tries < 50; tries += 1) {
    const response = await fetch(url).catch(() => undefined);
    await response?.body.cancel();
    if (response?.ok) return true;
    await sleep(100);
  }
  return false;
}
