import type { Request, Response } from "express";
import type { NodeAPI } from "node-red";
import { ValueError } from "../../hours/value-error";
import { isDeeper } from "../../json/walk";

/** As in responses of the service. */
const DEEPEST = 200;

export type Body = Readonly<Record<string, unknown>>;

/** Its answer is sent as JSON, or as `Content`. Throws TenantError or ValueError for a reason that the dialog shows, or HttpError. */
export type Handler = (body: Body, id: string, request: Request) => object | Promise<object>;

/** An answer that is sent as it is. */
export class Content {
  constructor(
    readonly body: string | object,
    readonly headers: Readonly<Record<string, string>>,
    readonly status = 200,
  ) {}
}

/** A request that has no answer but its HTTP status. */
export class HttpError extends Error {
  constructor(readonly status: number) {
    super(`HTTP ${status}`);
  }
}

/**
 * Serves a request of the editor that has a permission. A POST must come from the editor's own origin, and be JSON unless its
 * body is raw: a page from elsewhere can neither send JSON nor hide its origin.
 */
export function serve(
  RED: NodeAPI,
  method: "get" | "post",
  path: string,
  permission: string,
  answer: Handler,
  isRaw = false,
): void {
  RED.httpAdmin[method](path, RED.auth.needsPermission(permission), (request, response) => {
    if (method === "post" && !isSameOrigin(request)) response.sendStatus(403);
    else if (method === "post" && !isRaw && !request.is("application/json")) response.sendStatus(415);
    else
      void respond(RED, response, () => {
        if (isDeeper(request.body, DEEPEST)) {
          response.status(400);
          throw new ValueError("input.tooDeep", "", { most: DEEPEST });
        }
        return answer(Object(request.body), String(request.params["id"]), request);
      });
  });
}

/** Whether the editor asks. Behind a proxy `Host` may differ from its origin. No page can set `Sec-Fetch-Site`: the browser does. */
function isSameOrigin(request: Request): boolean {
  if (request.get("sec-fetch-site") === "same-origin") return true;
  const origin = request.get("origin");
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === request.get("host");
}

/** Answers a request. Never rejects. No answer carries a stack or a path of the server. */
async function respond(RED: NodeAPI, response: Response, answer: () => object | Promise<object>): Promise<void> {
  try {
    const answered = await answer();
    if (!(answered instanceof Content)) response.json(answered);
    else response.status(answered.status).set(answered.headers).send(answered.body);
  } catch (error) {
    try {
      // Loaded with the first refusal, to keep the start short.
      if (error instanceof HttpError) response.sendStatus(error.status);
      else (require("./refused") as typeof import("./refused")).refuse(RED, response, error);
    } catch {
      // E.g. the answer had begun: a second one throws, and a rejection would end the process.
      response.destroy();
    }
  }
}
