import type { Job } from "../../../client";
import {
  boolean,
  type Config,
  custom,
  type Host,
  isGiven,
  reader,
  required,
  text,
  toInstant,
  toNotBefore,
  ValueError,
} from "../../../fields";
import { isoOf } from "../../../fields/kinds/hours";
import { checkSettings, type Settings } from "../../../fields/setting";
import { hostZone, loadZone, type Zone } from "../../../hours";
import type { Tenant } from "../../tenants/chosen-tenant";
import type { Action } from "./declaration";

/** Limits that a flow may set for a request: between two instants, once only for a key; outside of calling hours, too. */
export type Conditions = Pick<Job, "notBefore" | "notAfter" | "deduplication" | "onceAgain" | "anytime" | "urgent">;

/** Deduplication, for actions that must not be repeated. */
const ONCE = {
  /** The fate of a message whose key is taken. */
  onceAgain: { kind: "option", choices: ["refuse", "ignore"], default: "refuse" },
  /** The time for which a key is remembered, in seconds. */
  onceFor: { kind: "number", from: 0.001, to: 366 * 86_400, default: 86_400 },
  onceScope: { kind: "option", choices: ["node", "tenant"], default: "node" },
} as const;
const CALL_OUT = {
  ...ONCE,
  /** Only a call-out can take the place of one that waits. */
  onceAgain: { kind: "option", choices: ["refuse", "replace", "ignore"], default: "refuse" },
  /** Calling hours do not hold a call-out. */
  anytime: { kind: "boolean", default: false },
} as const;
type Checked = Partial<ReturnType<typeof checkSettings<typeof CALL_OUT>>>;

export function conditionSettings({ repeat, lane }: Pick<Action, "repeat" | "lane">): Settings {
  return lane === "callOut" ? CALL_OUT : repeat === "never" ? ONCE : {};
}

/**
 * Prepares the conditions of a node. Actions that are repeated freely have none; `call-stop` has no deduplication key, and only
 * call-outs have a date.
 * @throws ValueError also for a bad choice: falling back to the narrower scope could ring a phone twice
 */
export function conditionReader(
  action: Action,
  config: Config,
  nodeId: string,
  host: Host,
  { settings }: Pick<Tenant, "settings">,
) {
  const { repeat, lane } = action;
  const { notBefore, notAfter, onceKey, urgent } = config;
  // Nothing reads how long a key is remembered where there is none.
  const given = isGiven(onceKey) ? config : { ...config, onceFor: "" };
  const checked = checkSettings(conditionSettings(action), given) as Checked;
  const { onceAgain, onceFor = 0, onceScope, anytime = false } = checked;
  const inZone = (isGiven(notBefore) || isGiven(notAfter)) && inZoneOf(settings?.timezone || hostZone());
  const fields = {
    // If a configured date or key could resolve to nothing, every message would be sent at once.
    ...(inZone && lane === "callOut" && isGiven(notBefore) && { notBefore: required(inZone(toNotBefore)) }),
    ...(inZone && repeat !== "freely" && isGiven(notAfter) && { notAfter: inZone(toInstant) }),
    ...(repeat === "never" && isGiven(onceKey) && { onceKey: required(text()) }),
    ...(lane === "callOut" && isGiven(urgent) && `${urgent}` !== "false" && { urgent: boolean() }),
  };
  const prepared = reader(fields, config, host);
  if (prepared.problem) throw prepared.problem;
  const always: Conditions = anytime ? { anytime } : {};
  // A flow file may name a node anything: in quotes, no id is taken for the tenant or for part of a key.
  const scope = onceScope === "tenant" ? "tenant" : JSON.stringify(nodeId);

  async function read(message: object): Promise<Conditions> {
    const { notBefore: start, notAfter: end, onceKey: key, urgent: isUrgent } = await prepared.read(message);
    if (start !== undefined && end !== undefined && end <= start)
      prepared.build(() => {
        throw new ValueError("input.endsBeforeStart", "notAfter", { notAfter: isoOf(end), notBefore: isoOf(start) });
      });
    return {
      ...always,
      ...(start !== undefined && { notBefore: start }),
      ...(end !== undefined && { notAfter: end }),
      ...(isUrgent === true && { urgent: true }),
      ...(key !== undefined && {
        deduplication: { key, scope, forMs: onceFor * 1000 },
        ...(onceAgain === "replace" && { onceAgain }),
      }),
    };
  }

  return {
    /** Rejects with ValueError; never throws. */
    read: Object.keys(fields).length === 0 ? () => always : read,
    /** Whether a message that is repeated ends without output and without error. */
    ignoresRepeats: onceAgain === "ignore",
    isAnytime: anytime,
  };
}

/**
 * Makes fields of instants, of which a text without an offset is a time in a zone. Their check is a promise only until the zone is
 * loaded, because messages would overtake one another.
 */
export function inZoneOf(name: string) {
  let zone: Zone | undefined;
  const loading = loadZone(name).then((loaded) => {
    zone = loaded;
    return loaded;
  });
  // Reported where the zone is needed.
  loading.catch(() => {});
  return (check: typeof toInstant) =>
    custom("any", (value, field) =>
      zone || typeof value !== "string"
        ? check(value, field, zone)
        : loading.then((loaded) => check(value, field, loaded)),
    );
}
