import { type Config, custom, DIALOG, type Host, isGiven, reader, required, text, toNumber } from "../../../fields";
import { toUntil } from "../../../fields/kinds/hours";
import { hostZone } from "../../../hours";
import { ValueError } from "../../../hours/value-error";
import { isObject } from "../../../json/rules";
import { inZoneOf } from "../action/conditions";
import { LISTED, type Order, readCommand } from "./command";
import { readSettlement } from "./unknown-calls";

/**
 * Prepares a control node's reading of its messages: `msg.payload` is a command, or an object with one and with what it needs. A
 * property of the dialog takes precedence over the message's. The reading rejects with ValueError.
 * @param zone of an `until` without an offset; the host's without one
 */
export function orderReader(
  config: Config,
  host: Host,
  zone = "",
): (message: { readonly payload?: unknown }) => Promise<Order> {
  const { command: fixed, key, keyType } = config;
  const cancelled = reader({ key: text() }, isGiven(key) ? { key, keyType } : {}, host);
  const [limit, offset] = [wholeNumber(1, LISTED.most), wholeNumber(0, Number.MAX_SAFE_INTEGER)];
  const listed = reader({ limit, offset }, {}, host);
  const number = required(custom<unknown>("any", (value) => value));
  const until = inZoneOf(zone || hostZone())(toUntil);
  const [blocked, unblocked] = [reader({ number, until, reason: text() }, {}, host), reader({ number }, {}, host)];
  return async (message) => {
    const command = isGiven(fixed) ? readCommand(fixed, DIALOG) : commandOf(message.payload);
    if (command === "drop") return { command, ...whichOf(message.payload) };
    if (command === "cancel") return { command, ...(await cancelled.read(message)) };
    if (command === "block") return { command, ...(await blocked.read(message)) };
    if (command === "unblock") return { command, ...(await unblocked.read(message)) };
    if (command === "settle") return { command, ...readSettlement(message.payload) };
    const isList = command === "list" || command === "blocked" || command === "unknown";
    return isList ? { command, ...(await listed.read(message)) } : { command };
  };
}

function commandOf(payload: unknown) {
  const own = isObject(payload) && Object.hasOwn(payload, "command") ? payload["command"] : undefined;
  const value = isObject(payload) ? own : payload;
  const command = typeof value === "string" ? value.trim() : value;
  return readCommand(command, isObject(payload) ? "msg.payload.command" : "msg.payload");
}

/** Returns which messages `drop` ends. A value that is there and is not known must not end all of them. */
function whichOf(payload: unknown): Pick<Order, "only"> {
  if (!Object.hasOwn(Object(payload), "only")) return {};
  const { only } = payload as { readonly only: unknown };
  if (only === "held-back") return { only };
  throw new ValueError("input.notChoice", "only", { value: only, choices: "held-back" }, "msg.payload.only");
}

function wholeNumber(least: number, most: number) {
  return custom<number>("any", (value, field) => {
    const number = toNumber(value, field);
    if (number === undefined || (Number.isSafeInteger(number) && number >= least && number <= most)) return number;
    throw new ValueError("input.notInRange", field, { value, least, most });
  });
}
