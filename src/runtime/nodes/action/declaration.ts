import type { Body, JobResult, Lane, Repeat, Request } from "../../../client";
import type { Fields, Values } from "../../../fields";
import { text } from "../../../fields/field";
import type { Effect } from "../../node-red/texts";

/** The caller that a tenant provides for calls without one of their own. */
export interface Hotline {
  readonly fromNumber: string | undefined;
  readonly fromAlias: string | undefined;
}

/** The tools of an action that needs several requests for a message. */
export interface RunTools {
  /** Sends a request for the message. A POST is never repeated. Never rejects. */
  send(request: Request): Promise<JobResult>;
  /** Whether changes are only logged, and cannot be read back. */
  readonly onlyLogs: boolean;
  /** Names the tenant: two config nodes with the same address have the same target. */
  readonly target: string;
}

/** The fields of one request, and how they become the request. */
export interface Shape<F extends Fields = Fields> {
  readonly fields: F;
  /** The request, or the first one of a run. */
  readonly request: (values: Values<F>, hotline: Hotline) => Request;
  /** Sends the requests of a message itself. Its result is that of the message. Must not reject. */
  readonly run?: (values: Values<F>, tools: RunTools) => Promise<JobResult>;
  /** Follows the pages of a list: `all` items in one result, or a message for `each`. */
  readonly pages?: "all" | "each";
}

/** A property of the flow file, or the name of a fold, `fold.<name>`, and the properties in it. */
type Row = string | readonly string[];

/** The node's dialog in the editor, as data. */
export interface Dialog {
  /** The rows of the dialog in their order. Default: a row for each property of the node's own. */
  readonly rows?: readonly Row[];
  /** Icons of Font Awesome, such as `fa-phone`, for properties that have another one in other dialogs, or none. */
  readonly icons?: Readonly<Record<string, string>>;
  /** The outputs by the last part of their label's key, `output.<name>`. Default: one without a name. */
  readonly outputs?: readonly string[];
  /**
   * The values of a node from the palette, where they differ from the meaning of an absent property. `undefined` keeps the value of a
   * property that was renamed.
   */
  readonly starts?: Readonly<Record<string, unknown>>;
}

/** A node that sends a request to the service, as data. */
export interface Action extends Dialog {
  readonly kind: "action";
  /** Node type, file name and key of its texts in the catalogues. */
  readonly type: string;
  /** The lane in which the node's requests wait: `live` if they act on a call that is under way. Default: `other`. */
  readonly lane?: Lane;
  readonly repeat: Repeat;
  readonly effect: Effect;
  /** The answer's data in log mode, where nothing is sent. Default: `null`. */
  readonly loggedData?: (body: Body) => unknown;
  readonly shape?: Shape;
  /** Instead of `shape`: one for each value of a property of the node. The first is the default. */
  readonly modes?: Readonly<Record<string, Shape>>;
  /** That property. Default: `mode`. */
  readonly modeProperty?: string;
}

/** Declares a palette entry that sends a request to the service. */
export function action(
  declaration: Omit<Action, "kind"> & (Required<Pick<Action, "shape">> | Required<Pick<Action, "modes">>),
): Action {
  return { kind: "action", ...declaration };
}

/** Makes a misspelt field in a shape's function a compile error. */
export function shape<F extends Fields>(fields: F, request: Shape<F>["request"], run?: Shape<F>["run"]): Shape {
  return { fields, request, ...(run && { run }) } as unknown as Shape;
}

/** The call that an action is about. Each call node leaves its own in `msg.callId` for the next one. */
export const callId = () => text({ fallbacks: [["callId"]] });
