import {
  readActions,
  toBoolean,
  toChoice,
  toDayList,
  toExceptions,
  toId,
  toInstant,
  toPositiveInteger,
  toSchedule,
  toText,
} from "../../fields";
import type { FieldNote } from "../../fields/note";
import { UTC_CLOCK } from "../../hours";

/**
 * Checks the value of a pair that is the same for every message, as the runtime does for each message.
 * @returns `undefined` when the value means "not given"
 * @throws FieldError
 */
export function checkField({ name = "", kind, choices = [], spellings = [] }: FieldNote, value: unknown): unknown {
  switch (kind) {
    case "choice":
      return toChoice(value, name, [...choices, ...spellings]);
    case "boolean":
      return toBoolean(value, name);
    case "positiveInteger":
      return toPositiveInteger(value, name);
    case "id":
      return toId(value, name);
    case "text":
      return toText(value, name);
    case "actions":
      return readActions(value, name);
    case "days":
      return toDayList(value, name);
    case "schedule":
      return toSchedule(value, kind);
    case "exceptions":
      return toExceptions(value, kind);
    case "instant":
      return toInstant(value, "notAfter");
    case "moment":
      return toInstant(value, "at", UTC_CLOCK);
    default:
      return value;
  }
}
