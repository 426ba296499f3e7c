import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { type Hour, LIST } from "../../support/business-hours";
import { LosingService, type Step } from "../../support/losing-service";
import {
  fail,
  flowOf,
  give,
  load,
  pass,
  redeploy,
  seen,
  statusesOf,
  statusesOfNext,
  until,
  withTenant,
} from "../../support/stage";

const OLD: Hour["days"] = [{ day: "mon", open: "08:00:00", close: "12:00:00" }];
const days = [
  { day: "mon", open: "08:00", close: "12:00" },
  { day: "fri", open: "22:00", close: "02:00" },
];
const READ: Hour["days"] = [
  { day: "mon", open: "08:00:00", close: "12:00:00" },
  { day: "fri", open: "22:00:00", close: "02:00:00" },
];
const payload = { name: "Office", days };

describe("business-hour-ensure", () => {
  const held = withTenant();
  let service: LosingService;
  const lines = () => held.tenant.received.map(({ method, url }) => `${method} ${url}`);
  const ensuring = (more: Record<string, unknown> = {}, tenant: Record<string, unknown> = {}) =>
    flowOf(
      { url: held.tenant.url, ...tenant },
      { id: "n1", type: "business-hour-ensure", tenant: "t1", wires: [["out"]], ...more },
    );
  const only = (...args: Parameters<typeof ensuring>) => load(ensuring(...args));
  const others = () => service.hours.filter(({ name }) => name !== "Office").map(({ name }) => name);
  /** Loses an answer of this step, with all its repetitions, until it is called off. */
  const losing = (step: Step, how: "lost before" | "lost after") => {
    service.behaviour = (each) => (each === step ? how : "answered");
  };

  beforeEach(() => {
    service = new LosingService("Office");
    service.add("Office 2", OLD);
    held.tenant.answers(service.answer);
  });
  afterEach(() => {
    deepStrictEqual(others(), ["Office 2"], "a schedule of another name was touched");
  });

  it("creates what is not there, and reads it back", async () => {
    await only();
    const statuses = statusesOf("n1");
    const out = await pass({ payload, topic: "kept" });
    const [created] = service.named();
    deepStrictEqual(lines(), [`GET ${LIST}?search=Office`, `POST ${LIST}`, `GET ${LIST}/${created?.id}`]);
    deepStrictEqual(held.tenant.received[1]?.body, { name: "Office", enabled: true, days });
    deepStrictEqual(out.payload, { action: "create", changed: true, id: created?.id, before: null, after: created });
    deepStrictEqual(created?.days, READ);
    deepStrictEqual([out["topic"], out["statusCode"], out["envelope"].data], ["kept", 200, created]);
    const { action, mode, request, attempts } = out["telephony"];
    deepStrictEqual(
      { action, mode, request, attempts },
      { action: "business-hour-ensure", mode: "live", request: { name: "Office", enabled: true, days }, attempts: 3 },
    );
    strictEqual(seen.completed.length, 1);
    await until(() => statuses.at(-1)?.text === "accepted", "it shows that the change was accepted");
    strictEqual(statuses.at(-1)?.fill, "green");
  });

  it("replaces what differs: the new one is read before the old one is deleted", async () => {
    const old = service.add("Office", OLD);
    await only();
    const out = await pass({ payload });
    const [created] = service.named();
    ok(created && created.id !== old.id);
    deepStrictEqual(lines(), [
      `GET ${LIST}?search=Office`,
      `POST ${LIST}`,
      `GET ${LIST}/${created.id}`,
      `DELETE ${LIST}/${old.id}`,
    ]);
    deepStrictEqual(service.counts, [1, 2, 2, 1]);
    deepStrictEqual(out.payload, { action: "replace", changed: true, id: created.id, before: old, after: created });
  });

  it("sends only reads when it is there", async () => {
    const there = service.add("Office", READ);
    await only();
    const statuses = statusesOf("n1");
    const out = await pass({ payload });
    deepStrictEqual(lines(), [`GET ${LIST}?search=Office`]);
    deepStrictEqual(out.payload, { action: "none", changed: false, id: there.id, before: there, after: there });
    await until(() => statuses.at(-1)?.text === "done", "it shows that nothing but reads was done");
  });

  for (const [what, given, enable] of [
    ["is not enabled", READ, 0],
    ["has an entry that cannot be read", [...READ, { day: "mon", open: "noon", close: "13:00:00" }], 1],
  ] as const)
    it(`replaces one that ${what}`, async () => {
      service.add("Office", given, enable);
      await only();
      strictEqual((await pass({ payload })).payload.action, "replace");
      deepStrictEqual(
        service.named().map(({ enable, days }) => ({ enable, days })),
        [{ enable: 1, days: READ }],
      );
    });

  it("plans without a change: create, replace, none", async () => {
    await only({ mode: "plan" });
    const statuses = statusesOf("n1");
    const planned = { name: "Office", enabled: true, days };
    deepStrictEqual((await pass({ payload })).payload, {
      action: "create",
      changed: false,
      id: null,
      before: null,
      after: planned,
    });
    const old = service.add("Office", OLD);
    deepStrictEqual((await pass({ payload })).payload, {
      action: "replace",
      changed: false,
      id: old.id,
      before: old,
      after: planned,
    });
    const { action, changed } = (await pass({ payload: { name: "Office", days: OLD } })).payload;
    deepStrictEqual([action, changed], ["none", false]);
    deepStrictEqual(new Set(service.steps), new Set(["search"]));
    deepStrictEqual(service.named(), [old]);
    await until(() => statuses.at(-1)?.text === "done", "it shows that nothing but reads was done");
  });

  it("takes its fields as business-hour-create does", async () => {
    await only({ scheduleName: "Office", scheduleNameType: "str", days, daysType: "list" });
    await pass({ payload: { enable: 0 } });
    deepStrictEqual(held.tenant.received[1]?.body, { name: "Office", enabled: false, days });
    const { code, cause } = await fail({ payload: { enabled: "maybe" } });
    deepStrictEqual([code, cause.field], ["ERR_INPUT", "enabled"]);
  });

  it("refuses an unknown mode", async () => {
    await only({ mode: "dry" });
    strictEqual((await fail({ payload })).code, "ERR_CONFIG");
    deepStrictEqual(lines(), []);
  });

  it("shows that a schedule may have been created, and names it", async () => {
    service.add("Office", OLD);
    losing("delete", "lost before");
    await only();
    const statuses = statusesOf("n1");
    const { code, cause, message } = await fail({ payload });
    const [, created] = service.named();
    match(message, /ensure\.oldLeft/);
    deepStrictEqual(
      [code, cause.outcome, cause.retryable, cause.created],
      ["ERR_CONNECTION_LOST", "unknown", false, created?.id],
    );
    await until(() => statuses.at(-1)?.text === "mayHaveBeen.ensured", "it shows that one may be left");
    strictEqual(statuses.at(-1)?.fill, "yellow");
  });

  /** Stops the service's answer to a step; `reached` resolves once the step is there. */
  const stoppedAt = (step: Step) => {
    let release: () => void = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    const reached = new Promise<void>((resolve) => {
      held.tenant.answers(async (request) => {
        const reply = service.answer(request);
        if (service.steps.at(-1) !== step) return reply;
        resolve();
        await released;
        return reply;
      });
    });
    return { reached, release };
  };

  for (const step of ["read back", "delete"] as const)
    it(`finishes what it began before a deploy, with a deploy during ${step}`, async () => {
      service.add("Office", OLD);
      const { reached, release } = stoppedAt(step);
      await only();
      give({ payload });
      await reached;
      await redeploy(ensuring({ name: "other" }));
      release();
      await until(() => seen.out.length === 1, "the result has reached the successor");
      const [out] = seen.out;
      deepStrictEqual([out?.payload.action, service.named().map(({ id }) => id)], ["replace", [out?.payload.id]]);
      ok(Math.min(...service.counts) >= 1);
    });

  it("in log mode reads, and logs what it would send", async () => {
    const old = service.add("Office", OLD);
    await only({}, { mode: "log" });
    const statuses = statusesOfNext("n1");
    const out = await pass({ payload });
    deepStrictEqual(lines(), [`GET ${LIST}?search=Office`]);
    deepStrictEqual(out.payload, {
      action: "replace",
      changed: true,
      id: 0,
      before: old,
      after: { name: "Office", enabled: true, days },
    });
    deepStrictEqual([out["telephony"].mode, out["telephony"].attempts], ["log", 3]);
    deepStrictEqual(service.named(), [old]);
    ok(statuses.every(({ fill }) => fill !== "green"));
  });
});
