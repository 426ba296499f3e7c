import type { NodeAPI, NodeMessage } from "node-red";
import type { End } from "../tenant";
import { outcomeOf } from "../tenant/job";
import { shared } from "./catalogue";

/** A node that is there to deliver: it accepts messages, or stands ready for what a predecessor left. */
export interface Owner {
  receive(message: NodeMessage): void;
}

/** A message whose request was accepted and has not ended. */
export interface Pending {
  readonly message: NodeMessage;
  readonly action: string;
  readonly owner: Owner;
  /** Delivers through the node that accepted the message, while that is still the one. */
  readonly deliver: (end: End) => void;
}

/** What is on its way for one node id, whichever instance of the node is there to receive it. */
interface Box {
  owner: Owner | undefined;
  /** Deleted or disabled: nobody will deliver any more. */
  gone: boolean;
  readonly ended: { pending: Pending; end: End | undefined }[];
  underWay: number;
}

/**
 * By node id, at module level because it must outlive a redeploy: Node-RED forgets a flow's nodes before a close handler
 * could still send for them, so whatever is pending is delivered by the node that succeeds them.
 */
const boxes = new Map<string, Box>();

/** Ends that a successor receives as messages, to be delivered with a fresh `send` and `done`. */
const handedOver = new WeakMap<NodeMessage, End>();

function box(id: string): Box {
  const known = boxes.get(id);
  if (known) return known;
  const fresh: Box = { owner: undefined, gone: false, ended: [], underWay: 0 };
  boxes.set(id, fresh);
  return fresh;
}

/** A node begins: from now on it receives what its predecessors left, once all flows have started. */
export function claim(id: string, owner: Owner): void {
  const mine = box(id);
  mine.owner = owner;
  mine.gone = false;
}

/** A node ends; with `removed` there will be no successor. */
export function leave(RED: NodeAPI, id: string, owner: Owner, removed: boolean): void {
  const mine = boxes.get(id);
  if (!mine || mine.owner !== owner) return;
  mine.owner = undefined;
  mine.gone = removed;
  if (removed) flush(RED, id, mine);
  forget(id, mine);
}

export function expect(id: string): void {
  box(id).underWay += 1;
}

/** A request has ended: delivered at once, or kept for the successor. */
export function arrived(RED: NodeAPI, id: string, pending: Pending, end: End): void {
  const mine = box(id);
  mine.underWay -= 1;
  if (stopping) record?.({ id, pending, end });
  else if (mine.owner === pending.owner) pending.deliver(end);
  else {
    mine.ended.push({ pending, end });
    if (mine.gone || (mine.owner && running)) flush(RED, id, mine);
  }
  forget(id, mine);
}

/** A message that could not be worked on before its node closed: the successor receives it anew. */
export function leaveBehind(RED: NodeAPI, id: string, pending: Pending): void {
  if (stopping) {
    record?.({ id, pending, end: undefined });
    return;
  }
  const mine = box(id);
  mine.ended.push({ pending, end: undefined });
  if (mine.gone) flush(RED, id, mine);
}

/** Whether a node is still the one that delivers under its id. */
export function isOwner(id: string, owner: Owner): boolean {
  return boxes.get(id)?.owner === owner;
}

/** Takes the end out of a message that a predecessor handed over. */
export function handedOverEnd(message: NodeMessage): End | undefined {
  const end = handedOver.get(message);
  handedOver.delete(message);
  return end;
}

function flush(RED: NodeAPI, id: string, mine: Box): void {
  if (!mine.owner && !mine.gone) return;
  for (const { pending, end } of mine.ended.splice(0)) {
    if (mine.owner) {
      if (end) handedOver.set(pending.message, end);
      mine.owner.receive(pending.message);
    } else {
      const params = {
        action: pending.action,
        id: String(pending.message._msgid),
        outcome: end ? outcomeOf(end) : "not-applied",
      };
      RED.log.warn(shared(RED, "log.undelivered", params));
    }
  }
  forget(id, mine);
}

function forget(id: string, mine: Box): void {
  if (!mine.owner && mine.underWay === 0 && mine.ended.length === 0) boxes.delete(id);
}

/** A message whose outcome no flow will hear of any more. */
export interface Unfinished {
  readonly id: string;
  readonly pending: Pending;
  readonly end: End | undefined;
}

/** Whether the flows run: a successor must not send before the nodes behind it are there. */
let running = false;
/** Whether they stop for good, and nothing that ends now reaches a flow. */
let stopping = false;
let record: ((unfinished: Unfinished) => void) | undefined;
let watched: NodeAPI["events"] | undefined;

/** Follows the flows' starts and stops, once however many node types ask. */
export function watchFlows(RED: NodeAPI): void {
  if (watched === RED.events) return;
  watched = RED.events;
  let deployed: unknown;
  RED.events.on("flows:stopping", (event: FlowsEvent) => {
    running = false;
    // Any deploy brings another configuration; the same one means that Node-RED stops (found by trying, 4 and 5).
    stopping = deployed !== undefined && event?.config === deployed;
  });
  RED.events.on("flows:started", (event: FlowsEvent) => {
    deployed = event?.config;
    running = true;
    stopping = false;
    for (const [id, mine] of boxes) flush(RED, id, mine);
  });
}

interface FlowsEvent {
  readonly config?: unknown;
}

/** Whether Node-RED is stopping. */
export function isStopping(): boolean {
  return stopping;
}

/** Hears of the messages that end, or never begin, while Node-RED stops. */
export function onUnfinished(listener: (unfinished: Unfinished) => void): void {
  record = listener;
}
