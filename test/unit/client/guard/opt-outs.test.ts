import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { mock } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { NumberGuard } from "../../../../src/client/guard/number-guard";
import { type OptOut, type OptOutStore, OptOuts, type SharedOptOuts } from "../../../../src/client/guard/opt-outs";
import type { Source } from "../../../../src/fields";
import { ValueError } from "../../../../src/hours/value-error";
import { callTo } from "./guard-of";
import { exampleNumbers, inScript } from "./national-numbers";

const FOR_GOOD = { until: null, reason: null };
const NONE: Source = { label: "the dialog", fixed: true, read: () => [] };

function guardWith(optOuts: OptOuts, country: string): (number: string, type?: string) => Promise<string> {
  const limits = { country, perNumber: 0, perNumberMs: 1 };
  const guard = new NumberGuard(limits, { allow: NONE, block: NONE }, optOuts);
  return async (number, type) => {
    const refusal = await guard.check(callTo(number, type));
    return refusal ? `${refusal.code} ${refusal.details.rule}` : "";
  };
}

const REFUSED = "ERR_BLOCKED opt-out";

/** Stores lines as a file would. */
class Stored implements OptOutStore {
  readonly lines: OptOut[] = [];
  isClockRight = true;
  isBroken = false;

  async add(lines: readonly OptOut[]): Promise<void> {
    if (this.isBroken) throw new Error("no space left");
    this.lines.push(...(JSON.parse(JSON.stringify(lines)) as OptOut[]));
  }
}

describe("numbers whose owners do not want to be called", () => {
  it("are refused in every usual spelling, in whichever they were blocked", async () => {
    const wrong: string[] = [];
    let spellings = 0;
    for (const { country, spellings: all } of exampleNumbers()) {
      const optOuts = new OptOuts();
      const ruleOf = guardWith(optOuts, country);
      await optOuts.block(all[spellings % all.length], FOR_GOOD);
      for (const written of all) if ((await ruleOf(written)) !== REFUSED) wrong.push(`${country} ${written}`);
      spellings += all.length;
      await optOuts.unblock(all[0]);
      for (const written of all) if ((await ruleOf(written)) !== "") wrong.push(`${country} ${written} again`);
    }
    deepStrictEqual(wrong, []);
    ok(spellings >= 3180, String(spellings));
  });

  it("are refused with an extension, in other scripts and within what is no one number, and nothing else is", async () => {
    const optOuts = new OptOuts();
    const ruleOf = guardWith(optOuts, "VN");
    await optOuts.block("0901 234 507", FOR_GOOD);
    for (const number of [
      "+84901234507 ext. 12",
      inScript("0901234507", 0x660),
      "0901234507,,12#",
      "0901234507;5",
      "+84 901 234 507p22",
      "0901234507w1",
      "0901234507 x12345678",
      "(0901234507#99)",
      "sip:0901234507",
      "sip:84901234507@example.com".slice(0, 15),
      "*31#0901234507",
      "*67 0901234507",
      "9,0901234507",
      "+084901234507",
      "0901234507*12",
      "0901234507/08",
      "090123450708",
    ])
      strictEqual(await ruleOf(number), REFUSED, number);
    const others = ["0901234508", "+1 901 234 507", "090123450", "0901234508/07", "*31#0901234508", "alice", ""];
    for (const number of others) strictEqual(await ruleOf(number), "", number);
    strictEqual(await ruleOf("0901234507", "internal"), REFUSED);
    strictEqual(await ruleOf("0901234507", "queue"), "");
  });

  it("are refused with digits behind them that may be those of a second number, and not if these are the rest of one", async () => {
    for (const [country, blocked, called, others] of [
      ["", "0901234507", "0901234507/08; 0901234507 - 8; *31#0901234507", "0901234507-08; 090123450708"],
      ["", "+84 24-3825", "+84 24-3825/12; +84 (0)24-3825/12", "+84 24-3825-1234; +84 24-3825-1234 ext 12"],
      ["DE", "030 123456", "030 123456-10/-11", "030 123456-10; 030 123456-10 ext 2"],
      ["US", "212-555-0123", "011 1 212-555-0123/24; 212-555-0123/24", "212-555-0124"],
      ["AR", "+54 9 11 2345 6789", "011 15-2345-6789/90; 011 15-2345-6789,1", "011 15-2345-6780"],
    ] as const) {
      const optOuts = new OptOuts();
      const ruleOf = guardWith(optOuts, country);
      await optOuts.block(blocked, FOR_GOOD);
      for (const number of called.split("; ")) strictEqual(await ruleOf(number), REFUSED, `${country} ${number}`);
      for (const number of others.split("; ")) strictEqual(await ruleOf(number), "", `${country} ${number}`);
    }
  });

  it("are compared by their digits without a country, and by their forms once the tenant has one", async () => {
    const optOuts = new OptOuts();
    const before = guardWith(optOuts, "");
    await optOuts.block("0901234507", FOR_GOOD);
    deepStrictEqual([await before("090-123-4507"), await before("+84901234507")], [REFUSED, ""]);
    const after = guardWith(optOuts, "VN");
    strictEqual(await after("+84901234507"), REFUSED);
    strictEqual(await optOuts.unblock("+84 901234507"), true);
    strictEqual(await after("0901234507"), "");
  });

  it("are not another number with the same digits", async () => {
    const optOuts = new OptOuts();
    const ruleOf = guardWith(optOuts, "VN");
    await optOuts.block("901234507", FOR_GOOD);
    await optOuts.block("+90 1234507", FOR_GOOD);
    strictEqual((await optOuts.list()).length, 2);
    strictEqual(await optOuts.unblock("+90 1234507"), true);
    deepStrictEqual([await ruleOf("0901234507"), await ruleOf("+901234507")], [REFUSED, ""]);
  });

  it("are one number in all spellings, listed once, and not at all once it may be called again", async () => {
    const optOuts = new OptOuts();
    guardWith(optOuts, "VN");
    await optOuts.block("901234507", FOR_GOOD);
    await optOuts.block("0901234507", { until: null, reason: "asked" });
    deepStrictEqual(
      (await optOuts.list()).map(({ number }) => number),
      ["0901234507"],
    );
    strictEqual(await optOuts.unblock("0901234507"), true);
    deepStrictEqual(await optOuts.list(), []);
  });

  it("are one number each: neither a beginning nor two", async () => {
    const optOuts = new OptOuts();
    guardWith(optOuts, "VN");
    for (const given of ["0901*", "*", "0901234507/08", "0901234507,,1", "alice", "", null, undefined, [], 1.5])
      for (const asked of [optOuts.block(given, FOR_GOOD), optOuts.unblock(given)])
        await rejects(asked, (error) => error instanceof ValueError && error.path === "number", String(given));
    deepStrictEqual(await optOuts.list(), []);
  });

  it("count what changes, and replace end and reason", async () => {
    const optOuts = new OptOuts();
    guardWith(optOuts, "VN");
    const until = Date.now() + 86_400_000;
    strictEqual(await optOuts.block("0901234507", FOR_GOOD), true);
    strictEqual(await optOuts.block(901234507, FOR_GOOD), false);
    strictEqual(await optOuts.block("0901234508", { until, reason: "holidays" }), true);
    strictEqual(await optOuts.block("+84 901234507", { until, reason: "asked" }), true);
    const listed = (await optOuts.list()).map(({ number, until: end, reason }) => [number, end, reason]);
    deepStrictEqual(listed, [
      ["0901234508", until, "holidays"],
      ["+84 901234507", until, "asked"],
    ]);
    deepStrictEqual([await optOuts.unblock("0901234507"), await optOuts.unblock("0901234507")], [true, false]);
    strictEqual((await optOuts.list()).length, 1);
  });

  it("end only once the clock is known to be right, and are blocked again if it was wrong", async () => {
    const store = new Stored();
    const optOuts = new OptOuts(store);
    const ruleOf = guardWith(optOuts, "VN");
    const { now } = Date;
    try {
      await optOuts.block("0901234507", { until: now() + 3_600_000, reason: null });
      store.isClockRight = false;
      Date.now = () => now() + 86_400_000;
      strictEqual(await ruleOf("0901234507"), REFUSED);
      store.isClockRight = true;
      strictEqual(await ruleOf("0901234507"), "");
      Date.now = now;
      strictEqual(await ruleOf("0901234507"), REFUSED);
    } finally {
      Date.now = now;
    }
  });

  it("are the same after a restart, in any order of their lines", async () => {
    const store = new Stored();
    const optOuts = new OptOuts(store);
    guardWith(optOuts, "VN");
    await optOuts.block("0901234507", FOR_GOOD);
    await optOuts.block("0901234508", FOR_GOOD);
    await optOuts.unblock("+84901234507");
    for (const lines of [store.lines, [...store.lines].reverse()]) {
      const ruleOf = guardWith(new OptOuts(store, lines), "VN");
      deepStrictEqual([await ruleOf("0901234507"), await ruleOf("0901234508")], ["", REFUSED]);
    }
  });

  it("stay as they were if a change cannot be stored", async () => {
    const store = new Stored();
    const optOuts = new OptOuts(store);
    const ruleOf = guardWith(optOuts, "VN");
    await optOuts.block("0901234507", FOR_GOOD);
    store.isBroken = true;
    await rejects(optOuts.block("0901234508", FOR_GOOD), { code: "ERR_ENGINE", key: "optOutsFail" });
    await rejects(optOuts.unblock("0901234507"), { code: "ERR_ENGINE" });
    deepStrictEqual([await ruleOf("0901234507"), await ruleOf("0901234508")], [REFUSED, ""]);
    store.isBroken = false;
    strictEqual(await optOuts.block("0901234508", FOR_GOOD), true);
  });

  it("are at most 100,000", async () => {
    const optOuts = new OptOuts(undefined, numbers(100_000));
    const ruleOf = guardWith(optOuts, "VN");
    await rejects(optOuts.block("0912345678", FOR_GOOD), (error) => error instanceof ValueError);
    strictEqual(await ruleOf("0912345678"), "");
    strictEqual(await optOuts.block("+84900000000", { until: null, reason: "again" }), true);
    strictEqual(await optOuts.unblock("+84900000001"), true);
    strictEqual(await optOuts.block("0912345678", FOR_GOOD), true);
  });

  it("are all in a file that is written anew while they are compared with another country", async () => {
    const group = new Shared();
    let add: OptOutStore["add"] = async () => {};
    const written = new Promise<number>((resolve) => {
      add = async (_, all) => resolve([...all()].length);
    });
    const optOuts = new OptOuts({ isClockRight: true, add }, numbers(2000));
    guardWith(optOuts, "VN");
    optOuts.share(Promise.resolve(group));
    guardWith(optOuts, "DE");
    await group.isFollowed;
    group.heard({ number: "+84912345678", ...FOR_GOOD, at: Date.now(), country: "DE", marks: ["84912345678"] });
    strictEqual(await written, 2001);
    strictEqual((await optOuts.list()).length, 2001);
  });

  it("are waited for while the group is being opened, of which nothing is known yet", async () => {
    const group = new Shared();
    const other = new OptOuts();
    guardWith(other, "VN");
    other.share(Promise.resolve(group));
    await other.block("0901234507", FOR_GOOD);
    let open: (group: Shared) => void = () => {};
    const optOuts = new OptOuts();
    const ruleOf = guardWith(optOuts, "VN");
    optOuts.share(
      new Promise((resolve) => {
        open = resolve;
      }),
    );
    mock.timers.enable({ apis: ["setTimeout"] });
    const rule = ruleOf("+84 901234507");
    await turn();
    // Longer than a group may take that has answered before.
    mock.timers.tick(9000);
    await turn();
    mock.timers.reset();
    open(group);
    strictEqual(await rule, REFUSED);
  });

  it("are known from the group as it is now, and as it was when it cannot be asked", async () => {
    const group = new Shared();
    const [one, other] = [new OptOuts(), new OptOuts()];
    const [ofOne, ofOther] = [guardWith(one, "VN"), guardWith(other, "VN")];
    for (const each of [one, other]) each.share(Promise.resolve(group));
    await one.block("0901234507", FOR_GOOD);
    strictEqual(await ofOther("+84 901234507"), REFUSED);
    group.isAway = true;
    strictEqual(await ofOther("0901234507"), REFUSED);
    await rejects(other.unblock("0901234507"), { code: "ERR_ENGINE" });
    group.isAway = false;
    strictEqual(await other.unblock("0901234507"), true);
    strictEqual(await ofOne("0901234507"), "");
    await one.block("0901234508", FOR_GOOD);
    // It was restored from a copy.
    group.lines.clear();
    await one.list();
    deepStrictEqual(
      (await other.list()).map(({ number }) => number),
      ["0901234508"],
    );
  });
});

function numbers(length: number): OptOut[] {
  const at = Date.now();
  return Array.from({ length }, (_, index) => {
    const digits = `8490${String(index).padStart(7, "0")}`;
    return { number: `+${digits}`, ...FOR_GOOD, at, country: "VN", marks: [digits] };
  });
}

/** A group, as Redis keeps it. */
class Shared implements SharedOptOuts {
  readonly lines = new Map<string, OptOut>();
  heard: (line: OptOut) => void = () => {};
  #followed!: () => void;
  readonly isFollowed = new Promise<void>((resolve) => (this.#followed = resolve));
  isAway = false;

  async find(marks: readonly string[]) {
    this.#mustAnswer();
    return marks.flatMap((mark) => this.lines.get(mark) ?? []);
  }

  async write(line: OptOut) {
    this.#mustAnswer();
    for (const mark of line.marks) this.lines.set(mark, line);
    return line;
  }

  async remove() {}

  async *all() {
    this.#mustAnswer();
    yield* new Set(this.lines.values());
  }

  follow(heard: (line: OptOut) => void) {
    this.heard = heard;
    this.#followed();
  }

  #mustAnswer(): void {
    if (this.isAway) throw new Error("away");
  }
}
