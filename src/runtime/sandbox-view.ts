import type { NodeAPI } from "node-red";
import { sandboxPage, sandboxPageHeaders } from "../sandbox";
import { sandboxOf } from "./sandboxes";

const ROUTE = "/telephony/sandbox/:id";

/** Shows a sandbox's calls inside Node-RED's own address, to whoever may read tenants. */
export function serveSandboxView(RED: NodeAPI): void {
  const mayRead = RED.auth.needsPermission("telephony-tenant.read");
  RED.httpAdmin.get(ROUTE, mayRead, (_request, response) => {
    response.set(sandboxPageHeaders).send(sandboxPage);
  });
  for (const [name, read] of [
    ["log", "requests"],
    ["calls", "calls"],
  ] as const) {
    RED.httpAdmin.get(`${ROUTE}/${name}`, mayRead, (request, response) => {
      const sandbox = sandboxOf(String(request.params["id"]));
      if (!sandbox) {
        response.sendStatus(404);
        return;
      }
      const limit = Number(request.query["limit"]);
      sandbox.then(
        (found) => response.json(found[read](Number.isSafeInteger(limit) && limit > 0 ? limit : undefined)),
        () => response.sendStatus(503),
      );
    });
  }
}
