import type { Request } from "../../../client";
import { operations, requestFor } from "../../../client/operations";
import {
  alias,
  calledNumber,
  choice,
  hotlineNumber,
  required,
  spokenActions,
  webAddress,
  withDefault,
} from "../../../fields/field";
import { ValueError } from "../../../hours/value-error";
import type { Hotline } from "./declaration";

/** The name and number that a call shows. */
export const callerFields = {
  "from.type": withDefault(choice(["internal"]), "internal"),
  "from.number": hotlineNumber(),
  "from.alias": alias(),
};

/** Their rows, in a fold. */
export const callerRows = ["from", "fromNumber", "fromAlias", "fromKind"];

/** The fields of what happens once a call is answered. */
export const answeredFields = { answer_url: webAddress(), actions: spokenActions() };

export const callOutFields = {
  ...callerFields,
  "to.type": withDefault(choice(["external", "internal"]), "external"),
  "to.number": required(calledNumber()),
  "to.alias": alias(),
  ...answeredFields,
};

/** A node from the palette speaks the text of the message. */
export const spokenStarts = {
  actions: [{ action: "talk", text: "payload.text", textType: "msg" }],
  actionsType: "list",
  answerUrl: "",
  answerUrlType: "str",
};

/** The checked values of a call-out. */
interface CallOut extends Readonly<Record<string, unknown>> {
  readonly "from.number"?: string | undefined;
  readonly "from.alias"?: string | undefined;
}

/** @throws ValueError */
export function callOutRequest(values: CallOut, hotline: Hotline): Request {
  const ownNumber = values["from.number"];
  const number = ownNumber ?? hotline.fromNumber;
  if (number === undefined) throw new ValueError("input.hotlineMissing", "from.number");
  if (values["answer_url"] === undefined && values["actions"] === undefined)
    throw new ValueError("input.nothingToSay", "actions");
  // The tenant's alias is sent only with the tenant's own number.
  const alias = values["from.alias"] ?? (ownNumber === undefined ? hotline.fromAlias : undefined);
  return requestFor(operations.callOut, { ...values, "from.number": number, "from.alias": alias });
}
