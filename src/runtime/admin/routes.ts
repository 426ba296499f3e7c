import type { NodeAPI } from "node-red";
import { serveGet, servePost } from "./http";

const READ = "telephony-tenant.read";
const WRITE = "telephony-tenant.write";

/** All that the dialogs ask of the runtime. What answers is loaded with the first question. */
export function serveAdmin(RED: NodeAPI): void {
  const tenants = () => require("./tenant-routes") as typeof import("./tenant-routes");
  servePost(RED, "/telephony/tenant/test", WRITE, (body) => tenants().test(RED, body));
  servePost(RED, "/telephony/tenant/:id/control", WRITE, (body, id) => tenants().command(RED, id, body));
  // Whoever may read may know how many wait, though not hold them.
  serveGet(RED, "/telephony/tenant/:id/control", READ, (id) => tenants().command(RED, id, { command: "count" }));
  serveGet(RED, "/telephony/tenant/:id/business-hours", READ, (id) => tenants().schedules(RED, id));

  const request = () => require("./request-preview") as typeof import("./request-preview");
  servePost(RED, "/telephony/request", READ, (body) => request().previewRequest(RED, body));

  const gate = () => require("./gate-preview") as typeof import("./gate-preview");
  servePost(RED, "/telephony/gate", READ, (body) => gate().previewGate(RED, body));

  const sandbox = () => require("./sandbox-view") as typeof import("./sandbox-view");
  serveGet(RED, "/telephony/sandbox/:id", READ, () => sandbox().page());
  serveGet(RED, "/telephony/sandbox/:id/log", READ, (id, limit) => sandbox().records(id, "requests", limit));
  serveGet(RED, "/telephony/sandbox/:id/calls", READ, (id, limit) => sandbox().records(id, "calls", limit));
}
