import type { Request, Response } from "express";
import type { NodeAPI } from "node-red";

/** An answer of an admin route. */
export interface AdminAnswer {
  readonly status?: number;
  /** Sent as JSON, a text as it is. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

type Answering = AdminAnswer | Promise<AdminAnswer>;

/**
 * Serves a question of the editor that is asked by POST. Wants a permission, JSON, and the editor's own origin: a page
 * from elsewhere can neither send JSON nor hide where it comes from.
 */
export function servePost(
  RED: NodeAPI,
  path: string,
  permission: string,
  answer: (body: Readonly<Record<string, unknown>>, id: string) => Answering,
): void {
  RED.httpAdmin.post(path, RED.auth.needsPermission(permission), (request, response) => {
    const body: unknown = request.body;
    if (!isOwn(request)) response.sendStatus(403);
    else if (!request.is("application/json") || typeof body !== "object" || body === null) response.sendStatus(415);
    else respond(response, () => answer(body as Readonly<Record<string, unknown>>, String(request.params["id"])));
  });
}

/** Serves what the editor reads; `limit` comes from the query. */
export function serveGet(
  RED: NodeAPI,
  path: string,
  permission: string,
  answer: (id: string, limit: number | undefined) => Answering,
): void {
  RED.httpAdmin.get(path, RED.auth.needsPermission(permission), (request, response) => {
    const limit = Number(request.query["limit"]);
    const whole = Number.isSafeInteger(limit) && limit > 0 ? limit : undefined;
    respond(response, () => answer(String(request.params["id"]), whole));
  });
}

function isOwn(request: Request): boolean {
  const origin = request.get("origin");
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === request.get("host");
}

/** No answer carries a stack or a path of the server, whatever goes wrong. */
function respond(response: Response, answer: () => Answering): void {
  Promise.resolve()
    .then(answer)
    .then(
      ({ status = 200, body, headers = {} }) => response.status(status).set(headers).send(body),
      () => response.sendStatus(500),
    );
}
