import { strict as assert } from "node:assert";
import fc from "fast-check";
import { ensure } from "../../../src/runtime/nodes/ensure/ensure";
import type { JobResult, Request } from "../../../src/tenant";
import { type Behaviour, LosingTenant } from "./losing-tenant";

const OLD = [{ day: "mon", open: "08:00:00", close: "12:00:00" }];
const DAYS = [{ day: "tue", open: "09:00", close: "17:00" }] as const;
const WANTED = { name: "Office", enabled: true, days: DAYS };

let nodes = 0;
/** A node that has not been used before. */
function node(tenant: LosingTenant) {
  nodes += 1;
  const tools = { send: tenant.send, onlyLogs: false, nodeId: `node ${nodes}`, target: "live http://127.0.0.1" };
  return (wanted: object = {}, plan = false) => ensure({ ...WANTED, ...wanted }, tools, plan);
}

const dataOf = (result: JobResult) => {
  assert.ok(result.ok, result.ok ? "" : `${result.error.code} ${result.error.key}`);
  return result.data as Record<string, unknown>;
};
const errorOf = (result: JobResult) => {
  assert.ok(!result.ok, "it did not fail");
  return result.error;
};

type Step = "search" | "create" | "read back" | "delete";
const stepOf = ({ method, path }: Request): Step => {
  if (method === "POST") return "create";
  if (method === "DELETE") return "delete";
  return /\d$/.test(path) ? "read back" : "search";
};

/** The old schedule and those of other names, which contain its name. */
function tenantWith(behaviour: (request: Request, index: number) => Behaviour, hasOld: boolean): LosingTenant {
  const tenant = new LosingTenant(behaviour);
  tenant.add("Office 2", OLD);
  if (hasOld) tenant.add("Office", OLD);
  tenant.add("office", OLD);
  return hasOld ? tenant.needs("Office") : tenant;
}

function checkOthers(tenant: LosingTenant): void {
  assert.deepEqual(tenant.violations, []);
  assert.deepEqual(
    tenant.hours.filter(({ name }) => name !== "Office").map(({ name, days }) => [name, days]),
    [
      ["Office 2", OLD],
      ["office", OLD],
    ],
  );
}

function checkOne(tenant: LosingTenant): void {
  assert.deepEqual(
    tenant.named("Office").map(({ days }) => days),
    [DAYS],
  );
  checkOthers(tenant);
}

describe("ensuring a schedule while answers are lost", () => {
  for (const hasOld of [true, false])
    for (const step of ["search", "create", "read back", "delete"] as const)
      for (const behaviour of ["unsent", "refused", "lost before", "lost after", "empty"] as const) {
        if (!hasOld && step === "delete") continue;
        it(`${hasOld ? "replace" : "create"}: ${step} ${behaviour}, and a second run leaves one`, async () => {
          let isFirst = true;
          const tenant = tenantWith(
            (request) => (isFirst && stepOf(request) === step ? behaviour : "answered"),
            hasOld,
          );
          const run = node(tenant);
          const first = await run();
          if (first.ok) checkOne(tenant);
          else {
            const { outcome, retryable, details } = first.error;
            const left = tenant.named("Office").filter(({ days }) => days === DAYS);
            // Whatever is left behind is named.
            assert.deepEqual(
              left.map(({ id }) => id),
              typeof details.created === "number" ? [details.created] : [],
            );
            if (outcome === "not-applied" || outcome === "rejected") assert.deepEqual(left, []);
            if (behaviour !== "refused" && !(behaviour === "empty" && step !== "create")) assert.ok(retryable);
          }
          isFirst = false;
          const second = await run();
          assert.ok(second.ok, `the second run failed: ${second.ok || second.error.key}`);
          checkOne(tenant);
        });
      }

  it("finds a created schedule whose answer was lost, and goes on", async () => {
    const tenant = tenantWith((request) => (stepOf(request) === "create" ? "lost after" : "answered"), true);
    const { action, changed, before, after } = dataOf(await node(tenant)());
    assert.deepEqual([action, changed, Object(before).days, Object(after).days], ["replace", true, OLD, DAYS]);
    assert.equal(tenant.requests.filter((request) => request.startsWith("POST")).length, 1);
    checkOne(tenant);
  });

  it("does not create again in one run, nor claim that nothing was done", async () => {
    const tenant = tenantWith((request) => (stepOf(request) === "create" ? "lost before" : "answered"), true);
    const { code, outcome, retryable, details } = errorOf(await node(tenant)());
    assert.deepEqual([code, outcome, retryable, details.created], ["ERR_CONNECTION_LOST", "unknown", true, null]);
    assert.equal(tenant.requests.filter((request) => request.startsWith("POST")).length, 1);
  });

  it("names what is left behind when the old one cannot be deleted, and says so", async () => {
    const tenant = tenantWith((request) => (stepOf(request) === "delete" ? "lost before" : "answered"), true);
    const { key, outcome, retryable, sent, details, params } = errorOf(await node(tenant)());
    const [, created] = tenant.named("Office");
    assert.deepEqual([key, outcome, retryable, sent], ["ensure.unfinished", "unknown", true, "yes"]);
    assert.deepEqual([details.created, params["id"]], [created?.id, created?.id]);
  });

  it("two of the name that no run has left are for the user to settle", async () => {
    const tenant = tenantWith(() => "answered", true);
    const twin = tenant.add("Office", DAYS);
    for (const plan of [false, true]) {
      const { code, phase, outcome, retryable, params } = errorOf(await node(tenant)({}, plan));
      assert.deepEqual([code, phase, outcome, retryable], ["ERR_REJECTED", "parse", "rejected", false]);
      assert.match(String(params["ids"]), new RegExp(`^\\d+, ${twin.id}$`));
    }
    assert.deepEqual(new Set(tenant.requests), new Set(["GET /api/v1/setting/business-hour"]));
  });

  it("another node does not settle what this one has left", async () => {
    let isFirst = true;
    const tenant = tenantWith(
      (request) => (isFirst && stepOf(request) === "delete" ? "lost before" : "answered"),
      true,
    );
    const run = node(tenant);
    errorOf(await run());
    isFirst = false;
    assert.equal(errorOf(await node(tenant)()).code, "ERR_REJECTED");
    dataOf(await run());
    checkOne(tenant);
  });

  it("a stranger beside what a run has left stops it", async () => {
    let isFirst = true;
    const tenant = tenantWith(
      (request) => (isFirst && stepOf(request) === "delete" ? "lost before" : "answered"),
      true,
    );
    const run = node(tenant);
    errorOf(await run());
    isFirst = false;
    tenant.add("Office", [{ day: "sun", open: "10:00:00", close: "11:00:00" }]);
    assert.equal(errorOf(await run()).code, "ERR_REJECTED");
    assert.equal(tenant.named("Office").length, 3);
  });

  it("what arrives late is settled by the next run, whatever is wanted then", async () => {
    for (const later of [DAYS, [{ day: "wed", open: "10:00", close: "11:00" }]] as const) {
      let isFirst = true;
      const tenant = tenantWith((request) => (isFirst && stepOf(request) === "create" ? "late" : "answered"), true);
      const run = node(tenant);
      errorOf(await run());
      isFirst = false;
      dataOf(await run({ days: later }));
      tenant.arrive();
      assert.equal(tenant.named("Office").length, 2);
      dataOf(await run({ days: later }));
      assert.deepEqual(
        tenant.named("Office").map(({ days }) => days),
        [later],
      );
      checkOthers(tenant);
    }
  });

  it("one whose deletion may still arrive is never the one to keep", async () => {
    const behaviours: Behaviour[] = [];
    [behaviours[2], behaviours[7]] = ["unsent", "late"];
    const tenant = tenantWith((_, index) => behaviours[index] ?? "answered", true);
    const run = node(tenant);
    const other = { days: [{ day: "sun", open: "10:00", close: "11:00" }] };
    // The other one is created, but not read back. Then its deletion is on its way.
    errorOf(await run(other));
    errorOf(await run());
    dataOf(await run(other));
    tenant.arrive();
    assert.deepEqual(
      tenant.named("Office").map(({ days }) => days),
      [other.days],
    );
    checkOthers(tenant);
  });

  it("a schedule that is stored differently is deleted again, and the old one is kept", async () => {
    const tenant = tenantWith(() => "answered", true);
    const store = tenant.add.bind(tenant);
    tenant.add = (name) => store(name, [{ day: "tue", open: "09:00:00", close: "16:00:00" }]);
    const { code, key, outcome, retryable, details } = errorOf(await node(tenant)());
    assert.deepEqual([code, key, outcome, retryable], ["ERR_BAD_RESPONSE", "ensure.differs", "not-applied", false]);
    assert.equal(details.created, undefined);
    assert.deepEqual(
      tenant.named("Office").map(({ days }) => days),
      [OLD],
    );
    checkOthers(tenant);
  });

  it("a schedule that is stored under another name is not touched", async () => {
    const tenant = tenantWith(() => "answered", true);
    const store = tenant.add.bind(tenant);
    tenant.add = (_, days) => store("Office (1)", days);
    const { key, details } = errorOf(await node(tenant)());
    const [renamed] = tenant.named("Office (1)");
    assert.deepEqual([key, details.created], ["ensure.renamed", renamed?.id]);
    assert.equal(tenant.named("Office").length, 1);
  });

  it("runs for one name follow one another, even those of two nodes", async () => {
    const tenant = tenantWith(() => "answered", false);
    const [a, b] = [node(tenant), node(tenant)];
    const results = await Promise.all([a(), b(), a(), b()]);
    assert.deepEqual(
      results.map((result) => dataOf(result)["action"]),
      ["create", "none", "none", "none"],
    );
    checkOne(tenant);
  });

  it("random faults: one of the name at any moment, no other touched, and one left when they end", async () => {
    const behaviours = fc.array(
      fc.oneof(
        { weight: 5, arbitrary: fc.constant<Behaviour>("answered") },
        fc.constantFrom<Behaviour>("unsent", "refused", "lost before", "lost after", "late", "empty"),
      ),
      { maxLength: 40 },
    );
    const runs = fc.array(fc.record({ arrives: fc.boolean(), wantsOther: fc.boolean() }), { maxLength: 6 });
    const arrivals = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(behaviours, fc.boolean(), runs, arrivals, async (list, hasOld, plan, arrivals) => {
        const tenant = tenantWith((_, index) => list[index] ?? "answered", hasOld);
        tenant.arrivesBefore = (index) => arrivals.includes(index);
        const run = node(tenant);
        for (const { arrives, wantsOther } of plan) {
          await run(wantsOther ? { days: [{ day: "sun", open: "10:00", close: "11:00" }] } : {});
          if (arrives) tenant.arrive();
          checkOthers(tenant);
        }
        while (tenant.requests.length < list.length) await run();
        tenant.arrive();
        dataOf(await run());
        checkOne(tenant);
        assert.deepEqual(dataOf(await run())["action"], "none");
      }),
      { numRuns: 1000 },
    );
  });
});
