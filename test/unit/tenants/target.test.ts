import { deepStrictEqual, notStrictEqual, strictEqual } from "node:assert/strict";
import { readSettings, TenantError } from "../../../src/client";
import { OptOuts } from "../../../src/client/guard/opt-outs";
import type { Config } from "../../../src/fields";
import { NO_SOURCES } from "../../../src/runtime/node-red/host";
import { guardLists } from "../../../src/runtime/tenants/guard";
import { type Target, targetOf } from "../../../src/runtime/tenants/target";

const LIVE = { mode: "live", url: "https://tenant.example", engine: "file" };
const REDIS = { ...LIVE, engine: "redis" };
const EXCEPTIONS = { value: [], type: "list" };

const OPT_OUTS = new OptOuts();

type Parts = Parameters<typeof targetOf>[1];

function resultOf(
  config: Config,
  parts: Partial<Parts> = {},
  before?: Target,
  redisUrl = "redis://one",
): Target | TenantError {
  const lists = guardLists(config, NO_SOURCES);
  const none = { id: "t1", name: "Shop", hours: undefined, optOuts: OPT_OUTS, tls: undefined, proxy: undefined };
  return targetOf(readSettings(config, "token", redisUrl), { ...none, lists, ...parts }, before);
}

function target(...given: Parameters<typeof resultOf>): Target {
  const result = resultOf(...given);
  if (result instanceof TenantError) throw result;
  return result;
}

describe("the target of a tenant", () => {
  const first = target(LIVE);
  const inRedis = target(REDIS);
  const allow = (...list: unknown[]) => ({ ...LIVE, allow: list, allowType: "list" });

  const rows: [what: string, is: Target, of: Target, sameCalls: boolean, sameClient: boolean][] = [
    ["nothing else", target({ ...LIVE }), first, true, true],
    ["another name and node", target(LIVE, { id: "t2", name: "Office" }), first, true, true],
    ["no choice of the engine", target({ ...LIVE, engine: "" }), first, true, false],
    ["another rate", target({ ...LIVE, rate: "3" }), first, true, false],
    ["another list", target(allow("0901234567")), first, true, false],
    ["hours", target(LIVE, { hours: { name: "Office", zone: "UTC", exceptions: EXCEPTIONS } }), first, true, false],
    ["a certificate authority", target(LIVE, { tls: { ca: "of its own" } }), first, true, false],
    ["another address", target({ ...LIVE, url: "https://other.example" }), first, false, false],
    ["log mode", target({ ...LIVE, mode: "log" }), first, false, false],
    ["a sandbox", target({ mode: "sandbox" }), first, false, false],
    ["Redis", inRedis, first, false, false],
    ["another Redis", target(REDIS, {}, undefined, "redis://two"), inRedis, false, false],
    ["another group", target({ ...REDIS, group: "night" }), inRedis, false, false],
  ];
  for (const [what, is, of, sameCalls, sameClient] of rows)
    it(`${sameCalls ? "keeps" : "loses"} its calls and ${sameClient ? "keeps" : "loses"} its client with ${what}`, () => {
      strictEqual(is.key === of.key, sameCalls);
      strictEqual(is.fingerprint === of.fingerprint, sameClient);
    });

  it("is a problem with a country that is none, or an entry that is no number", () => {
    const problems: [config: Config, key: string, field: string][] = [
      [{ ...LIVE, country: "ZZ" }, "config.country", "country"],
      [allow("0901234567", "nobody"), "input.notPhoneNumber", "allow[1]"],
      [{ ...LIVE, block: "", blockType: "json" }, "input.missing", "block"],
    ];
    for (const [config, key, field] of problems) {
      const problem = resultOf(config);
      const found = problem instanceof TenantError ? [problem.code, problem.key, problem.details.field] : [];
      deepStrictEqual(found, ["ERR_CONFIG", key, field]);
    }
  });

  it("reads its lists again only if it looks different", () => {
    const before = target(allow("0901234567"));
    strictEqual(target(allow("0901234567"), {}, before).guard, before.guard);
    notStrictEqual(target(allow("0901234568"), {}, before).guard, before.guard);
  });
});
