import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileStore } from "../../../src/backlog/file/file-store";
import { Stage } from "../../support/backlog/stage";
import { holdClock, stopClockAt } from "../../support/clocks";
import { until } from "../../support/until";

const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000];

/** docs/contract/restarts.md#restarts: an orderly stop for 11 hours, and a board whose clock has not noticed them. */
describe("the clock of a board without a battery", () => {
  let steady: ReturnType<typeof holdClock>;
  let wall: ReturnType<typeof stopClockAt>;
  let folder: string;
  const stages: Stage[] = [];
  const inFolder = (name: string) => join(folder, name);
  const machine = () => ({ bootId: inFolder("boot_id"), clockSet: inFolder("synchronized") });

  /** A start of Node-RED. */
  const start = async (slots = Number.POSITIVE_INFINITY, wasOpen?: Stage["wasOpen"]): Promise<Stage> => {
    const { store } = await FileStore.open(inFolder("a.journal"), undefined, machine());
    const stage = new Stage(store, null);
    stage.wasOpen = wasOpen ?? stage.wasOpen;
    stage.slots = slots;
    stage.serve();
    stages.push(stage);
    return stage;
  };
  const stop = async () => {
    for (const { backlog } of stages.splice(0)) await backlog.close();
  };
  const boot = (id: string) => writeFile(inFolder("boot_id"), `${id}\n`);
  /** Leaves three calls and one of an incident waiting, and two with a date, when Node-RED stops. */
  const leave = async () => {
    const stage = await start();
    stage.backlog.pause();
    for (const id of ["1", "2", "3"]) await stage.accept(id);
    for (const [id, hours] of [
      ["tonight", 1],
      ["next day", 24],
    ] as const)
      await stage.accept(id, { notBefore: Date.now() + hours * HOUR });
    await stage.backlog.records.create("incident", 1);
    stage.backlog.resume();
    stage.backlog.stopDispatching();
    await stop();
  };
  const begun = async (stage: Stage, ...ids: string[]) => {
    await until(() => stage.begun.length >= ids.length);
    assert.deepEqual(stage.begun, ids);
  };
  /** Lets time pass, and what follows from it be stored. The wall clock is set ahead meanwhile by so much. */
  const pass = async (ms: number, stage: Stage, setAhead = 0) => {
    steady.advance(ms);
    wall.set(new Date(Date.now() + ms + setAhead).toISOString());
    stage.backlog.loop.dispatch();
    await stage.backlog.records.update("incident", 2);
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "clock-"));
    steady = holdClock(0);
    wall = stopClockAt("2026-11-26T22:00:00Z");
    await boot("first");
  });
  afterEach(async () => {
    await stop();
    await rm(folder, { recursive: true });
  });

  const of = (stage: Stage) => ({
    ...stage.backlog.counts,
    isIncidentHeldBack: stage.backlog.records.isHeldBack("incident"),
  });

  it("is set 11 hours ahead after the start: what has not begun is held back, over further starts, until it is resumed", async () => {
    await leave();
    const stage = await start(1);
    await begun(stage, "1");
    stage.slots = 9;
    // It was looked at last within ten minutes.
    await pass(10 * MINUTE + SECOND, stage, 11 * HOUR);
    await stage.accept("new");
    await begun(stage, "1", "new");
    const { heldBack, dated, isIncidentHeldBack } = of(stage);
    assert.deepEqual([heldBack, dated, isIncidentHeldBack], [3, 1, true]);
    for (const run of stage.runs) run.settle("applied", null);
    await stop();
    const next = await start();
    assert.deepEqual([of(next).heldBack, of(next).isIncidentHeldBack, next.begun], [3, true, []]);
    next.backlog.resume();
    await begun(next, "2", "3", "tonight");
  });

  it("is set ahead: held back is what starts were open for before, once that is known, also by a further start", async () => {
    await leave();
    const unknown = await start(0, () => undefined);
    unknown.isOpen = false;
    for (const [id, more] of [
      ["urgent", { urgent: true }],
      ["anytime", { anytime: true }],
    ] as const)
      await unknown.accept({ id, ofRestored: true, ...more });
    await pass(MINUTE, unknown, 11 * HOUR);
    const jumpedAt = Date.now();
    assert.deepEqual([of(unknown).heldBack, of(unknown).dated, unknown.backlog.left.undecided.size], [6, 1, 4]);
    await stop();
    const asked = new Map<string, number>();
    const stage = await start(9, ({ id }, until) => {
      asked.set(id, until);
      return id === "2";
    });
    assert.deepEqual([...asked.keys()].sort(), ["1", "2", "3", "tonight"]);
    assert.ok([...asked.values()].every((until) => until === jumpedAt));
    await begun(stage, "1", "3", "tonight");
    assert.deepEqual([of(stage).heldBack, stage.backlog.left.undecided.size], [3, 0]);
    for (const run of stage.runs) run.settle("applied", null);
    await stop();
    const last = await start(9, () => undefined);
    await begun(last);
    last.wasOpen = () => false;
    last.backlog.hoursChanged();
    await begun(last, "2");
    assert.equal(of(last).heldBack, 2);
  });

  for (const [ahead, after, what] of [
    [14 * MINUTE, 0, "by less than a long stop"],
    [11 * HOUR, 11 * MINUTE, "later than ten minutes after the start"],
  ] as const)
    it(`is set ahead ${what}: all goes on`, async () => {
      await leave();
      const stage = await start(1);
      await begun(stage, "1");
      await pass(after, stage);
      stage.slots = 9;
      await pass(SECOND, stage, ahead);
      await begun(stage, "1", "2", "3", ...(ahead > HOUR ? ["tonight"] : []));
    });

  for (const [how, ms] of [
    ["has been set", SECOND],
    ["was not set for a minute", 31 * SECOND],
  ] as const)
    it(`is not trusted where the machine was started, until it ${how}; what is new begins`, async () => {
      await leave();
      await boot("second");
      const stage = await start();
      await pass(30 * SECOND, stage);
      await stage.accept({ id: "goes on", ofRestored: true });
      await stage.accept("new");
      await begun(stage, "new");
      const waits = await stage.backlog.list(0, 4);
      assert.deepEqual(
        waits.map(({ entry: { id }, waitsFor }) => [id, waitsFor]),
        ["1", "2", "3", "goes on"].map((id) => [id, "clock"]),
      );
      if (ms === SECOND) await writeFile(machine().clockSet, "");
      await pass(ms, stage);
      await begun(stage, "new", "1", "2", "3", "goes on");
      assert.equal(of(stage).heldBack, 0);
    });

  it("is not trusted by a further start either, which holds back what is left when it is set", async () => {
    await leave();
    await boot("second");
    await pass(30 * SECOND, await start());
    await stop();
    const stage = await start();
    await pass(30 * SECOND, stage);
    await stage.accept({ id: "goes on", ofRestored: true });
    assert.deepEqual([stage.begun, stage.backlog.records.restored], [[], ["incident"]]);
    await writeFile(machine().clockSet, "");
    await pass(SECOND, stage, 11 * HOUR);
    assert.deepEqual([stage.begun, of(stage).heldBack], [[], 5]);
  });

  it("is trusted where nothing tells that the machine was started", async () => {
    await leave();
    await rm(machine().bootId);
    await begun(await start(), "1", "2", "3");
  });
});
