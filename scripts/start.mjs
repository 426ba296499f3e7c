// npm start: Node-RED with the nodes, a simulated tenant and the example flows. See --help.
import { once } from "node:events";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { buildWhenNeeded } from "./built.mjs";
import { needInstalled, needNode, refuse, root } from "./preconditions.mjs";
import { TENANT } from "./start/example-flows.mjs";
import { lockFolder } from "./start/folder-lock.mjs";
import { next, readPort, tryPort } from "./start/port.mjs";
import { settleSandboxPort } from "./start/sandbox-port.mjs";
import { prepareUserFolder } from "./start/user-folder.mjs";
import { welcome } from "./start/welcome.mjs";

const USAGE = `Usage: npm start -- [--port 1880] [--fresh] [--user-dir <folder>]

Starts Node-RED with the nodes of this package, a simulated tenant and the example flows. No phone rings.

  --port <port>        port on 127.0.0.1 (default: the environment's PORT, else 1880)
  --fresh              put the example flows back; yours are kept beside them, each time in a file of its own
  --user-dir <folder>  Node-RED's user folder, for one start at a time (default: .node-red in the project)
  --help, -h           show this text
`;

needNode("22.9.0", "Node-RED 5");
const { fresh, port: wanted, "user-dir": userDir } = options();
const port = readPort(wanted) ?? refuse(`The port must be a number from 1 to 65535, not "${wanted}".`);
const held = await lockFolder(userDir, port);
if (held)
  refuse(
    `npm start is already running at http://127.0.0.1:${held}; npm start -- --port ${held === port ? next(port) : port} --user-dir <folder> starts another one beside it.`,
  );
const { reason } = await tryPort(port);
if (reason)
  refuse(
    `The port ${port} is ${reason === "EACCES" ? "not for this user" : "in use"}; choose another, such as --port ${next(port)}.`,
  );
needInstalled("typescript", "node-red");
buildWhenNeeded();

const { secrets, flows, writeFlows, kept } = prepareUserFolder(userDir, { fresh });
if (kept) process.stdout.write(`The flows that were here are kept in ${kept}.\n`);
// The flow's own secret counts where somebody has set one.
process.env.CALL_SECRET ||= secrets.callSecret;
const sandbox = flows.find(({ id, mode, d }) => id === TENANT.id && mode === "sandbox" && !d);
if (sandbox && (await settleSandboxPort(sandbox, userDir))) writeFlows(flows);
const pages = sandbox ? await sandboxPages(sandbox) : undefined;

const require = createRequire(import.meta.url);
const nodeRed = require("node-red");
nodeRed.events.once("flows:started", () => void greet());
// Node-RED's own command, in this process: its signals, its exit code.
const settings = join(userDir, "settings.js");
// Node-RED prefers a flow file in the current folder to the one in the user folder.
process.chdir(userDir);
process.argv.splice(2, Infinity, "--userDir", userDir, "--settings", settings, "--port", String(port));
require("node-red/red.js");

async function greet() {
  if (!nodeRed.server.listening) await once(nodeRed.server, "listening");
  const { CALL_SECRET: secret } = process.env;
  const isSeen = pages && (await answering(`${pages}/calls`));
  process.stdout.write(welcome({ port, secret, calls: isSeen ? pages : undefined, flows }));
}

/** Where the sandbox shows its calls: at its port, or in the editor where the port is only known once it runs. */
async function sandboxPages({ id, sandboxPort }) {
  const own = readPort(String(sandboxPort));
  if (!own) return `http://127.0.0.1:${port}/telephony/sandbox/${id}`;
  return (await tryPort(own)).reason ? undefined : `http://127.0.0.1:${own}/sandbox`;
}

function options() {
  const { PORT, npm_config_port } = process.env;
  try {
    const { values } = parseArgs({
      options: {
        // npm takes `npm start --port=1881`, without the dashes in between, as an option of its own, and passes it on so.
        port: { type: "string", default: npm_config_port || PORT || "1880" },
        fresh: { type: "boolean", default: false },
        "user-dir": { type: "string", default: join(root, ".node-red") },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    if (values.help) {
      process.stdout.write(USAGE);
      process.exit(0);
    }
    return { ...values, "user-dir": resolve(values["user-dir"]) };
  } catch (error) {
    return refuse(`${error.message.split(/\.\s/, 1)[0]}. See npm start -- --help.`);
  }
}

/** Waits for whoever starts beside the flows; gives up quietly, since the log says what kept it. */
async function answering(url) {
  for (let tries = 0; tries < 50; tries += 1) {
    const answered = await fetch(url).then(
      ({ ok, body }) => body.cancel().then(() => ok),
      () => false,
    );
    if (answered) return true;
    await sleep(100);
  }
  return false;
}
