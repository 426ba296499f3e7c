import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { listWaiting } from "../../../client";
import { usableTenants } from "../../../runtime/tenants/tenants";
import type { Plan } from "../prepare";
import { runAt, type VirtualClock } from "./clock";
import { Idle } from "./idle";
import { give, UI_PORT } from "./inputs";
import { logged, type NodeRed, observe, templateIdOf } from "./observe";
import { flush, report } from "./output";
import { registerOutside } from "./outside-nodes";
import { actAsTenants } from "./sandboxes";
import { rememberReads, rememberTexts } from "./shortcuts";
import type { Sockets } from "./sockets";

export async function run(plan: Plan, clock: VirtualClock, sockets: Sockets): Promise<void> {
  const idle = new Idle(clock, sockets);
  let isOver = false;
  runAt(plan.until - 1, () => {
    isOver = true;
  });
  const RED = require(plan.nodeRed) as NodeRed;
  rememberTexts(plan);
  actAsTenants(plan, (id) => templateIdOf(RED, id), rememberReads(plan));
  const server = createServer((request, response) => RED.httpNode(request, response));
  RED.init(server, settingsOf(plan));
  observe(RED, plan);
  RED.events.once("flows:starting", () => {
    report({ kind: "starting flows" });
    flush();
  });
  let isStarted = false;
  RED.events.once("flows:started", () => {
    isStarted = true;
  });
  let problem = "";
  RED.events.on("runtime-event", ({ id, payload }) => {
    const { error, types, modules } = Object(payload);
    if (id !== "runtime-state" || !error) return;
    // Not of a package that is left out: a subflow without its definition, or a node set that could not be loaded.
    const broken = types?.filter((type: string) => type.startsWith("subflow:") || RED.nodes.getNodeInfo(type));
    if (error !== "missing-types" || broken.length > 0) problem = `${error}: ${JSON.stringify(broken ?? modules)}`;
    // Once the last one is registered, Node-RED starts the flows.
    else for (const type of [...types]) registerOutside(RED, type, plan);
  });
  await idle.whileStanding(new Promise((resolve) => server.listen(0, "127.0.0.1", resolve as () => void)));
  const { port } = server.address() as AddressInfo;
  sockets.aliases.set(UI_PORT, port);
  await idle.whileStanding(RED.start());
  await idle.until(() => isStarted || problem !== "");
  if (problem !== "") throw new Error(problem);
  for (const [index, input] of plan.inputs.entries()) runAt(input.at, () => give(RED, port, plan, input, index));
  await idle.until(() => isOver);
  await idle.whileStanding(reportWaiting(RED));
}

/** Calls that are read at a time. */
const PAGE = 10_000;

async function reportWaiting(RED: NodeRed): Promise<void> {
  for (const { client } of usableTenants())
    for (let offset = 0, isLast = false; !isLast; offset += PAGE) {
      const calls = await listWaiting(client, { limit: PAGE, offset });
      for (const { nodeId, number, acceptedAt, waitsFor: reason } of calls) {
        const about = { at: Date.parse(acceptedAt), nodeId: templateIdOf(RED, nodeId), number: number ?? "" };
        report({ kind: "notPlaced", ...about, code: null, reason });
      }
      isLast = calls.length < PAGE;
    }
}

function settingsOf({ settings }: Plan): object {
  const handler = () => logged;
  return {
    ...settings,
    uiPort: UI_PORT,
    httpAdminRoot: false,
    httpNodeRoot: "/",
    credentialSecret: false,
    logging: { rehearsal: { level: "error", metrics: false, audit: false, handler } },
    telemetry: { enabled: false, updateNotification: false },
    externalModules: {
      autoInstall: false,
      palette: { allowInstall: false, allowUpdate: false, allowUpload: false },
    },
  };
}
