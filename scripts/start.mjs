// npm start: Node-RED with the nodes, a simulated tenant and the example flows. See --help.
import { once } from "node:events";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { buildWhenNeeded } from "./built.mjs";
import { needInstalled, needNode, refuse, root } from "./preconditions.mjs";
import { TENANT } from "./start/example-flows.mjs";
import { readPort, tryPort } from "./start/port.mjs";
import { prepareUserFolder } from "./start/user-folder.mjs";
import { welcome } from "./start/welcome.mjs";

const USAGE = `Usage: npm start -- [--port 1880] [--fresh]

Starts Node-RED with the nodes of this package, a simulated tenant and the example flows. No phone rings.

  --port <port>        port on 127.0.0.1 (default: the environment's PORT, else 1880)
  --fresh              put the example flows back; yours are kept as flows.before-fresh.json
  --user-dir <folder>  Node-RED's user folder (default: .node-red in the project)
  --help               show this text
`;

needNode("22.9.0", "Node-RED 5");
const { fresh, port: wanted, "user-dir": userDir } = options();
const port = readPort(wanted) ?? refuse(`The port must be a number from 1 to 65535, not "${wanted}".`);
const { reason } = await tryPort(port);
if (reason)
  refuse(
    `The port ${port} is ${reason === "EACCES" ? "not for this user" : "in use"}; choose another: npm start -- --port ${port + 1}`,
  );
needInstalled("typescript", "node-red");
buildWhenNeeded();

const { secrets, flows, writeFlows } = prepareUserFolder(userDir, { fresh });
// The flow's own secret counts where somebody has set one.
process.env.CALL_SECRET ||= secrets.callSecret;
const sandbox = flows.find(({ id, mode }) => id === TENANT.id && mode === "sandbox");
if (sandbox) await freeSandboxPort(sandbox);

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
  if (sandbox) await answering(`http://127.0.0.1:${sandbox.sandboxPort}/sandbox`);
  const { CALL_SECRET: secret } = process.env;
  process.stdout.write(welcome({ port, secret, sandboxPort: sandbox?.sandboxPort, flows }));
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
        help: { type: "boolean", default: false },
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

/** The addresses printed must hold: a port taken by somebody else is exchanged for a free one, in the flow file too. */
async function freeSandboxPort(tenant) {
  const port = readPort(String(tenant.sandboxPort));
  if (port && !(await tryPort(port)).reason) return;
  tenant.sandboxPort = (await tryPort(0)).port;
  writeFlows(flows);
}

/** Waits for whoever starts beside the flows; gives up quietly, since the log says what kept it. */
async function answering(url) {
  for (let tries = 0; tries < 50; tries += 1) {
    const answered = await fetch(url).then(
      ({ body }) => body.cancel().then(() => true),
      () => sleep(100),
    );
    if (answered) return;
  }
}
