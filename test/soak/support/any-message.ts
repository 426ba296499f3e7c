import { generator } from "../../support/faults/seed";

type Random = () => number;
const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;

const words = [
  "",
  " ",
  "c-1",
  "internal",
  "external",
  "queue",
  "blind",
  "attended",
  "mon",
  "08:00",
  "Office",
  "open",
  "closed",
  "count",
  "2026-11-23T10:00",
  "2099-01-01T00:00:00Z",
  "12-24",
  "\ud800",
  "\x00",
  "{{x}}",
  "${X}",
];
const numbers = [0, 1, -1, 1.5, 2 ** 60, Number.NaN, Number.POSITIVE_INFINITY, 42];
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
  "at",
  "override",
  "exceptions",
  "date",
  "hours",
  "key",
  "until",
  "answer",
  "schedule",
  "constructor",
  "prototype",
  "__proto__",
];
/** A payload with valid values for the fields of every node. */
const good: Readonly<Record<string, readonly unknown[]>> = {
  callId: ["c-1", "c-2"],
  from: [{ type: "internal", number: "1000" }],
  to: [{ type: "internal", number: "12" }],
  answer_url: ["https://example.com/answer"],
  actions: [[{ action: "talk", text: "Hello" }]],
  id: [1],
  name: ["Office", "Support 24/7"],
  days: [[{ day: "mon", open: "08:00", close: "17:30" }]],
  at: ["2026-11-23T10:00", "2099-01-01T00:00:00Z"],
  override: ["open", "closed"],
  exceptions: [[{ date: "12-24" }]],
  kind: ["blind", "attended"],
  key: Array.from({ length: 500 }, (_, index) => `key ${index}`),
  until: ["2099-01-01T00:00:00Z"],
};

/** Properties that nodes write into the message. */
const written = ["payload", "businessHour", "envelope", "statusCode", "callId", "telephony", "answer"];

/** Draws any value. Most are invalid for any field. */
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
  return anyObject(random, depth, size + 1);
}

function anyObject(random: Random, depth: number, size: number): object {
  const object: Record<string, unknown> = random() < 0.1 ? Object.create(null) : {};
  for (let i = 0; i < size; i += 1) {
    const value = anyValue(random, depth - 1);
    // Defined, not assigned, so that `__proto__` becomes an own property, as JSON.parse does.
    Object.defineProperty(object, pick(random, keys), { value, enumerable: true, writable: true, configurable: true });
  }
  if (random() < 0.02) trap(object, pick(random, keys));
  return random() < 0.1 ? Object.freeze(object) : object;
}

/** A tenth of the fields is missing, and a tenth has another value. */
function nearlyGood(random: Random): object {
  const fields = Object.entries(good).flatMap(([name, values]) => {
    const way = random();
    return way < 0.1 ? [] : [[name, way < 0.2 ? anyValue(random, 2) : structuredClone(pick(random, values))]];
  });
  return Object.fromEntries(fields);
}

/** A generated message that is probably malformed. Only its `_msgid` is always valid. */
function anyMessage(random: Random, _msgid: string): object {
  if (random() < 0.1) return { _msgid };
  const payload = pick(random, [nearlyGood, nearlyGood, () => anyObject(random, 3, 8), () => anyValue(random, 3)])(
    random,
  );
  const message = { _msgid, payload, topic: anyValue(random, 1) };
  const way = random();
  if (way < 0.02) trap(message, "trap");
  else if (way < 0.06) trap(message, pick(random, written));
  else if (way < 0.1) return lock(message, pick(random, written), random() < 0.5);
  else if (way < 0.3) return pick(random, [Object.freeze, Object.seal, Object.preventExtensions])(message);
  return message;
}

/** Adds a getter that throws, so that the object cannot be copied. */
function trap(object: object, name: string): void {
  Object.defineProperty(object, name, {
    enumerable: true,
    configurable: true,
    get() {
      throw new Error("a trap");
    },
  });
}

/** Adds a property that cannot be written. */
function lock(message: object, name: string, byGetter: boolean): object {
  const how = byGetter ? { get: () => "locked" } : { value: "locked", writable: false };
  return Object.defineProperty(message, name, { enumerable: true, configurable: true, ...how });
}

export const messages = (seed: number) => {
  const random = generator(seed);
  return { random, next: (id: string) => anyMessage(random, id) };
};
