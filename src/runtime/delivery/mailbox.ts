import type { NodeAPI, NodeMessage } from "node-red";
import type { JobResult } from "../../tenant";
import { outcomeOf } from "../../tenant/job";
import { warnOf } from "./message-log";

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
  readonly deliver: (end: JobResult) => void;
}

/** What is on its way for one node id, whichever instance of the node is there to receive it. */
interface Box {
  owner: Owner | undefined;
  /** Deleted or disabled: nobody will deliver any more. */
  gone: boolean;
  readonly ended: { pending: Pending; end: JobResult | undefined }[];
  underWay: number;
}

/**
 * By node id, at module level because it must outlive a redeploy: Node-RED forgets a flow's nodes before a close handler
 * could still send for them, so whatever is pending is delivered by the node that succeeds them.
 */
const boxes = new Map<string, Box>();

/**
 * Ends that a successor receives as messages, to be delivered with a fresh `send` and `done`. Several for a message that
 * a flow has sent more than once without copying it.
 */
const handedOver = new WeakMap<NodeMessage, JobResult[]>();

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
export function arrived(RED: NodeAPI, id: string, pending: Pending, end: JobResult): void {
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

/** Whether a node was deleted or disabled: what it has not begun is not to be begun any more. */
export function isGone(id: string): boolean {
  return boxes.get(id)?.gone === true;
}

/** Takes the end out of a message that a predecessor handed over. */
export function handedOverEnd(message: NodeMessage): JobResult | undefined {
  const ends = handedOver.get(message);
  if (ends && ends.length <= 1) handedOver.delete(message);
  return ends?.shift();
}

function flush(RED: NodeAPI, id: string, mine: Box): void {
  if (!mine.owner && !mine.gone) return;
  for (const { pending, end } of mine.ended.splice(0)) {
    const { message, action } = pending;
    if (mine.owner) {
      if (end) handedOver.set(message, [...(handedOver.get(message) ?? []), end]);
      mine.owner.receive(message);
    } else warnOf(RED, "undelivered", action, message, end ? outcomeOf(end) : "not-applied");
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
  readonly end: JobResult | undefined;
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
  // Of a stop, too: flows with a node type that is missing are deployed and never start.
  let deployed: unknown;
  RED.events.on("flows:stopping", (event: FlowsEvent) => {
    running = false;
    // Any deploy brings another configuration; the same one means that Node-RED stops (found by trying, 4 and 5).
    if (deployed !== undefined && event?.config === deployed) stopForGood();
    else stopping = false;
    deployed = event?.config;
  });
  RED.events.on("flows:started", (event: FlowsEvent) => {
    deployed = event?.config;
    running = true;
    stopping = false;
    for (const [id, mine] of boxes) flush(RED, id, mine);
  });
}

/** From now on nothing reaches a flow; what waited for a successor does not any more. */
export function stopForGood(): void {
  stopping = true;
  for (const [id, mine] of boxes) {
    for (const { pending, end } of mine.ended.splice(0)) record?.({ id, pending, end });
    forget(id, mine);
  }
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
