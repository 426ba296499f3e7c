import type { CallAction, Participant, Party } from "./calls";
import { type Answer, accepted } from "./envelope";
import { given, listOf, readFields } from "./fields";
import type { Operation } from "./operation";
import { refusals } from "./refusals";
import { amount, flag, oneOf, required, text } from "./rules";

/*
 * The call actions. The interface marks only the callId of stop-a-call as required; wanted here is also whatever an
 * action makes no sense without: the call it acts upon, a target's type and number, the kind of an advanced transfer, and
 * the hotline of a call-out.
 */

const internalOrExternal = oneOf("internal", "external");

const voice = oneOf(
  "female",
  "male",
  "hatieumai",
  "ngoclam",
  "banmai",
  "leminh",
  "myan",
  "lannhi",
  "sg_male_xuankien_vdts_48k-hsmm",
  "sg_female_xuanhong_vdts_48k-hsmm",
  "hn_male_xuantin_vdts_48k-hsmm",
  "hn_female_thutrang_phrase_48k-hsmm",
);

const stopFields = { callId: required(text) };

const transferFields = {
  callId: required(text),
  fromUserId: text,
  "to.type": required(internalOrExternal),
  "to.number": required(text),
};

const advancedFields = {
  callId: required(text),
  "to.type": required(oneOf("internal", "external", "queue")),
  "to.number": required(text),
  "to.alias": text,
  transferType: required(oneOf("blind", "attendend")),
};

const addUserFields = {
  callId: required(text),
  "from.type": internalOrExternal,
  "from.number": text,
  "from.alias": text,
  "to.type": required(internalOrExternal),
  "to.number": required(text),
  "to.alias": text,
  spyCall: flag,
};

const callOutFields = {
  "from.type": required(oneOf("internal")),
  "from.number": required(text),
  "from.alias": text,
  "to.type": required(internalOrExternal),
  "to.number": required(text),
  "to.alias": text,
  answer_url: text,
  actions: listOf({ action: required(text), text, voice, speed: amount, loop: text }),
};

export const stopCall: Operation = ({ body }, { calls }) => {
  const { values, problems } = readFields(body, stopFields);
  if (problems.length > 0) return refusals.badFields(problems);
  calls.act(values.callId, "stop-a-call", {}, { ends: true });
  return done();
};

export const transfer: Operation = ({ body }, { calls }) => {
  const { values, problems } = readFields(body, transferFields);
  if (problems.length > 0) return refusals.badFields(problems);
  const to = party(values["to.type"], values["to.number"]);
  calls.act(values.callId, "transfer", given({ fromUserId: values.fromUserId, to }), {
    joins: joining(to, "transfer"),
  });
  return done();
};

export const advancedTransfer: Operation = ({ body }, { calls }) => {
  const { values, problems } = readFields(body, advancedFields);
  if (problems.length > 0) return refusals.badFields(problems);
  const to = party(values["to.type"], values["to.number"], values["to.alias"]);
  const fields = { transferType: values.transferType, to };
  calls.act(values.callId, "transfer/advance", fields, { joins: joining(to, "transfer/advance") });
  return done();
};

export const addUser: Operation = ({ body }, { calls }) => {
  const { values, problems } = readFields(body, addUserFields);
  if (problems.length > 0) return refusals.badFields(problems);
  const from = party(values["from.type"], values["from.number"], values["from.alias"]);
  const to = party(values["to.type"], values["to.number"], values["to.alias"]);
  const fields = given({ from: Object.keys(from).length > 0 ? from : undefined, to, spyCall: values.spyCall });
  const joins = joining(to, "add-user");
  calls.act(values.callId, "add-user", fields, { joins: values.spyCall ? { ...joins, listensOnly: true } : joins });
  return done();
};

export const callOut: Operation = ({ body }, { calls }) => {
  const { values, problems } = readFields(body, callOutFields);
  if (problems.length > 0) return refusals.badFields(problems);
  const { answer_url, actions } = values;
  if (!answer_url && !actions?.length) {
    return refusals.badFields(["One of the answer_url and actions fields is required."]);
  }
  const from = party(values["from.type"], values["from.number"], values["from.alias"]);
  const to = party(values["to.type"], values["to.number"], values["to.alias"]);
  calls.place({ from, to, ...given({ answer_url, actions }) }, joining(to, "call-out"));
  return done();
};

function party(type?: string, number?: string, alias?: string): Party {
  return given({ type, number, alias });
}

function joining(who: Party, by: CallAction): Participant {
  return { ...who, by };
}

/** All answer alike: code 200, data null. */
function done(): Answer {
  return accepted(null);
}
