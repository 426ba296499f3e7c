import { createRequire } from "node:module";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { Handler, NextFunction, Request, Response } from "express";
import type { NodeAPI } from "node-red";
import { flows } from "../../delivery/flow-lifecycle";
import { perNode, perObject } from "../../node-red/node-state";
import type { FormReader } from "./body";
import { comparable } from "./settings";

/** A node that receives the requests of a path. */
export interface Receiver {
  readonly id: string;
  readonly path: string;
  receive(request: Request, response: Response): void;
  /** Called when it gets its path, and when another node has it. */
  onPath(has: boolean): void;
}

/** The webhooks that run, by node id, in the order of the flow file. */
const receivers = perNode<Receiver>("webhook");
/** The id of the node that has a path, which it keeps across deploys. */
const owners = perNode<string>("path of a webhook");
/** The apps of Node-RED in which webhooks are served. They outlive a node set. */
const served = perObject<object, true>("served webhooks");

export function addReceiver(RED: NodeAPI, receiver: Receiver): void {
  receivers.set(receiver.id, receiver);
  if (served.has(RED.httpNode)) return;
  served.set(RED.httpNode, true);
  RED.httpNode.use((request: Request, response: Response, next: NextFunction) => serve(RED, request, response, next));
  keepBodies(RED);
  flows.onStart(() => assignPaths(RED));
}

/** @param removed the node is deleted or disabled, and its path is free for another one */
export function removeReceiver(receiver: Receiver, removed: boolean): void {
  if (receivers.get(receiver.id) !== receiver) return;
  receivers.delete(receiver.id);
  if (removed && owners.get(receiver.path) === receiver.id) owners.delete(receiver.path);
}

/** Gives each path to one node: to the one that has it, else to the first. An HTTP In node of that very path keeps it for itself. */
function assignPaths(RED: NodeAPI): void {
  const taken = new Set<string>();
  RED.nodes.eachNode((node) => {
    const { type, method, url, id } = node as typeof node & { readonly method?: string; readonly url?: string };
    if (type === "http in" && method === "post" && RED.nodes.getNode(id)) taken.add(comparable(String(url)));
  });
  for (const [path, id] of owners) if (receivers.get(id)?.path !== path || taken.has(path)) owners.delete(path);
  for (const { id, path } of receivers.values()) if (!owners.has(path) && !taken.has(path)) owners.set(path, id);
  for (const receiver of receivers.values()) receiver.onPath(owners.get(receiver.path) === receiver.id);
}

/**
 * Keeps the bodies of webhooks unread. Where editor and nodes share a root, the editor would read them first, as long as it likes,
 * and their bytes, which a signature is made of, would be gone. HTTP In nodes with a raw body do the same.
 */
function keepBodies({ httpNode }: NodeAPI): void {
  let root = httpNode as unknown as App;
  while (root.parent) root = root.parent;
  const prefix = httpNode.path();
  const keep = (request: Request, _: Response, next: NextFunction) => {
    // Express has not seen it yet.
    const path = comparable(request.url.split("?", 1)[0] ?? "");
    const isOurs = [...owners.keys()].some((owned) => path === comparable(`${prefix}/${owned}`));
    // A body parser takes this for a body that was read.
    if (isOurs) Object.assign(request, { _body: true });
    next();
  };
  root.use(keep);
  const { stack = [] } = root._router ?? {};
  const [layer] = stack.splice(-1);
  if (layer) stack.unshift(layer);
}

function serve(RED: NodeAPI, request: Request, response: Response, next: NextFunction): void {
  const receiver = receivers.get(owners.get(comparable(request.path)) ?? "");
  const isOurs = receiver && request.method !== "OPTIONS" && (request.method === "POST" || !isServed(RED, request));
  const { httpNodeMiddleware = [] } = RED.settings as { readonly httpNodeMiddleware?: Handler | readonly Handler[] };
  const handlers = isOurs ? [httpNodeMiddleware, cors(RED) ?? []].flat() : [];
  const run = (error?: unknown): void => {
    const handler = handlers.shift();
    if (error || !isOurs) next(error);
    else if (handler) handler(request, response, run);
    else receiver.receive(request, response);
  };
  run();
}

interface App {
  readonly parent?: App;
  readonly _router?: { readonly stack: Layer[] };
  use(handler: Handler): void;
}

interface Layer {
  readonly route?: { readonly methods: Readonly<Record<string, boolean>> };
  match(path: string): boolean;
}

/** Whether another node answers requests of this method and path. */
function isServed({ httpNode }: NodeAPI, { method, path }: Request): boolean {
  const { _router: router } = httpNode as unknown as App;
  const names = [method.toLowerCase(), ...(method === "HEAD" ? ["get"] : []), "_all"];
  return (router?.stack ?? []).some((layer) => names.some((name) => layer.route?.methods[name]) && layer.match(path));
}

/** A package of which Node-RED's own nodes are made: webhooks read and answer as the HTTP In node does. */
function corePackage<T>({ settings }: NodeAPI, name: string): T | undefined {
  const { coreNodesDir } = settings as { readonly coreNodesDir?: string };
  try {
    return coreNodesDir === undefined ? undefined : (createRequire(join(coreNodesDir, "package.json"))(name) as T);
  } catch {
    return undefined;
  }
}

function cors(RED: NodeAPI): Handler | undefined {
  const { httpNodeCors } = RED.settings as { readonly httpNodeCors?: object };
  return httpNodeCors && corePackage<(options: object) => Handler>(RED, "cors")?.(httpNodeCors);
}

/** Reads forms as the HTTP In node does: `a[b]=1` is nested. */
export function formReader(RED: NodeAPI): FormReader {
  const parser = corePackage<{ urlencoded(options: object): Handler }>(RED, "body-parser");
  return (bytes, type) =>
    new Promise((resolve, reject) => {
      if (!parser) return resolve(Object.fromEntries(new URLSearchParams(bytes.toString())));
      const headers = { "content-type": type, "content-length": String(bytes.length) };
      const request = Object.assign(Readable.from([bytes]), { headers }) as unknown as Request;
      const read = parser.urlencoded({ extended: true, limit: bytes.length });
      read(request, {} as Response, (error?: unknown) => (error ? reject(error) : resolve(request.body)));
    });
}
