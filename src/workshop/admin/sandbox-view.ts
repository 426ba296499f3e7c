import type { Request } from "express";
import { sandboxOf } from "../../runtime/tenants/sandboxes";
import { tenantOf } from "../../runtime/tenants/tenants";
import { sandboxPage, sandboxPageHeaders } from "../../sandbox";
import { type Body, Content, HttpError } from "./http";

/** The page that shows the calls of a sandbox. It fetches the calls itself. */
export function page(): Content {
  return new Content(sandboxPage, sandboxPageHeaders);
}

/** Answers what the sandbox itself answers below `/sandbox/`. */
export function read(id: string, what: string, { query }: Request): Promise<Content> {
  const given = Object.entries(query).filter((pair): pair is [string, string] => typeof pair[1] === "string");
  return inspect(id, "GET", what, new URLSearchParams(given));
}

/** Presses a button of the page. */
export function control(body: Body, id: string, { params }: Request): Promise<Content> {
  return inspect(id, "POST", String(params["control"]), new URLSearchParams(), body);
}

async function inspect(
  id: string,
  method: string,
  name: string,
  query: URLSearchParams,
  body?: unknown,
): Promise<Content> {
  const sandbox = await sandboxOf(tenantOf(id).id);
  if (!sandbox) throw new HttpError(404);
  const answer = await sandbox.inspect(method, `/sandbox/${name}`, query, body);
  const headers = { ...answer.headers, "content-type": "application/json; charset=utf-8" };
  return new Content("body" in answer ? answer.body : answer.envelope, headers, answer.status);
}
