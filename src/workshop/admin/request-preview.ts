import type { NodeAPI } from "node-red";
import { RequestStyle, requestTarget, wireBody } from "../../client";
import { DIALOG, type Host, preview, UNKNOWN_ID, ValueError } from "../../fields";
import { NO_SOURCES } from "../../runtime/node-red/host";
import { asTenantError, type Refusal, refusal } from "../../runtime/node-red/texts";
import type { Action } from "../../runtime/nodes/action/declaration";
import { shapeOf } from "../../runtime/nodes/action/modes";
import { tenantOf } from "../../runtime/tenants/tenants";
import { type Body, HttpError, isRecord } from "./http";

/** Stands for the tenant's hotline while the tenant is not deployed. */
const HOTLINE = "{tenant.fromNumber}";

interface PreviewedRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

export type RequestPreview = { readonly problems: readonly (Refusal & { readonly field: string | undefined })[] } & (
  | { readonly ok: false }
  | ({ readonly ok: true } & PreviewedRequest)
);

/**
 * Answers with a node's request as it would be sent, made by the same code. Values of messages, contexts and the
 * environment appear by name: nothing is evaluated, and the token is not part of it.
 */
export function previewRequest(RED: NodeAPI, actions: readonly Action[], { type, config }: Body): RequestPreview {
  const action = actions.find((each) => each.type === type);
  if (!action || !isRecord(config)) throw new HttpError(400);
  const problems: unknown[] = [];
  const problemTexts = () =>
    problems.map((each) => {
      const problem = asTenantError(each);
      return { field: problem.details.field, ...refusal(RED, problem) };
    });
  try {
    const request = requestOf(RED, action, config, problems);
    return { ok: true, ...request, problems: problemTexts() };
  } catch (error) {
    // A value from a message is assumed to be there, so what is missing is missing in the dialog.
    if (error instanceof ValueError) error.source ??= DIALOG;
    // The request lacks the values that are wrong: its own problem only follows from theirs.
    if (problems.length === 0) problems.push(error);
    return { ok: false, problems: problemTexts() };
  }
}

function requestOf(RED: NodeAPI, action: Action, config: Body, problems: unknown[]): PreviewedRequest {
  const shape = shapeOf(action, config);
  const named: Host = {
    ...NO_SOURCES,
    path: (expression) => RED.util.normalisePropertyExpression(expression) as never,
    env: (name) => `{env.${name}}`,
  };
  const fields = preview(shape.fields, config, named);
  problems.push(...fields.problems);
  const { settings, client } = tenantOf(String(config["tenant"]));
  const style = client?.style.current ?? new RequestStyle("auto").current;
  const hotline = { fromNumber: settings?.fromNumber ?? HOTLINE, fromAlias: settings?.fromAlias };
  const request = shape.request(fields.values as never, hotline);
  const body = request.method === "POST" ? wireBody(request.body, style.partyFields) : undefined;
  return { method: request.method, path: readable(requestTarget(request, style.booleans)), body };
}

/** Shows names for values of a message in the path and query; fixed values appear as they are sent. */
function readable(target: string): string {
  const named = target.replace(UNKNOWN_ID, ":id");
  return named
    .split(/(?<=[?&=])|(?=&)/)
    .map((part) => (/^%7B.*%7D$/.test(part) ? decodeURIComponent(part.replaceAll("+", " ")) : part))
    .join("");
}
