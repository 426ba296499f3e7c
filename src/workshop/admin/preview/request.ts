import type { NodeAPI } from "node-red";
import { RequestStyle, requestTarget, wireBody } from "../../../client";
import { type Config, DIALOG, type Host, preview, UNKNOWN_ID, ValueError } from "../../../fields";
import { NO_SOURCES } from "../../../runtime/node-red/host";
import type { Action } from "../../../runtime/nodes/action/declaration";
import { shapeOf } from "../../../runtime/nodes/action/modes";
import { tenantOf } from "../../../runtime/tenants/tenants";
import { type Body, HttpError } from "../http";
import type { Preview, Reader } from "./answer";

/** Stands for the tenant's hotline while the tenant is not deployed. */
const HOTLINE = "{tenant.fromNumber}";

/**
 * A node's request as it would be sent, made by the same code, and what is wrong with it. Values of messages, contexts and
 * the environment appear by name: nothing is evaluated, and the token is not part of it.
 */
export async function previewRequest(
  reader: Reader,
  config: Config,
  _: Body,
  actions: readonly Action[],
): Promise<Preview> {
  const action = actions.find(({ type }) => type === config["type"]);
  if (!action) throw new HttpError(400);
  const problems: unknown[] = [];
  const lines = () => problems.map((problem) => reader.problem(problem));
  try {
    return { request: requestOf(reader.RED, action, config, problems), lines: lines() };
  } catch (error) {
    // A value from a message is assumed to be there, so what is missing is missing in the dialog.
    if (error instanceof ValueError) error.source ??= DIALOG;
    // The request lacks the values that are wrong: its own problem only follows from theirs.
    if (problems.length === 0) problems.push(error);
    return { lines: lines() };
  }
}

function requestOf(RED: NodeAPI, action: Action, config: Config, problems: unknown[]): string {
  const shape = shapeOf(action, config);
  const named: Host = {
    ...NO_SOURCES,
    path: (expression) => RED.util.normalisePropertyExpression(expression) as never,
    env: (name) => `{env.${name}}`,
  };
  const fields = preview(shape.fields, config, named);
  problems.push(...fields.problems);
  const { settings, client } = tenantOf(String(config["tenant"]));
  const style = client?.options.style.current ?? new RequestStyle("auto").current;
  const hotline = { fromNumber: settings?.fromNumber ?? HOTLINE, fromAlias: settings?.fromAlias };
  const request = shape.request(fields.values as never, hotline);
  const body = request.method === "POST" ? wireBody(request.body, style.partyFields) : undefined;
  const target = `${request.method} ${readable(requestTarget(request, style.booleans))}`;
  return body === undefined ? target : `${target}\n\n${JSON.stringify(body, null, 2)}`;
}

/** Shows names for values of a message in the path and query; fixed values appear as they are sent. */
function readable(target: string): string {
  const named = target.replace(UNKNOWN_ID, ":id");
  return named
    .split(/(?<=[?&=])|(?=&)/)
    .map((part) => (/^%7B.*%7D$/.test(part) ? decodeURIComponent(part.replaceAll("+", " ")) : part))
    .join("");
}
