import { asConfigError } from "../../../client";
import { any, type Config, type Host, reader, toLocalInstant } from "../../../fields";
import { checkPair, isFixed } from "../../../fields/note";
import { onlyOnce } from "../../../fields/notice";
import { quote } from "../../../fields/quote";
import type { Zone } from "../../../hours";
import { isGiven } from "../../../hours/untrusted";
import { originOf } from "../../schedules/inputs";
import { GATE_PAIRS } from "./settings";

/** The state that a user forces, whatever the schedule. */
export type Override = "open" | "closed" | undefined;

/** The options that a message sets for a gate, apart from the inputs of its hours. */
export interface Options {
  /** Epoch milliseconds; `undefined` means now. */
  readonly at: number | undefined;
  readonly override: Override;
}

/** Reads the instant and the override of a gate. */
export type OptionReader = ReturnType<typeof optionReader>;

const FIELDS = { at: any(), override: any() };

/** @throws TenantError ERR_CONFIG */
export function optionReader(pairs: Config, host: Host) {
  const warn = onlyOnce((notice) => host.warn?.(notice));
  const options = reader(FIELDS, pairs, host);
  if (options.problem) throw asConfigError(options.problem);
  const override = { value: pairs["override"], type: String(pairs["overrideType"]) };
  try {
    if (isFixed(override)) checkPair({ ...GATE_PAIRS.override.field, property: "override" }, override);
  } catch (error) {
    throw asConfigError(error);
  }
  const [ofAt, ofOverride] = [originOf(pairs, "at"), originOf(pairs, "override")];
  const without = { ...(ofAt === "message" && { at: "" }), ...(ofOverride === "message" && { override: "" }) };
  return {
    /** Whether one of them is in a context store, which reports no changes. */
    isWatched: ofAt === "context" || ofOverride === "context",
    bringsOverride: ofOverride === "message",
    /** Those of a message. A promise unless they can be read at once. Throws, or rejects with, ValueError. */
    read: options.read,
    /** Each only where no message brings it. */
    standing: reader(FIELDS, { ...pairs, ...without }, host).read,
    /** Checks what was read. Throws ValueError. */
    checked({ at, override }: Awaited<ReturnType<typeof options.read>>, zone: Zone): Options {
      const isOne = override === "open" || override === "closed";
      if (!isOne && isGiven(override))
        warn({ key: "unknownOverride", params: { field: "override", value: quote(override) }, reason: "override" });
      return {
        at: at === undefined ? undefined : options.build(() => toLocalInstant(at, "at", zone)),
        override: isOne ? override : undefined,
      };
    },
  };
}
