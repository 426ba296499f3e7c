import type { Request, Response } from "express";
import { sandboxPage, sandboxPageHeaders } from "../../sandbox";
import { sandboxOf } from "../tenants/sandboxes";
import { isRecord, isSameOrigin } from "./http";

/** Sends the page that shows the calls of a sandbox. The page fetches the calls itself. */
export function page(response: Response): void {
  response.set(sandboxPageHeaders).send(sandboxPage);
}

/** Answers what the sandbox itself answers below `/sandbox/`. Never rejects. */
export async function read(id: unknown, what: string, query: Request["query"], response: Response): Promise<void> {
  const given = Object.entries(query).filter((pair): pair is [string, string] => typeof pair[1] === "string");
  await pass(response, String(id), "GET", what, new URLSearchParams(given));
}

/** Presses a button of the page: from the editor's own origin, as JSON. Never rejects. */
export async function control(request: Request, response: Response): Promise<void> {
  const { id, control: name } = request.params;
  const body: unknown = request.body;
  if (!isSameOrigin(request)) response.sendStatus(403);
  else if (!request.is("application/json") || !isRecord(body)) response.sendStatus(415);
  else await pass(response, String(id), "POST", String(name), new URLSearchParams(), body);
}

async function pass(
  response: Response,
  id: string,
  method: string,
  name: string,
  query: URLSearchParams,
  body?: unknown,
): Promise<void> {
  try {
    const sandbox = await sandboxOf(id)?.catch(() => undefined);
    if (!sandbox) {
      response.sendStatus(404);
      return;
    }
    const answer = await sandbox.inspect(method, `/sandbox/${name}`, query, body);
    response.status(answer.status).set(answer.headers ?? {});
    if ("body" in answer) response.type("json").send(answer.body);
    else response.json(answer.envelope);
  } catch {
    response.destroy();
  }
}
