import type { Request, RequestHandler, Response } from "express";
import type { NodeAPI } from "node-red";

/** An answer of an admin route: a status and JSON. */
export interface AdminAnswer {
  readonly status?: number;
  readonly body: unknown;
}

/**
 * Serves a question of the editor that is asked by POST. Wants a permission, JSON, and the editor's own origin: a page
 * from elsewhere can neither send JSON nor hide where it comes from.
 */
export function servePost(
  RED: NodeAPI,
  path: string,
  permission: string,
  answer: (body: Readonly<Record<string, unknown>>, request: Request) => AdminAnswer | Promise<AdminAnswer>,
): void {
  RED.httpAdmin.post(path, RED.auth.needsPermission(permission), (request, response) => {
    if (!isOwn(request)) {
      response.sendStatus(403);
      return;
    }
    const body: unknown = request.body;
    if (!request.is("application/json") || typeof body !== "object" || body === null) {
      response.sendStatus(415);
      return;
    }
    respond(response, () => answer(body as Readonly<Record<string, unknown>>, request));
  });
}

export function serveGet(
  RED: NodeAPI,
  path: string,
  permission: string,
  answer: (request: Request) => AdminAnswer | Promise<AdminAnswer>,
): void {
  const handler: RequestHandler = (request, response) => respond(response, () => answer(request));
  RED.httpAdmin.get(path, RED.auth.needsPermission(permission), handler);
}

function isOwn(request: Request): boolean {
  const origin = request.get("origin");
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === request.get("host");
}

/** No answer carries a stack or a path of the server, whatever goes wrong. */
function respond(response: Response, answer: () => AdminAnswer | Promise<AdminAnswer>): void {
  Promise.resolve()
    .then(answer)
    .then(
      ({ status = 200, body }) => response.status(status).json(body),
      () => response.sendStatus(500),
    );
}
