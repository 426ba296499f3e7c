import assert from "node:assert/strict";
import type { Backlog, Entry, Limits, Outcome } from "../../../src/backlog";
import { until } from "../until";
import { type Engine, Stage } from "./stage";

const HOUR = 3_600_000;
/** The greatest difference between the clocks of a machine and its Redis. Milliseconds. */
const APART = 10;

type Part = (value: string, now: number) => Partial<Entry>;
/** The hash of a key may be given. */
const keyOf =
  (hash: string, forMs: number, uses?: number): Part =>
  (given) => ({ keys: [{ hash: given || hash, forMs, ...(uses && { uses }) }] });

/** The parts of an entry in a trace, as in `urgent+key:a`; `-` is one with nothing special. */
const PARTS: Readonly<Record<string, Part>> = {
  "-": () => ({}),
  id: (id) => ({ id }),
  anytime: () => ({ anytime: true }),
  urgent: () => ({ urgent: true }),
  alarm: () => ({ anytime: true, urgent: true, alarm: true }),
  list: (list) => ({ list }),
  "held-back": () => ({ heldBack: true }),
  of: (nodeId) => ({ nodeId }),
  size: (size) => ({ size: Number(size) }),
  /** Sets a date in milliseconds from now. */
  in: (ms, now) => ({ notBefore: Math.round(now) + Number(ms) }),
  until: (ms, now) => ({ notAfter: Math.round(now) + Number(ms) }),
  name: (name) => ({ name: name || "n" }),
  replaces: () => ({ replaces: true }),
  again: (again) => ({ again }),
  key: keyOf("key", 60_000),
  long: keyOf("key", HOUR),
  /** Keys of one, two or three uses at a time. */
  use: keyOf("number", HOUR, 1),
  number: keyOf("number", HOUR, 2),
  thrice: keyOf("number", HOUR, 3),
  brief: keyOf("brief", 300, 2),
  moment: keyOf("moment", 300),
};

export type Word = (traced: Traced, words: readonly string[]) => unknown;
export type Words = Readonly<Record<string, Word>>;

/**
 * Backlogs that do what a trace tells: `accept - urgent, begun 2 1, drop → 0`. Behind an arrow stands what a step answers. A name with a
 * colon before a step says whose steps follow.
 */
export class Traced {
  readonly stages = new Map<string, Stage>();
  stage!: Stage;
  /** Of those that are opened from now on. */
  limits: Partial<Limits> = {};
  readonly #accepted = new Map<string, Entry>();

  constructor(readonly words: Words) {}

  async play(trace: string): Promise<void> {
    for (const step of trace.split(/,\s+/)) {
      const [what = "", expected] = step.split(/\s+→ /);
      const [, name, word = "", more = ""] = STEP.exec(what) ?? [];
      if (name !== undefined) this.turnTo(name);
      const act = this.words[word] ?? assert.fail(`what is "${word}"?`);
      const answer = (await act(this, more.split(/\s+/).filter(Boolean))) ?? "";
      const wanted = expected ?? (word === "accept" ? "accepted" : undefined);
      if (wanted !== undefined) assert.ok(`${answer} `.startsWith(`${wanted} `), `${step}: ${answer}`);
    }
  }

  /** The backlog of this name acts from now on. */
  turnTo(name: string, stage = this.stages.get(name)): void {
    this.stage = stage ?? assert.fail(name);
    this.stages.set(name, this.stage);
  }

  entryOf(text: string): Partial<Entry> {
    const parts = text.split("+").map((part) => {
      const [name = "", value = ""] = part.split(":");
      return (PARTS[name] ?? assert.fail(part))(value, this.stage.backlog.loop.now());
    });
    const keys = parts.flatMap((part) => part.keys ?? []);
    return Object.assign({}, ...parts, keys.length > 0 && { keys });
  }

  keyOf(text = "") {
    return this.entryOf(text).keys?.[0] ?? assert.fail(text);
  }

  /** Accepts an entry. Ids that are not given count what was to be accepted so far. */
  async accept(text: string): Promise<readonly [id: string, answer: string]> {
    const id = String(this.#accepted.size + 1);
    const entry = { id, nodeId: "a", size: 1, content: `"${id}"`, ...this.entryOf(text) };
    this.#accepted.set(entry.id, entry);
    return [entry.id, shown(await this.stage.backlog.accept(entry))];
  }

  accepted(id = ""): Entry {
    return this.#accepted.get(id) ?? assert.fail(id);
  }

  /** The run of an entry, which ends or waits again with this. */
  runOf(id = "") {
    const { runs } = this.stage;
    const at = runs.findLastIndex(({ entry }) => entry.id === id);
    return runs.splice(at, at < 0 ? 0 : 1)[0] ?? assert.fail(`${id} does not run`);
  }
}

const STEP = /^\s*(?:(\w+): )?([\w-]+)\s*(.*)$/s;
const minutes = (ms: number) => Math.ceil(ms / 60_000);

/** An acceptance, with the first use of its key, the minutes until one is free, or the id of what it replaces. */
function shown(acceptance: Awaited<ReturnType<Backlog["accept"]>>): string {
  if (acceptance.kind === "duplicate") return `duplicate ${acceptance.first.outcome}`;
  if (acceptance.kind === "usedUp") return `usedUp ${minutes(acceptance.retryAfterMs)}`;
  return acceptance.kind === "accepted" && acceptance.replaced ? `replaced ${acceptance.replaced}` : acceptance.kind;
}

function shownEnd([id, end]: Stage["ends"][number]): string {
  if (!("cut" in end)) return `${id}:${Object.values(end).join()}`;
  return `${id}:${end.cut}${end.cut === "usedUp" ? `/${minutes(end.retryAfterMs ?? 0)}` : ""}`;
}

/** Compares lists whose order means nothing, because an engine may report several in one moment. */
async function sameSoon(found: () => readonly string[], expected: readonly string[]): Promise<void> {
  await until(() => found().length >= expected.length, `${expected}`);
  assert.deepEqual([...found()].sort(), [...expected].sort());
}

const stops = { kind: "stops", code: "ERR_CONNECT", retryAfterMs: 60_000 } as const;

/** The words for what a backlog does, and then for what it shows. */
export const WORDS: Words = {
  with: (traced, words) => {
    const pairs = words.flatMap((name, index) => (index % 2 === 0 ? [[name, Number(words[index + 1])]] : []));
    traced.limits = Object.fromEntries(pairs);
  },
  /** Accepts one after the other, and gives the answer for the last one. */
  accept: async (traced, texts) => {
    const answers: string[] = [];
    for (const text of texts) answers.push((await traced.accept(text))[1]);
    assert.ok(answers.slice(0, -1).every((answer) => answer === "accepted"));
    return answers.at(-1);
  },
  "accept-at-once": async (traced, texts) =>
    (await Promise.all(texts.map((text) => traced.accept(text)))).map(([, answer]) => answer).join(" "),
  /** Accepts an entry, which begins and ends. */
  passes: async (traced, [text = "-"]) => {
    const [id, answer] = await traced.accept(text);
    assert.equal(answer, "accepted");
    await until(() => traced.stage.begun.includes(id), `${id} has begun`);
    traced.runOf(id).settle("applied", "applied");
    await until(() => traced.stage.ended.includes(id), `${id} has ended`);
  },
  slots: ({ stage }, [count]) => {
    stage.slots = Number(count);
    stage.backlog.loop.dispatch();
  },
  open: ({ stage }) => {
    stage.isOpen = true;
    stage.backlog.loop.dispatch();
  },
  close: ({ stage }) => Object.assign(stage, { isOpen: false }),
  pause: ({ stage }) => stage.backlog.pause(),
  resume: ({ stage }) => stage.backlog.resume(),
  /** Waits for the service, which fails, and works again; or only what was restored does. */
  patient: ({ stage }, [who]) => stage.waitsForService({ isForAll: who !== "restored" }),
  fails: ({ stage }) => stage.backlog.service.observe(stops),
  works: ({ stage }) => stage.backlog.service.observe({ kind: "fine" }),
  elsewhere: ({ stage }, [waiting]) =>
    Object.assign(stage, { waitingElsewhere: { waiting: Number(waiting), bytes: 0 } }),
  "due-key": (traced, [key]) => Object.assign(traced.stage, { dueKeys: [traced.keyOf(key)] }),
  settle: (traced, [id, outcome]) => traced.runOf(id).settle(outcome as Outcome, outcome),
  "settle-all": ({ stage }) => {
    for (const run of stage.runs.splice(0)) run.settle("applied", "applied");
  },
  requeue: (traced, ids) => {
    for (const id of ids) traced.runOf(id).requeue();
  },
  /** The service refuses them, and tells them not to wait. */
  refuse: (traced, ids) => {
    for (const id of ids) {
      const run = traced.runOf(id);
      Object.assign(run, { refusal: { count: 1, firstAt: 0, retryAt: 0 } });
      run.requeue();
    }
  },
  drop: ({ stage }, [which]) =>
    which === undefined || which === "held-back" ? stage.backlog.drop({ only: which }) : stage.dropDeleted(which),
  "fail-all": ({ stage }) => stage.backlog.failAll(),
  withdraw: ({ stage }, [id = ""]) => stage.backlog.withdraw(id),
  /** Cancels, and shows how many were cancelled, and for how many it was too late. */
  cancel: async ({ stage }, [name = ""]) => {
    const { cancelled, tooLate } = await stage.backlog.cancel(name);
    return `${cancelled}/${tooLate}`;
  },
  /** Decides about an entry whose outcome is unknown, and shows whether that counts, or came too late: they are counted at once. */
  decide: async ({ stage }, [id = "", as]) => {
    const { decisions } = stage.backlog;
    const decided = await decisions.decide(id, as as "rang" | "did-not-ring").catch(() => undefined);
    if (!decided) return "failed";
    const { unknown } = stage.backlog.counts;
    if (decided.settled) assert.equal(unknown, (await decisions.list()).length);
    return `${decided.settled}/${decided.tooLate}`;
  },
  /** Waits until these are undecided, the oldest first. While Redis is told again what it has lost, the list fails. */
  undecided: async (traced, ids) => {
    let listed: readonly Entry[] = [];
    const areListed = async () => {
      listed = await traced.stage.backlog.decisions.list();
      return `${listed.map(({ id }) => id)}` === `${ids}`;
    };
    await until(() => areListed().catch(() => false), `undecided ${ids}`);
    for (const { id, content } of listed) assert.equal(content, traced.accepted(id).content);
  },
  /** Ends the rows of a list, and shows how many, and for how many it was too late. */
  "end-list": async ({ stage }, [list = ""]) => {
    const { cancelled, tooLate } = await stage.backlog.endList(list);
    return `${cancelled}/${tooLate}`;
  },
  take: async (traced, [key]) => shown(await traced.stage.backlog.keys.take(traced.keyOf(key))),
  try: async (traced, [key]) => shown(await traced.stage.backlog.keys.try(traced.keyOf(key))),
  keep: (traced, [key, forMs]) => traced.stage.backlog.keys.keep({ ...traced.keyOf(key), forMs: Number(forMs) }),
  "settle-key": (traced, [key, outcome]) => traced.stage.backlog.keys.settle(traced.keyOf(key), outcome as Outcome),
  "is-free": (traced, [key]) =>
    until(async () => (await traced.stage.backlog.keys.try(traced.keyOf(key))).kind === "accepted"),
  "is-unknown": (traced, [key]) =>
    until(
      async () => shown(await traced.stage.backlog.keys.try(traced.keyOf(key))) === "duplicate unknown",
      `the outcome of ${key} is unknown`,
    ),
  create: ({ stage }, [name = "", value]) => stage.backlog.records.create(name, value),
  update: ({ stage }, [name = "", value]) => stage.backlog.records.update(name, value),
  note: ({ stage }, [name = "", value]) => stage.backlog.records.note(name, value),
  remove: ({ stage }, [name = ""]) => stage.backlog.records.remove(name),
  /** The store writes down for a later process that these entries and records are held back, or released. */
  hold: ({ stage }, [what = "", ...names]) => {
    const isId = (name: string) => Number(name) > 0;
    stage.store.hold({ [what]: { ids: names.filter(isId), records: names.filter((name) => !isId(name)) } });
  },
  proves: ({ stage }) => stage.backlog.service.prove(),
  "is-proven": ({ stage }) => until(() => stage.backlog.service.isProven, "it is proven"),
  leave: ({ stage }) => stage.backlog.close(),
  /** Waits until these have begun, none of them too early. */
  begun: async (traced, ids) => {
    const { begun, begunAt } = traced.stage;
    await until(() => begun.length >= ids.length, `${ids} have begun`);
    assert.deepEqual(begun, ids);
    for (const [n, id] of ids.entries())
      assert.ok(Number(begunAt[n]) >= (traced.accepted(id).notBefore ?? 0) - APART, id);
  },
  ends: ({ stage }, all) => sameSoon(() => stage.ends.map(shownEnd), all),
  inherits: ({ stage }, ids) => sameSoon(() => stage.inherited, ids),
  notes: ({ stage }, all) => sameSoon(() => stage.notes.map((note) => note.join(":")), all),
  /** Waits for counts, given as pairs of a name and its value. */
  counts: ({ stage }, pairs) =>
    until(() => {
      const counts = stage.backlog.counts as object as Record<string, unknown>;
      return pairs.every((value, index) => index % 2 === 0 || String(counts[`${pairs[index - 1]}`]) === value);
    }, `counts ${pairs}`),
  "is-held": ({ stage }) => until(() => stage.backlog.counts.heldUntil !== undefined),
  "next-date": (traced, [id]) => assert.equal(traced.stage.backlog.counts.nextDate, traced.accepted(id).notBefore),
  /** Waits until its date has passed, and what was to happen then. The clock of the store may be a millisecond behind. */
  "is-missed": (traced, [id]) => until(() => Date.now() > Number(traced.accepted(id).notBefore) + 10),
  "is-over": (traced, [id]) => until(() => traced.stage.backlog.loop.now() > Number(traced.accepted(id).notAfter)),
  "holds-back": ({ stage }, [record = ""]) => until(() => stage.backlog.records.isHeldBack(record)),
  releases: ({ stage }, [record = ""]) => until(() => !stage.backlog.records.isHeldBack(record)),
  /** Lists them as a whole, and in parts of two. */
  lists: async (traced, all) => {
    const listed = async (offset: number, limit: number) =>
      (await traced.stage.backlog.list(offset, limit)).map(({ entry, waitsFor }) => {
        const { nodeId, notBefore, content } = traced.accepted(entry.id);
        assert.deepEqual([entry.nodeId, entry.notBefore, entry.content], [nodeId, notBefore, content]);
        return `${entry.id}:${waitsFor}`;
      });
    assert.deepEqual(await listed(0, all.length + 1), all);
    for (const from of all.keys()) assert.deepEqual(await listed(from, 2), all.slice(from, from + 2));
  },
};

/** The words for backlogs of one engine, which the test closes. */
export function wordsFor(engine: Engine, opened: (stage: Stage) => void): Words {
  const turnTo = (traced: Traced, name: string, stage: Stage) => {
    opened(stage);
    traced.turnTo(name, stage);
  };
  const durable = () => engine.durable ?? assert.fail("nothing is written");
  /** The next process finds what this one has left, but not the nodes of these ids. */
  const next = async (traced: Traced, gone: readonly string[]) => {
    const stage = new Stage(await durable().reopen(), null);
    for (const nodeId of gone) stage.gone.add(nodeId);
    stage.serve();
    turnTo(traced, "next", stage);
  };
  let mend = () => {};
  const mended = () => {
    mend();
    mend = () => {};
  };
  afterEach(mended);
  return {
    ...WORDS,
    opens: async (traced, names) => {
      for (const name of names) turnTo(traced, name, new Stage(await engine.open(), traced.limits));
    },
    restart: async (traced, gone) => {
      await traced.stage.backlog.close();
      await next(traced, gone);
    },
    /** Kills the process once everything that was to be written is written. */
    kill: async (traced, gone) => {
      await traced.stage.backlog.keys.keep({ hash: "any", forMs: 0 });
      traced.stage.backlog.stopDispatching();
      await durable().kill();
      await next(traced, gone);
    },
    breaks: async () => {
      mend = await durable().fail();
    },
    "works-again": async ({ stage }) => {
      mended();
      await until(
        async () => (await stage.backlog.keys.try({ hash: "any", forMs: 1 })).kind === "accepted",
        "it works",
      );
    },
  };
}
