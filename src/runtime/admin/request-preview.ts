import type { NodeAPI } from "node-red";
import { type Config, DIALOG, FieldError, preview, UNKNOWN_ID } from "../../fields";
import { requestTarget, wireBody } from "../../tenant";
import { actions } from "../actions/registry";
import { asTenantError, type Refusal, refusal } from "../node-red/texts";
import { tenantOf } from "../tenants/tenants";
import type { AdminAnswer } from "./http";

/**
 * Shows a node's request as it would be sent, made by the same code, sent nowhere. Values of messages, contexts and the
 * environment appear by name: this evaluates nothing, and has no token to show.
 */
export function previewRequest(RED: NodeAPI, { type, config }: Readonly<Record<string, unknown>>): AdminAnswer {
  const action = actions.get(String(type));
  if (!action || typeof config !== "object" || config === null) return { status: 400, body: { ok: false } };
  const node = config as Config;
  const mode = String(node[action.modeProperty ?? "mode"] || Object.keys(action.modes)[0]);
  const shape = Object.hasOwn(action.modes, mode) ? action.modes[mode] : undefined;
  if (!shape) return { status: 400, body: { ok: false } };
  const { values, problems } = preview(shape.fields, node, {
    path: (expression) => RED.util.normalisePropertyExpression(expression) as never,
    env: (name) => `{env.${name}}`,
    context: () => Promise.resolve(undefined),
    jsonata: () => () => Promise.resolve(undefined),
  });
  const settings = tenantOf(String(node["tenant"]))?.settings;
  const hotline = { fromNumber: settings?.fromNumber ?? HOTLINE, fromAlias: settings?.fromAlias };
  try {
    const request = shape.request(values as never, hotline);
    const path = legible(requestTarget(request));
    const body = request.method === "POST" ? wireBody(request.body, settings?.partyFields ?? "dotted") : undefined;
    return { body: { ok: true, method: request.method, path, body, problems: problems.map(told) } };
  } catch (error) {
    // What a message may bring has a value here: only the dialog can have nothing.
    if (error instanceof FieldError) error.source ??= DIALOG;
    // Without the values that are wrong, the request says no more than that they are not there.
    return { body: { ok: false, problems: (problems.length > 0 ? problems : [error]).map(told) } };
  }

  function told(error: unknown): Refusal & { readonly field: string | undefined } {
    const problem = asTenantError(error);
    return { field: problem.details.field, ...refusal(RED, problem) };
  }
}

/** What only a message brings appears by name in the address too; what is fixed appears as it is sent. */
function legible(target: string): string {
  const named = target.replace(UNKNOWN_ID, ":id");
  return named.replace(/(?<==)%7B[^&]*%7D(?=&|$)/g, (value) => decodeURIComponent(value.replaceAll("+", " ")));
}

/** Shown where the tenant's hotline is not known, because the tenant is not deployed yet. */
const HOTLINE = "{tenant.fromNumber}";
