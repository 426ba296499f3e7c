import { ValueError } from "../../hours/value-error";
import { isDeeper } from "../../json/walk";
import type { Notice } from "../notice";
import { quote } from "../quote";
import {
  FORBIDDEN_KEYS,
  LONGEST_SPOKEN_TEXT,
  toList,
  toNumber,
  toObject,
  toSpokenText,
  toText,
  toWholeNumber,
} from "./coerce";

/** The voices of the interface (call-out, `actions.*.voice`). Any other text is sent too: the service's list may grow. */
export const VOICES = [
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
] as const;

/**
 * An action of the service on an answered call. The interface documents neither the values of `action` nor all other keys,
 * so both are unrestricted.
 */
export interface SpokenAction {
  readonly action: string;
  readonly text?: string;
  readonly voice?: string;
  readonly speed?: number;
  readonly loop?: string;
  readonly [other: string]: unknown;
}

/**
 * Reads the list of actions from a message, or from its JSON text. Throws `ValueError`.
 * @param isAlarm a text over its limit is cut at a word: better half an alarm than none
 */
export function readActions(value: unknown, field: string, isAlarm = false): SpokenAction[] | undefined {
  const actions: SpokenAction[] = [];
  for (const [index, entry] of (toList(value, field) ?? []).entries())
    if (entry !== undefined)
      actions.push(readAction(isAlarm && isTooLong(entry) ? cut(entry) : entry, `${field}[${index}]`));
  return actions.length > 0 ? actions : undefined;
}

interface LongEntry {
  readonly text: string;
}

function isTooLong(entry: unknown): entry is LongEntry {
  const text: unknown = Object(entry).text;
  return typeof text === "string" && text.trim().length > LONGEST_SPOKEN_TEXT;
}

function cut(entry: LongEntry): LongEntry {
  const start = entry.text.trim().slice(0, LONGEST_SPOKEN_TEXT);
  return { ...entry, text: start.replace(/(?<=\S)\s+\S*$/, "") };
}

const KNOWN_VOICES: ReadonlySet<string> = new Set(VOICES);

/**
 * Lists voices that the interface does not list, which the service may refuse, or not.
 * @param isAlarm also the texts that were cut
 */
export function doubtfulActions(
  raw: unknown,
  actions: readonly SpokenAction[],
  field: string,
  isAlarm = false,
): Notice[] {
  const voices = actions.flatMap(({ voice }, index) => {
    if (voice === undefined || KNOWN_VOICES.has(voice)) return [];
    const params = { field: `${field}[${index}].voice`, value: quote(voice) };
    return [{ key: "unknownVoice", params, reason: `voice ${voice}` } as const];
  });
  if (!isAlarm || !toList(raw, field)?.some(isTooLong)) return voices;
  return [...voices, { key: "textCut", params: { field, longest: LONGEST_SPOKEN_TEXT }, reason: "cut" }];
}

const KNOWN = {
  action: toText,
  text: toSpokenText,
  voice: toText,
  speed: toNumber,
  // The interface has it as a text.
  loop: (value: unknown, field: string) => toWholeNumber(value, field, 0)?.toString(),
} as const;

function readAction(entry: unknown, field: string): SpokenAction {
  const action = readEntry(entry, field, KNOWN);
  if (action["action"] === undefined) throw new ValueError("input.missing", `${field}.action`);
  return action as unknown as SpokenAction;
}

type ReadPart = (value: unknown, field: string) => unknown;

/**
 * Reads an entry of a list.
 * @param known reads the parts that are checked; others are copied
 * @throws ValueError
 */
export function readEntry(entry: unknown, field: string, known: Readonly<Record<string, ReadPart>>) {
  const given = toObject(entry, field);
  const read: Record<string, unknown> = {};
  for (const key of Object.keys(given)) {
    if (FORBIDDEN_KEYS.has(key)) continue;
    const readPart = (Object.hasOwn(known, key) && known[key]) || plainCopy;
    const value = readPart(given[key], `${field}.${key}`);
    if (value !== undefined) read[key] = value;
  }
  return read;
}

/** Deeper values are refused, because nodes copy messages recursively. Our choice. */
const DEEPEST = 100;

/** Copies a value as JSON would carry it, so that later changes to the message have no effect. */
function plainCopy(value: unknown, field: string): unknown {
  let copy: unknown;
  try {
    const json: string | undefined = JSON.stringify(value);
    if (json === undefined) return undefined;
    copy = JSON.parse(json, (key, inner: unknown) => {
      // An unsafe integer may have been rounded when its text was parsed.
      if (Number.isInteger(inner) && !Number.isSafeInteger(inner))
        throw new ValueError("input.unsafeNumber", field, { value: inner });
      if (FORBIDDEN_KEYS.has(key)) return undefined;
      return typeof inner === "string" ? inner.toWellFormed() : inner;
    });
  } catch (error) {
    throw error instanceof ValueError ? error : new ValueError("input.notJsonValue", field);
  }
  if (isDeeper(copy, DEEPEST)) throw new ValueError("input.notJsonValue", field);
  return copy;
}
