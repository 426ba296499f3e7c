import type { NodeAPI } from "node-red";
import type { Action } from "../actions/declaration";
import { serveGet, servePost } from "./http";

const READ = "telephony-tenant.read";
const WRITE = "telephony-tenant.write";

/** Serves the requests of the dialogs. The code behind a route is loaded with its first request. */
export function serveAdmin(RED: NodeAPI, actions: readonly Action[]): void {
  const tenants = () => require("./tenant-routes") as typeof import("./tenant-routes");
  servePost(RED, "/telephony/tenant/test", WRITE, (body) => tenants().testConnection(RED, body));
  servePost(RED, "/telephony/tenant/:id/control", WRITE, (body, id) => tenants().command(id, body));
  serveGet(RED, "/telephony/tenant/:id/control", READ, (id) => tenants().command(id, { command: "count" }));
  serveGet(RED, "/telephony/tenant/:id/business-hours", READ, (id) => tenants().schedules(id));

  const request = () => require("./request-preview") as typeof import("./request-preview");
  servePost(RED, "/telephony/request", READ, (body) => request().previewRequest(RED, actions, body));

  const gate = () => require("./gate-preview") as typeof import("./gate-preview");
  servePost(RED, "/telephony/gate", READ, (body) => gate().previewGate(RED, body));

  const guard = () => require("./guard-preview") as typeof import("./guard-preview");
  servePost(RED, "/telephony/guard", READ, (body) => guard().tryNumber(body));

  const sandbox = () => require("./sandbox-view") as typeof import("./sandbox-view");
  RED.httpAdmin.get("/telephony/sandbox/:id", RED.auth.needsPermission(READ), (_, response) =>
    sandbox().page(response),
  );
  serveGet(RED, "/telephony/sandbox/:id/log", READ, (id, limit) => sandbox().records(id, "requests", limit));
  serveGet(RED, "/telephony/sandbox/:id/calls", READ, (id, limit) => sandbox().records(id, "calls", limit));
}
