import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NodeAPI } from "node-red";
import { notSent } from "../../../src/client";
import { NO_SOURCES } from "../../../src/runtime/node-red/host";
import { Gate } from "../../../src/runtime/nodes/gate/gate";
import { HandClosing } from "../../../src/runtime/nodes/gate/hand-closing";
import { unusable } from "../../../src/runtime/tenants/chosen-tenant";
import { ALWAYS } from "../../support/business-hours";
import { flowOf, load, redeploy, statusesOf, until, withTenant } from "../../support/stage";
import { judged, ownGate } from "./gates";

const HOUR_MS = 3_600_000;

describe("a business-hour-gate that a person closes with its button", () => {
  const held = withTenant();

  const flow = (more: object) =>
    flowOf(
      { url: held.tenant.url },
      ownGate({ schedule: ALWAYS, scheduleType: "json", at: "", atType: "date", ...more }),
    );
  const closing = () => {
    const found = HandClosing.of("n1");
    ok(found);
    return found;
  };

  for (const [what, state, more] of [
    ["open by its hours", "closed", {}],
    ["open by an override in the dialog", "closed", { override: "open", overrideType: "str" }],
    ["open with a schedule of the message", "closed", { schedule: "week", scheduleType: "msg" }],
    ["closed by its hours", "open", { schedule: [], scheduleType: "list" }],
    ["closed by an override in the dialog", "open", { override: "closed", overrideType: "str" }],
  ] as const)
    it(`is ${state} although it is ${what}, until a second press`, async () => {
      await load(flow(more));
      const statuses = statusesOf("n1");
      const isOpen = async () => (await judged({ week: { days: ALWAYS } })).open;
      strictEqual(await isOpen(), state === "closed");
      closing().set(Date.now() + HOUR_MS, state);
      const { open, reason, opensAt, closesAt } = await judged({ week: { days: ALWAYS } });
      deepStrictEqual([open, reason, opensAt, closesAt], [state === "open", "override", null, null]);
      await until(() => String(statuses.at(-1)?.text).startsWith(`${state}Until`), "the end");
      match(String(statuses.at(-1)?.text), /, override$/);
      closing().set(undefined);
      strictEqual(await isOpen(), state === "closed");
    });

  it("obeys a message that brings its own override", async () => {
    await load(flow({ override: "hand", overrideType: "msg" }));
    closing().set(Date.now() + HOUR_MS, "open");
    strictEqual((await judged({ hand: "closed" })).open, false);
    closing().set(Date.now() + HOUR_MS);
    strictEqual((await judged({ hand: "open" })).open, true);
    strictEqual((await judged({ hand: "closed" })).open, false);
    strictEqual((await judged({ hand: "neither" })).open, false);
    strictEqual((await judged()).reason, "override");
  });

  it("shows the end, is closed after a deploy too, and goes by its hours from then on", async () => {
    await load(flow({}));
    const before = statusesOf("n1");
    closing().set(Date.now() + HOUR_MS);
    await until(() => /^closedUntil.*, override$/.test(String(before.at(-1)?.text)), "the end");
    await redeploy(flow({ name: "Another" }));
    strictEqual((await judged()).open, false);
    const statuses = statusesOf("n1");
    closing().set(Date.now() + 1);
    await until(() => /^open/.test(String(statuses.at(-1)?.text)), "by its hours");
    strictEqual((await judged()).open, true);
  });
});

describe("the status of a gate that is closed or open by hand until noon", () => {
  const [week, always] = [{ schedule: [{ day: "mon", open: "08:00", close: "17:00" }] }, { schedule: ALWAYS }];
  const [sunday, monday] = ["2026-11-22T12:00:00+00:00", "2026-11-23T12:00:00+00:00"];
  for (const [what, state, noon, more, ends] of [
    ["the end, where the week is open then", "closed", sunday, always, sunday],
    ["the next opening, where the week is closed then", "closed", sunday, week, "2026-11-23T08:00:00+00:00"],
    ["no opening, where the hours have none", "closed", sunday, { schedule: [] }, null],
    ["no opening, where the node itself keeps it closed", "closed", sunday, { ...always, override: "closed" }, null],
    ["the end, where the node itself opens it then", "closed", sunday, { ...week, override: "open" }, sunday],
    ["the end, where the week is closed then", "open", monday, { schedule: [] }, monday],
    ["the next closing, where the week is open then", "open", monday, week, "2026-11-23T17:00:00+00:00"],
    ["no closing, where the node itself keeps it open", "open", monday, { ...always, override: "open" }, null],
    ["the end, where the node itself closes it then", "open", monday, { ...week, override: "closed" }, monday],
  ] as const)
    it(`names ${what}`, async () => {
      const config = ownGate({ timezone: "UTC", at: "", ...more });
      const byHand = { until: Date.parse(noon), state };
      const gate = await Gate.open(config, unusable("", notSent("ERR_CONFIG", "config")), NO_SOURCES, "en", byHand);
      const { open, opensAt, closesAt } = Object(
        await gate.current(gate.hours.peek(await gate.hours.inputs.read())),
      ).businessHour;
      deepStrictEqual([open, open ? closesAt : opensAt], [state === "open", ends]);
    });
});

describe("the file of gates that were closed by hand", () => {
  const end = Date.now() + HOUR_MS;

  /** Starts two gates of a Node-RED that finds this file. */
  function start(text: string) {
    const userDir = mkdtempSync(join(tmpdir(), "closed-gates-"));
    const file = join(userDir, "telephony", "closed-gates.json");
    mkdirSync(join(userDir, "telephony"));
    writeFileSync(file, text);
    const warnings: string[] = [];
    const RED = { settings: { userDir }, log: { warn: (text: string) => warnings.push(text) }, _: String };
    const gates = ["one", "other"].map((id) => HandClosing.follow(RED as unknown as NodeAPI, id, () => {}));
    for (const gate of gates) gate.forget();
    return { gates, file, warnings };
  }

  it("is read again after a restart", () => {
    const { gates, warnings, file } = start(JSON.stringify({ other: end, gone: 1 }));
    deepStrictEqual(
      gates.map(({ until }) => until),
      [undefined, end],
    );
    gates[0]?.set(end, "open");
    const { gates: after } = start(readFileSync(file, "utf8"));
    deepStrictEqual(
      after.map(({ until, state }) => [until, state]),
      [
        [end, "open"],
        [end, "closed"],
      ],
    );
    deepStrictEqual(warnings, []);
  });

  for (const text of ["", `{"other": ${end}`, "null", "[]x", `{"other": "${end}"}`, `{"other": {"open": "${end}"}}`])
    it(`is kept aside, with one warning, if it contains ${text || "nothing"}`, () => {
      const { gates, file, warnings } = start(text);
      deepStrictEqual(
        gates.map(({ until }) => until),
        [undefined, undefined],
      );
      strictEqual(warnings.length, 1);
      match(warnings[0] ?? "", /closingsUnreadable/);
      strictEqual(readFileSync(`${file}.damaged`, "utf8"), text);
      strictEqual(existsSync(file), false);
      gates[1]?.set(end);
      deepStrictEqual(JSON.parse(readFileSync(file, "utf8")), { other: end });
    });
});
