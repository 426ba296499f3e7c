import { type Config, custom, DIALOG, type Host, isGiven, reader, text, toNumber } from "../../../fields";
import { ValueError } from "../../../hours/value-error";
import { isObject } from "../../../json/rules";
import { LISTED, type Order, readCommand } from "./command";

/** What a message may bring with each command; a property of the dialog takes precedence over the message's. */
const FIELDS = {
  cancel: { key: text() },
  list: { limit: wholeNumber(1, LISTED.most), offset: wholeNumber(0, Number.MAX_SAFE_INTEGER) },
} as const;

/**
 * Prepares a control node's reading of its messages: `msg.payload` is a command, or an object with one and with what it needs.
 * The reading rejects with ValueError.
 */
export function orderReader(config: Config, host: Host): (message: { readonly payload?: unknown }) => Promise<Order> {
  const { command: fixed, key, keyType } = config;
  const own = isGiven(key) ? { key, keyType } : {};
  const readers = {
    cancel: reader(FIELDS.cancel, own, host),
    list: reader(FIELDS.list, {}, host),
  };
  return async (message) => {
    const command = isGiven(fixed) ? readCommand(fixed, DIALOG) : commandOf(message.payload);
    if (command === "drop") return { command, ...whichOf(message.payload) };
    const needed = command in readers ? await readers[command as keyof typeof readers].read(message) : {};
    return { command, ...needed };
  };
}

function commandOf(payload: unknown) {
  if (!isObject(payload)) return readCommand(trimmed(payload), "msg.payload");
  const command = Object.hasOwn(payload, "command") ? payload["command"] : undefined;
  return readCommand(trimmed(command), "msg.payload.command");
}

/** Which messages `drop` ends. Whatever is there and is not known must not end all of them. */
function whichOf(payload: unknown): Pick<Order, "only"> {
  if (!Object.hasOwn(Object(payload), "only")) return {};
  const { only } = payload as { readonly only: unknown };
  if (only === "held-back") return { only };
  throw new ValueError("input.notChoice", "only", { value: only, choices: "held-back" }, "msg.payload.only");
}

function trimmed(value: unknown): unknown {
  return typeof value === "string" ? value.trim() : value;
}

function wholeNumber(least: number, most: number) {
  return custom<number>("any", (value, field) => {
    const number = toNumber(value, field);
    if (number === undefined || (Number.isSafeInteger(number) && number >= least && number <= most)) return number;
    throw new ValueError("input.notInRange", field, { value, least, most });
  });
}
