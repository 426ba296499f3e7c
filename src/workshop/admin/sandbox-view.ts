import type { Request } from "express";
import { sandboxOf } from "../../runtime/tenants/sandboxes";
import { tenantOf } from "../../runtime/tenants/tenants";
import { sandboxPage, sandboxPageHeaders } from "../../sandbox";
import { Content, HttpError } from "./http";

/** The page that shows the calls of a sandbox. It fetches the calls itself. */
export function page(): Content {
  return new Content(sandboxPage, sandboxPageHeaders);
}

/** Answers what the sandbox itself answers below `/sandbox/`. */
export async function inspect(id: string, { method, params, query, body }: Request): Promise<Content> {
  const sandbox = await sandboxOf(tenantOf(id).id);
  if (!sandbox) throw new HttpError(404);
  const given = Object.entries(query).filter((pair): pair is [string, string] => typeof pair[1] === "string");
  const path = `/sandbox/${String(params["what"])}`;
  const answer = await sandbox.inspect(method, path, new URLSearchParams(given), method === "POST" ? body : undefined);
  const headers = { ...answer.headers, "content-type": "application/json; charset=utf-8" };
  return new Content("body" in answer ? answer.body : answer.envelope, headers, answer.status);
}
