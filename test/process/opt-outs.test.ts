import { deepStrictEqual, doesNotMatch, match, strictEqual } from "node:assert/strict";
import { appendFileSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LiveTenant } from "../support/live-tenant";
import { Campaign } from "../support/process/campaign";
import { clockAt, type NodeRed } from "../support/process/node-red";
import { control, errorOf, optOutFlow, REFUSED, resultOf } from "../support/process/opt-out-flow";

const NUMBER = "0901 234 567";
const IN_PLUS = "+84901234567";
const OTHER = "0901 234 568";

/** docs/contract/control.md#never-again */
describe("a number whose owner does not want to be called", () => {
  let campaign: Campaign;
  let tenant: LiveTenant;

  before(async () => {
    tenant = await LiveTenant.start();
    campaign = await Campaign.create();
  });
  beforeEach(() => {
    tenant.reset();
    campaign.clear();
  });
  afterEach(() => campaign.killAll());
  after(() => tenant.stop());

  const file = () => join(campaign.telephonyFolder, "block", "tenant.jsonl");
  const started = async (settings: object = {}, environment = {}): Promise<NodeRed> => {
    const nodeRed = await campaign.start(environment);
    await nodeRed.deploy(optOutFlow({ url: tenant.url, ...settings }));
    return nodeRed;
  };

  for (const engine of ["file", "memory"])
    it(`is not called after a kill right behind the answer, with engine ${engine}`, async () => {
      const first = await started({ engine });
      strictEqual((await control(first, "block", { number: NUMBER, reason: "asked" })).changed, 1);
      await first.stop("SIGKILL");
      const next = await campaign.start();
      strictEqual(await resultOf(next, "/transfer", IN_PLUS), REFUSED);
      strictEqual(await resultOf(next, "/call", IN_PLUS), REFUSED);
      strictEqual(await resultOf(next, "/transfer", OTHER), "ok");
      strictEqual(tenant.received.length, 1);
      const [{ at, ...listed }, ...more] = (await control(next, "blocked")).blocked;
      deepStrictEqual([listed, more], [{ number: NUMBER, until: null, reason: "asked" }, []]);
      match(at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      strictEqual(statSync(file()).mode & 0o777, 0o600);
      strictEqual((await control(next, "unblock", { number: IN_PLUS })).changed, 1);
      await next.stop("SIGKILL");
      const last = await campaign.start();
      strictEqual(await resultOf(last, "/transfer", NUMBER), "ok");
      for (const { log } of [first, next, last]) doesNotMatch(log, /901.?234.?567/);
    });

  it("does not ring for a call that waits", async () => {
    const nodeRed = await started();
    await control(nodeRed, "pause");
    const waiting = resultOf(nodeRed, "/call", NUMBER);
    while ((await control(nodeRed, "count")).waiting.callOut === 0);
    await control(nodeRed, "block", { number: IN_PLUS });
    await control(nodeRed, "resume");
    strictEqual(await waiting, REFUSED);
    deepStrictEqual(tenant.received, []);
  });

  it("is neither added to a call nor called for an incident", async () => {
    const nodeRed = await started();
    await control(nodeRed, "block", { number: NUMBER });
    strictEqual(await resultOf(nodeRed, "/add", IN_PLUS), REFUSED);
    strictEqual(await resultOf(nodeRed, "/add", OTHER), "ok");
    const people = [IN_PLUS, OTHER].map((number) => ({ number }));
    deepStrictEqual(await (await nodeRed.post("/incident", { key: "k", people })).json(), { code: "ok" });
    deepStrictEqual(
      tenant.received.map(({ text }) => JSON.parse(text)["to.number"]),
      [OTHER, OTHER],
    );
  });

  it("may be called again when the time is over, once the clock is known to be right", async () => {
    const from = Date.now();
    const iso = (hours: number) => new Date(from + hours * 3_600_000).toISOString();
    const first = await started();
    const { changed } = await control(first, "block", { number: NUMBER, until: iso(1) });
    deepStrictEqual([changed, await resultOf(first, "/transfer", NUMBER)], [1, REFUSED]);
    await first.stop();
    const unsure = await campaign.start(clockAt(iso(2), undefined, "another start of the machine"));
    strictEqual(await resultOf(unsure, "/transfer", NUMBER), REFUSED);
    await unsure.stop();
    const sure = await campaign.start(clockAt(iso(2)));
    strictEqual(await resultOf(sure, "/transfer", NUMBER), "ok");
    await sure.stop();
    const setBack = await campaign.start();
    strictEqual(await resultOf(setBack, "/transfer", NUMBER), REFUSED);
  });

  it("is not called while the file cannot be read, nor is anybody else, and what a kill has cut off counts as nothing", async () => {
    const first = await started();
    await control(first, "block", { number: NUMBER });
    await first.stop();
    appendFileSync(file(), '{"number":"09');
    const second = await campaign.start();
    strictEqual(await resultOf(second, "/transfer", NUMBER), REFUSED);
    await control(second, "block", { number: OTHER });
    await second.stop();
    const whole = readFileSync(file(), "utf8");
    strictEqual(whole.trim().split("\n").length, 2);
    writeFileSync(file(), `damaged\n${whole}`);
    const third = await campaign.start();
    const error = await errorOf(third, "0901 234 569");
    deepStrictEqual([error.code, error.message.includes(file())], ["ERR_CONFIG", true]);
    strictEqual((await control(third, "block", { number: "0901 234 569" })).code, "ERR_CONFIG");
    strictEqual(readFileSync(file(), "utf8"), `damaged\n${whole}`);
    writeFileSync(file(), whole);
    await third.deploy(optOutFlow({ url: tenant.url, name: "Repaired" }));
    strictEqual(await resultOf(third, "/transfer", OTHER), REFUSED);
    strictEqual(await resultOf(third, "/transfer", "0901 234 569"), "ok");
  });

  it("must be one number, and a time to come", async () => {
    const nodeRed = await started({ timezone: "Asia/Ho_Chi_Minh" });
    for (const [given, field] of [
      [{}, "number"],
      [{ number: "0901*" }, "number"],
      [{ number: "0901234567/08" }, "number"],
      [{ number: NUMBER, until: "2020-01-01T08:00" }, "until"],
      [{ number: NUMBER, until: "2099-01-01T08:00" }, "until"],
      [{ number: NUMBER, until: "soon" }, "until"],
    ] as const) {
      const error = await control(nodeRed, "block", given);
      deepStrictEqual([error.code, error.field], ["ERR_INPUT", field], JSON.stringify(given));
    }
    const year = new Date().getUTCFullYear() + 1;
    await control(nodeRed, "block", { number: NUMBER, until: `${year}-06-01T08:00` });
    await control(nodeRed, "block", { number: OTHER, until: null });
    const { blocked } = await control(nodeRed, "blocked", { limit: 1 });
    deepStrictEqual([blocked.length, blocked[0].until], [1, `${year}-06-01T01:00:00.000Z`]);
    strictEqual((await control(nodeRed, "blocked", { offset: 1 })).blocked[0].number, OTHER);
  });

  it("is kept in memory in a sandbox, where no live number is blocked", async () => {
    const nodeRed = await started({ mode: "sandbox" });
    await control(nodeRed, "block", { number: NUMBER });
    await nodeRed.deploy(optOutFlow({ mode: "sandbox", name: "Another" }));
    strictEqual(await resultOf(nodeRed, "/call", NUMBER), REFUSED);
    await nodeRed.deploy(optOutFlow({ url: tenant.url }));
    strictEqual(await resultOf(nodeRed, "/call", NUMBER), "ok");
  });

  it("can be blocked by the editor's route, as by a message", async () => {
    const nodeRed = await started();
    const post = async (body: object) =>
      (await nodeRed.post("/telephony/tenant/tenant/control", body, { origin: nodeRed.url })).json();
    strictEqual((await post({ command: "block", number: NUMBER, reason: "asked" })).changed, 1);
    strictEqual((await post({ command: "block", number: "0901*" })).code, "ERR_INPUT");
    strictEqual(await resultOf(nodeRed, "/transfer", NUMBER), REFUSED);
    strictEqual((await post({ command: "unblock", number: NUMBER })).changed, 1);
    strictEqual(await resultOf(nodeRed, "/transfer", NUMBER), "ok");
    const listed = await nodeRed.post(
      "/telephony/tenant/tenant/control",
      { command: "blocked" },
      { origin: nodeRed.url },
    );
    strictEqual(listed.status, 400);
  });
});
