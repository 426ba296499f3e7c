import type { EventEmitter } from "node:events";
import type { NodeAPI } from "node-red";
import { perObject } from "../../runtime/node-red/node-state";
import { swallowErrors } from "../../runtime/node-red/swallow-errors";
import type { NodeDeclaration } from "../../runtime/register";
import { serveGet, servePost } from "./http";

const READ = "telephony-tenant.read";
const WRITE = "telephony-tenant.write";
const DEPLOY = "flows.write";

/** Serves the requests of the dialogs and of the tab. The code behind a route is loaded with its first request. */
export function serveWorkshop(RED: NodeAPI, declarations: readonly NodeDeclaration[]): void {
  const actions = declarations.filter((declaration) => declaration.kind === "action");
  const tenants = () => require("./tenant-routes") as typeof import("./tenant-routes");
  const running = () => require("../../runtime/tenants/tenants") as typeof import("../../runtime/tenants/tenants");
  serveGet(RED, "/telephony/tenants", READ, () => ({ ok: true, tenants: running().runningTenants() }));
  servePost(RED, "/telephony/tenant/test", WRITE, (body) => tenants().testConnection(RED, body));
  servePost(RED, "/telephony/tenant/:id/control", WRITE, (body, id) => tenants().command(id, body));
  serveGet(RED, "/telephony/tenant/:id/control", READ, (id) => tenants().command(id, { command: "count" }));
  const waiting = () => require("./waiting-calls") as typeof import("./waiting-calls");
  serveGet(RED, "/telephony/tenant/:id/waiting", READ, (id) => waiting().waitingCalls(id));
  serveGet(RED, "/telephony/tenant/:id/business-hours", READ, (id) => tenants().schedules(id));

  serveGet(RED, "/telephony/new-sandbox/business-hours", READ, () => tenants().schedulesOfNewSandbox());

  serveGet(RED, "/telephony/metrics", "telephony-metrics.read", () => tenants().metrics());

  const preview = () => require("./preview/preview") as typeof import("./preview/preview");
  servePost(RED, "/telephony/preview", READ, (body) => preview().preview(RED, actions, body));
  servePost(RED, "/telephony/preview/fetch", WRITE, (body) => preview().fetchForPreview(RED, body));

  const closing = () => require("./gate-closing") as typeof import("./gate-closing");
  serveGet(RED, "/telephony/gate/:id/closing", READ, (id) => closing().closingOf(id));
  servePost(RED, "/telephony/gate/:id/closing", WRITE, (body, id) => closing().setClosing(id, body));
  servePost(RED, "/telephony/control/:id", WRITE, (_, id) => tenants().pressControl(RED, id));

  const sandbox = () => require("./sandbox-view") as typeof import("./sandbox-view");
  serveGet(RED, "/telephony/sandbox/:id", READ, () => sandbox().page());
  const webhooks = () =>
    require("../../runtime/tenants/flow-webhooks") as typeof import("../../runtime/tenants/flow-webhooks");
  serveGet(RED, "/telephony/sandbox/:id/webhooks", READ, (id) => webhooks().webhooksFor(RED, id));
  for (const what of ["log", "calls", "view", "changes", "ringing"])
    serveGet(RED, `/telephony/sandbox/:id/${what}`, READ, (id, request) => sandbox().read(id, what, request));
  servePost(RED, "/telephony/sandbox/:id/:control", WRITE, (...request) => sandbox().control(...request));
  serveRehearsals(RED);
  serveWatchers(RED);
}

/** A rehearsal runs what is not deployed, so it needs the right to deploy. */
function serveRehearsals(RED: NodeAPI): void {
  const routes = () => require("./rehearsal-routes") as typeof import("./rehearsal-routes");
  serveGet(RED, "/telephony/rehearsal", DEPLOY, () => routes().rehearsalState());
  servePost(RED, "/telephony/rehearsal", DEPLOY, (body) => routes().startRehearsal(RED, body));
  serveGet(RED, "/telephony/rehearsal/tests", DEPLOY, () => routes().flowTests(RED));
  servePost(RED, "/telephony/rehearsal/tests", DEPLOY, (body) => routes().saveTests(RED, body));
  servePost(RED, "/telephony/rehearsal/record", DEPLOY, (body) => routes().record(RED, body));
  serveGet(RED, "/telephony/rehearsal/report", DEPLOY, () => routes().reportPage());
}

/** Node-RED's events that are listened to. They outlive a node set. */
const served = perObject<EventEmitter, true>("served events");

/** The editors that show a sandbox. Nothing is sent while there are none. */
function serveWatchers(RED: NodeAPI): void {
  const watchers = () => require("./watchers") as typeof import("./watchers");
  const { events } = RED as unknown as { readonly events: EventEmitter };
  // A set that is disabled and enabled again is loaded again.
  if (served.has(events)) return;
  served.set(events, true);
  const rehearsal = () => require("../rehearsal/boundary") as typeof import("../rehearsal/boundary");
  events.once("flows:started", () => void rehearsal().sweep());
  events.on("flows:started", () => swallowErrors(() => RED.comms.publish("telephony/tenants", {}, true)));
  let hasWatchers = false;
  events.on("comms:message:telephony/watch", ({ session, data }: { session: string; data?: unknown }) => {
    hasWatchers = true;
    if (typeof data === "string" && data !== "") void watchers().watch(RED, session, data);
    else watchers().unwatch(session);
  });
  events.on("comms:connection-removed", ({ session }: { session: string }) => {
    if (hasWatchers) watchers().unwatch(session);
  });
}
