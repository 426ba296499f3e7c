import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Clock } from "@sinonjs/fake-timers";
import type { Plan } from "../plan";
import { runAt } from "./clock";
import { Idle } from "./idle";
import { give, UI_PORT } from "./inputs";
import { logged, type NodeRed, observe, templateIdOf } from "./observe";
import { flush, report } from "./output";
import { actAsTenants } from "./sandboxes";
import type { Sockets } from "./sockets";
import { reportWaiting } from "./waiting";

/** Runs Node-RED from the beginning of a plan to its end. */
export async function run(plan: Plan, clock: Clock, sockets: Sockets): Promise<void> {
  const idle = new Idle(clock, sockets);
  let isOver = false;
  runAt(plan.until - 1, () => {
    isOver = true;
  });
  const RED = require(plan.nodeRed) as NodeRed;
  actAsTenants(plan, (id) => templateIdOf(RED, id));
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
    if (id === "runtime-state" && error) problem = `${error}: ${JSON.stringify(types ?? modules)}`;
  });
  await idle.whileStanding(new Promise((resolve) => server.listen(0, "127.0.0.1", resolve as () => void)));
  const { port } = server.address() as AddressInfo;
  sockets.aliases.set(UI_PORT, port);
  await idle.whileStanding(RED.start());
  await idle.until(() => isStarted || problem !== "");
  if (problem !== "") throw new Error(problem);
  for (const [index, input] of plan.inputs.entries()) runAt(input.at, () => give(RED, port, plan, input, index));
  await idle.until(() => isOver);
  await idle.whileStanding(reportWaiting(RED, plan));
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
