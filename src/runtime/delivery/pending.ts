import type { NodeMessage } from "node-red";
import type { Call } from "../../backlog";
import type { JobResult, Mode, Outcome, Owner, RequestSummary, TenantError, Unfinished } from "../../client";
import { answerOf, type OfRequest, type OpenAnswer } from "./answers";

/** A node, as far as a mailbox needs it. */
export interface Receiver {
  readonly type: string;
  receive(message: NodeMessage): void;
}

/** Node-RED's own: to the first output, or to each its own. */
export type Send = (messages: NodeMessage | (NodeMessage | null)[]) => void;
export type Done = (error?: Error) => void;

export type Answer = (message: NodeMessage, result: JobResult, send: Send, done: Done) => void;

/** Answers a message through the instance of its node. No closure: a hundred thousand may wait for their dates. */
interface Respond {
  readonly answer: Answer;
  readonly send: Send;
  readonly done: Done;
}

/** The state of a message that leads to more than one request. */
interface Work {
  readonly outcome: Outcome;
  readonly summary: RequestSummary;
  /** Whether the next process goes on with it. */
  readonly isKept: boolean;
}

/** A message that is sent once more, in the place of the call with this id, whose outcome was unknown. */
export interface Again {
  readonly id: string;
  accepted(): void;
  /** The new call was not accepted. */
  refused(error: TenantError): void;
}

/** A message that a node has accepted and that has not ended. */
export class Pending implements OfRequest {
  /** Whether its node changes nothing: the message goes on with what was read. */
  isRead = false;
  /** Its request, or the last one of several; `undefined` while its values are being read. */
  sending: (Owner & { readonly isRead?: boolean; readonly call?: Call | undefined }) | undefined = undefined;
  /** The state of all its requests together, where there may be more than one. */
  work: ((unfinished: Unfinished | undefined) => Work) | undefined = undefined;
  /** Set once Node-RED has stopped: its line in `telephony/unfinished.jsonl`. The message must not begin any more. */
  recorded: { readonly entry: string; readonly outcome: Outcome; readonly isOpen: boolean } | undefined = undefined;
  isRepeatable = false;
  /** Whether Node-RED has stopped, and a durable backlog goes on with it after the next start. */
  kept = false;
  /** Whether an earlier one of its requests has changed something, or may have. */
  changed = false;
  /** Set while it is not accepted yet, if it is sent once more. */
  again: Again | undefined = undefined;
  /** The slot in which its mailbox keeps it. */
  slot = -1;

  constructor(
    readonly message: NodeMessage,
    readonly action: string,
    readonly mode: Mode | null,
    /**
     * The instance of the node that accepted the message. `stored`: an instance did, and the message was only in the backlog
     * since. `orphan`: an earlier process did, or another one.
     */
    readonly owner: Receiver | "stored" | "orphan",
    /** The function by which that instance answers. */
    readonly respond?: Respond,
    /** The webhook's, if one has brought the message. */
    readonly answer: OpenAnswer | undefined = answerOf(message),
  ) {
    answer?.messages.add(this);
  }
}
