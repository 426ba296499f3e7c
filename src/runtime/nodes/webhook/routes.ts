import type { Handler, Request, Response } from "express";
import type { NodeAPI } from "node-red";
import { notSent } from "../../../client";
import { attempt } from "../../../json/rules";
import { flows } from "../../delivery/flow-lifecycle";
import { perNode, perObject } from "../../node-red/node-state";
import { corePackage } from "./body";
import { comparable } from "./settings";

/** A node that receives the requests of a path. */
export interface Receiver {
  readonly id: string;
  readonly path: string;
  /** Whether GET requests are its own, too. */
  readonly takesGet: boolean;
  /** Whether it has got its path, and not another node. */
  isServed: boolean;
  /** @param isTrusted the sender needs no secret */
  receive(request: Request, response: Response, isTrusted?: boolean): void;
  /** Shows its state when all flows have started. */
  show(): void;
}

/** The paths below its root at which Node-RED's editor receives POST requests, before any webhook. */
const EDITOR = new RegExp(
  `^(?:${[
    "flows(?:/state)?|flow|nodes|inject/[^/]+|library/[^/]+/.+|(?:auth|debug)/.+|(?:projects|settings/user)(?:/.*)?",
    "telephony/(?:control|gate|preview|rehearsal|sandbox|tenant|webhook)(?:/.*)?",
  ].join("|")})$`,
);

/** The same for GET: what is the editor's begins so. */
const EDITOR_GET = new RegExp(
  `^(?:${[
    "auth|context|credentials|diagnostics|flows?|icons|library|locales|nodes|plugins|projects|red|resources|settings|theme",
    "types|vendor|debug/view|favicon\\.ico|telephony/(?:control|gate|metrics|new-sandbox|rehearsal|sandbox|tenants?)",
  ].join("|")})(?:/.*)?$`,
);

/** The editor's requests whose bodies are for webhooks. */
const TRY = /^telephony\/webhook\/[^/]+\/try$/;

/** An app of Express, as far as the types lack it. */
interface App {
  readonly parent?: App;
  /** Of Express 4, where reading `router` throws. */
  readonly _router?: Router;
  /** Of Express 5. */
  readonly router?: Router;
  use(handler: Handler): void;
}

interface Router {
  readonly stack?: Layer[];
}

interface Layer {
  readonly route?: { readonly path: unknown; readonly methods: Readonly<Record<string, boolean>> };
  match(path: string): boolean;
}

/** The webhooks, by node id. While a deploy replaces one, its predecessor receives. */
const receivers = perNode<Receiver>("webhook");
flows.onDeleted(receivers, "telephony-webhook");
/** The apps of Node-RED in which webhooks are served. They outlive a node set. */
const served = perObject<object, true>("served webhooks");

/** @throws TenantError where Node-RED's routes are not found */
export function addReceiver(RED: NodeAPI, receiver: Receiver): void {
  if (!served.has(RED.httpNode)) {
    serve(RED);
    served.set(RED.httpNode, true);
    flows.on("start", () => assignPaths(RED));
  }
  const { path, isServed = false } = receivers.get(receiver.id) ?? {};
  receiver.isServed = isServed && path === receiver.path;
  receivers.set(receiver.id, receiver);
}

export function receiverOf(id: string): Receiver | undefined {
  return receivers.get(id);
}

export function removeReceiver(id: string): void {
  receivers.delete(id);
}

/** The routes of an app, in their order. Call it once there is one. */
function routesOf(app: App): Layer[] {
  const routes = (app._router ?? attempt(() => app.router))?.stack;
  if (!Array.isArray(routes)) throw notSent("ERR_CONFIG", "config", { key: "config.noRoutes", field: "path" });
  return routes;
}

/** Gives each path that neither an HTTP In node nor the editor has to one node: to the one that has it, else to the first in the flow file. */
function assignPaths(RED: NodeAPI): void {
  const routes = routesOf(RED.httpNode as unknown as App);
  const pathsFor = (method: string) =>
    new Set(routes.flatMap(({ route }) => (route?.methods[method] ? comparable(String(route.path)) : [])));
  const [taken, takenForGet] = [pathsFor("post"), pathsFor("get")];
  const ids: string[] = [];
  RED.nodes.eachNode(({ id }) => ids.push(id));
  // In a subflow, the file has the node itself, and each instance of it another id.
  const orderOf = (node: { readonly id: string; readonly _alias?: string }) => ids.indexOf(node._alias ?? node.id);
  const rank = ({ id, isServed }: Receiver) => (isServed ? -1 : orderOf(RED.nodes.getNode(id)));
  const [root, editor] = [rootOf(RED.httpNode), rootOf(RED.httpAdmin)];
  const hasEditor = (RED.settings as { httpAdminRoot?: unknown }).httpAdminRoot !== false;
  const isEditors = (path: string, takesGet: boolean) =>
    hasEditor &&
    path.startsWith(editor) &&
    [EDITOR, ...(takesGet ? [EDITOR_GET] : [])].some((paths) => paths.test(path.slice(editor.length)));
  for (const receiver of [...receivers.values()].sort((a, b) => rank(a) - rank(b))) {
    const { path, takesGet } = receiver;
    receiver.isServed = !taken.has(path) && !(takesGet && takenForGet.has(path)) && !isEditors(root + path, takesGet);
    taken.add(path);
    receiver.show();
  }
}

function ownerOf(path: string): Receiver | undefined {
  const compared = comparable(path);
  return [...receivers.values()].find((receiver) => receiver.isServed && receiver.path === compared);
}

function serve(RED: NodeAPI): void {
  const { httpNodeMiddleware = [], httpNodeCors } = RED.settings as {
    readonly httpNodeMiddleware?: Handler | Handler[];
    readonly httpNodeCors?: object;
  };
  const app = RED.httpNode as unknown as App;
  const route = RED.httpNode.route(/.*/);
  const routes = routesOf(app);
  /** Whether another node answers requests of this method and path. */
  const isElsewhere = ({ method, path }: Request) => {
    const names = [method.toLowerCase(), ...(method === "HEAD" ? ["get"] : []), "_all"];
    const others = routesOf(app).filter((layer) => layer.route && layer.route !== (route as object));
    return others.some((layer) => names.some((name) => layer.route?.methods[name]) && layer.match(path));
  };
  const select: Handler = (request, _, next) => {
    const { method, path } = request;
    const owner = ownerOf(path);
    const isOurs = owner && (method === "POST" || (method === "GET" && owner.takesGet) || !isElsewhere(request));
    // Undoes `keepBodies`: Node-RED's middleware may read the body.
    if (isOurs) Object.assign(request, { _body: request.readableEnded });
    next(isOurs ? undefined : "route");
  };
  const cors = httpNodeCors ? [corePackage<(options: object) => Handler>(RED, "cors")(httpNodeCors)] : [];
  const receive: Handler = (request, response) => ownerOf(request.path)?.receive(request, response);
  route.all(...[select, httpNodeMiddleware, cors, receive].flat());
  // Before HTTP In nodes whose paths have parameters.
  routes.splice(
    routes.findIndex((layer) => layer.route),
    0,
    ...routes.splice(-1),
  );
  keepBodies(app, rootOf(RED.httpNode), rootOf(RED.httpAdmin));
}

/** The path of an app, to be compared: with a `/` at its end, unless it is the root. */
function rootOf(app: Pick<NodeAPI["httpNode"], "path">): string {
  return comparable(app.path()).replace(/.$/, "$&/");
}

/**
 * Keeps the bodies of webhooks unread. Where editor and nodes share a root, the editor would read them first, as long as it likes,
 * and their bytes, which a signature is made of, would be gone. HTTP In nodes with a raw body do the same.
 */
function keepBodies(app: App, prefix: string, editor: string): void {
  let root = app;
  while (root.parent) root = root.parent;
  root.use((request, _, next) => {
    // Express has not seen it yet. It may be a whole address.
    const path = comparable(request.url.replace(/^https?:\/\/[^/?]*|\?.*/gi, ""));
    const isOurs = path.startsWith(prefix) && ownerOf(path.slice(prefix.length)) !== undefined;
    const isTried = path.startsWith(editor) && TRY.test(path.slice(editor.length));
    // A body parser takes this for a body that was read.
    if (request.method === "POST" && (isOurs || isTried)) Object.assign(request, { _body: true });
    next();
  });
  const routes = routesOf(root);
  routes.unshift(...routes.splice(-1));
}
