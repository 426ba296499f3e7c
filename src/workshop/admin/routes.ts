import type { EventEmitter } from "node:events";
import type { NodeAPI } from "node-red";
import { perObject } from "../../runtime/node-red/node-state";
import { swallowErrors } from "../../runtime/node-red/swallow-errors";
import type { NodeDeclaration } from "../../runtime/register";
import { type Handler, serve } from "./http";

const READ = "telephony-tenant.read";
const WRITE = "telephony-tenant.write";
/** A rehearsal runs what is not deployed, so it needs the right to deploy. */
const DEPLOY = "flows.write";

// The code behind a route is loaded with its first request.
const tenants = () => require("./tenant-routes") as typeof import("./tenant-routes");
const running = () => require("../../runtime/tenants/tenants") as typeof import("../../runtime/tenants/tenants");
const waiting = () => require("./waiting-calls") as typeof import("./waiting-calls");
const preview = () => require("./preview/preview") as typeof import("./preview/preview");
const closing = () => require("./gate-closing") as typeof import("./gate-closing");
const sandbox = () => require("./sandbox-view") as typeof import("./sandbox-view");
const webhooks = () =>
  require("../../runtime/tenants/flow-webhooks") as typeof import("../../runtime/tenants/flow-webhooks");
const webhookTry = () => require("./webhook-try") as typeof import("./webhook-try");
const lists = () => require("./list-routes") as typeof import("./list-routes");
const rehearsal = () => require("./rehearsal/rehearsal-routes") as typeof import("./rehearsal/rehearsal-routes");
const boundary = () => require("../rehearsal/boundary") as typeof import("../rehearsal/boundary");

type Route = readonly [method: "get" | "post", path: string, permission: string, answer: Handler, isRaw?: boolean];

/** Serves the requests of the dialogs and of the tab. */
export function serveWorkshop(RED: NodeAPI, declarations: readonly NodeDeclaration[]): void {
  const routes: readonly Route[] = [
    ["get", "tenants", READ, () => ({ ok: true, tenants: running().runningTenants() })],
    ["post", "tenant/test", WRITE, (body) => tenants().testConnection(RED, body)],
    ["post", "tenant/:id/control", WRITE, (body, id) => tenants().command(id, body)],
    ["get", "tenant/:id/control", READ, (_, id) => tenants().command(id, { command: "count" })],
    ["get", "tenant/:id/today", READ, (_, id) => tenants().today(id)],
    ["get", "tenant/:id/waiting", READ, (_, id) => waiting().waitingCalls(id)],
    ["get", "tenant/:id/unknown", READ, (_, id) => waiting().openDecisions(id)],
    ["get", "tenant/:id/business-hours", READ, (_, id) => tenants().schedules(id)],
    ["get", "new-sandbox/business-hours", READ, () => tenants().schedulesOfNewSandbox()],
    ["get", "metrics", "telephony-metrics.read", () => tenants().metrics()],
    ["post", "preview", READ, (body) => preview().preview(RED, body)],
    ["post", "preview/fetch", WRITE, (body) => preview().fetchForPreview(RED, body)],
    ["get", "gate/:id/closing", READ, (_, id) => closing().closingOf(id)],
    ["post", "gate/:id/closing", WRITE, (body, id) => closing().setClosing(id, body)],
    ["get", "webhook/:id/try", DEPLOY, (_, id) => webhookTry().tryForm(RED, declarations, id)],
    ["post", "webhook/:id/try", DEPLOY, (_, id, request) => webhookTry().tryWebhook(RED, id, request), true],
    ["post", "list/:id/stop", WRITE, (_, id) => lists().stopList(id)],
    ["get", "list/:id/table", WRITE, (_, id) => lists().listTable(id)],
    ["post", "list/:id/look", DEPLOY, (_, id, request) => lists().lookAtList(RED, id, request), true],
    ["post", "control/:id", WRITE, (_, id) => tenants().pressControl(RED, id)],
    ["get", "sandbox/:id", READ, () => sandbox().page()],
    ["get", "sandbox/:id/webhooks", READ, (_, id) => webhooks().webhooksFor(RED, id)],
    ["get", "sandbox/:id/:what", READ, (_, id, request) => sandbox().inspect(id, request)],
    ["post", "sandbox/:id/:what", WRITE, (_, id, request) => sandbox().inspect(id, request)],
    ["get", "rehearsal", DEPLOY, () => rehearsal().theRehearsals().state],
    ["post", "rehearsal", DEPLOY, (body) => rehearsal().startRehearsal(RED, body)],
    ["get", "rehearsal/tests", DEPLOY, () => rehearsal().flowTests(RED)],
    ["post", "rehearsal/tests", DEPLOY, (body) => rehearsal().flowTests(RED, body)],
    ["post", "rehearsal/inputs", DEPLOY, (body) => rehearsal().offers(RED, declarations, body)],
    ["post", "rehearsal/wait", DEPLOY, (body, _, request) => rehearsal().waitFor(RED, body, request)],
    ["get", "rehearsal/report", DEPLOY, () => rehearsal().reportPage()],
  ];
  for (const [method, path, ...rest] of routes) serve(RED, method, `/telephony/${path}`, ...rest);
  followStarts(RED);
}

/** Node-RED's events that are listened to. They outlive a node set. */
const served = perObject<EventEmitter, true>("served events");

/** Notifies the editors of the tenants that run now. */
function followStarts(RED: NodeAPI): void {
  const { events } = RED as unknown as { readonly events: EventEmitter };
  // A set that is disabled and enabled again is loaded again.
  if (served.has(events)) return;
  served.set(events, true);
  events.once("flows:started", () => void boundary().sweep());
  events.on("flows:started", () => swallowErrors(() => RED.comms.publish("telephony/tenants", {}, true)));
}
