import { generator } from "../faults/seed.js";

type Random = () => number;
const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;

const words = ["", " ", "c-1", "internal", "external", "queue", "blind", "attended", "\ud800", "\x00", "{{x}}", "${X}"];
const numbers = [0, -1, 1.5, 2 ** 60, Number.NaN, Number.POSITIVE_INFINITY, 42];
const keys = [
  "callId",
  "from",
  "to",
  "from.number",
  "to.number",
  "type",
  "number",
  "alias",
  "transferType",
  "fromUserId",
  "spyCall",
  "answer_url",
  "actions",
  "id",
  "name",
  "enable",
  "days",
  "day",
  "open",
  "close",
  "constructor",
  "prototype",
  "__proto__",
];

/** Any value, most of them no good for any field. */
function anyValue(random: Random, depth: number): unknown {
  const way = Math.floor(random() * (depth > 0 ? 12 : 7));
  if (way === 0) return null;
  if (way === 1) return undefined;
  if (way === 2) return pick(random, numbers);
  if (way === 3) return random() < 0.5;
  if (way <= 6) return random() < 0.002 ? "x".repeat(1_000_000) : pick(random, words);
  if (way === 7) return pick(random, [10n, Symbol("s"), new Date(Number.NaN), Buffer.from("b"), /r/, () => 1]);
  const size = Math.floor(random() * 5);
  if (way === 8) return Array.from({ length: size }, () => anyValue(random, depth - 1));
  const object: Record<string, unknown> = random() < 0.1 ? Object.create(null) : {};
  for (let i = 0; i < size + 1; i += 1) {
    const value = anyValue(random, depth - 1);
    // Defined, not assigned: an own `__proto__`, as JSON.parse makes one.
    Object.defineProperty(object, pick(random, keys), { value, enumerable: true, writable: true, configurable: true });
  }
  return random() < 0.1 ? Object.freeze(object) : object;
}

/** A message that is probably malformed, made by a grammar; `_msgid` is the one thing that is right about it. */
export function anyMessage(random: Random, _msgid: string): object {
  const way = random();
  if (way < 0.1) return { _msgid };
  const message = { _msgid, payload: anyValue(random, 3), topic: anyValue(random, 1) };
  if (way < 0.2) return Object.freeze(message);
  if (way > 0.98) return trapped(_msgid, random() < 0.5 ? { callId: "c" } : {});
  if (way > 0.96) return { _msgid, payload: trapped("", {}) };
  return message;
}

/** Nothing can copy it: one of its getters throws. */
function trapped(_msgid: string, payload: object): object {
  return Object.defineProperty({ _msgid, payload }, "trap", {
    enumerable: true,
    get() {
      throw new Error("a trap");
    },
  });
}

export const messages = (seed: number) => {
  const random = generator(seed);
  return { random, next: (id: string) => anyMessage(random, id) };
};
