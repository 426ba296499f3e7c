import { strict as assert } from "node:assert";
import fc from "fast-check";
import type { JobResult, Request } from "../../../src/client";
import { ensure } from "../../../src/runtime/nodes/ensure/ensure";
import type { Hour } from "../../support/business-hours";
import { stepOf } from "../../support/losing-service";
import { type Behaviour, LosingTenant } from "./losing-tenant";

const OLD = [{ day: "mon", open: "08:00:00", close: "12:00:00" }];
const DAYS = [{ day: "tue", open: "09:00", close: "17:00" }] as const;
const WANTED = { name: "Office", enabled: true, days: DAYS };

/** The runs of a node. */
function node(tenant: LosingTenant) {
  const tools = { send: tenant.send, onlyLogs: false, target: "live http://127.0.0.1" };
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
        it(`${hasOld ? "replace" : "create"}: ${step} ${behaviour}`, async () => {
          let isFirst = true;
          const tenant = tenantWith(
            (request) => (isFirst && stepOf(request.method, request.path) === step ? behaviour : "answered"),
            hasOld,
          );
          const run = node(tenant);
          const first = await run();
          isFirst = false;
          if (first.ok) return checkOne(tenant);
          const { outcome, retryable, key, params, details } = first.error;
          const left = tenant.named("Office").filter(({ days }) => days === DAYS);
          const [created] = left;
          // Whatever is left behind is named, and nothing repeats the message before somebody has looked.
          if (created) assert.deepEqual([details.created, outcome, retryable], [created.id, "unknown", false]);
          else if (outcome === "unknown") assert.deepEqual([details.created, retryable], [null, false]);
          else assert.equal(details.created, undefined);
          if (tenant.named("Office").length > 1) {
            assert.equal(errorOf(await run()).code, "ERR_REJECTED");
            const id = Number(params["id"]);
            assert.equal(id, key === "ensure.oldLeft" ? tenant.named("Office")[0]?.id : created?.id);
            tenant.remove(id);
          }
          dataOf(await run());
          checkOne(tenant);
        });
      }

  it("finds a created schedule whose answer was lost, and goes on", async () => {
    const tenant = tenantWith(
      (request) => (stepOf(request.method, request.path) === "create" ? "lost after" : "answered"),
      true,
    );
    const { action, changed, before, after } = dataOf(await node(tenant)());
    assert.deepEqual([action, changed, Object(before).days, Object(after).days], ["replace", true, OLD, DAYS]);
    assert.equal(tenant.requests.filter((request) => request.startsWith("POST")).length, 1);
    checkOne(tenant);
  });

  it("does not create again in one run, nor claim that nothing was done", async () => {
    const tenant = tenantWith(
      (request) => (stepOf(request.method, request.path) === "create" ? "lost before" : "answered"),
      true,
    );
    const { code, outcome, retryable, details } = errorOf(await node(tenant)());
    assert.deepEqual([code, outcome, retryable, details.created], ["ERR_CONNECTION_LOST", "unknown", false, null]);
    assert.equal(tenant.requests.filter((request) => request.startsWith("POST")).length, 1);
  });

  it("creates no second one if the list moves while it is read, so that no page has the schedule", async () => {
    const tenant: LosingTenant = new LosingTenant((_request, index) => {
      if (index === 1) tenant.remove(1);
      return "answered";
    });
    for (let other = 1; other <= 20; other += 1) tenant.add(`Office ${other}`, OLD);
    tenant.add("Office", DAYS);
    assert.equal(dataOf(await node(tenant)())["action"], "none");
  });

  it("two of the name are always for the user to settle", async () => {
    const tenant = tenantWith(() => "answered", true);
    const twin = tenant.add("Office", DAYS);
    for (const plan of [false, true]) {
      const { code, phase, outcome, retryable, params } = errorOf(await node(tenant)({}, plan));
      assert.deepEqual([code, phase, outcome, retryable], ["ERR_REJECTED", "parse", "rejected", false]);
      assert.match(String(params["ids"]), new RegExp(`^\\d+, ${twin.id}$`));
    }
    assert.deepEqual(new Set(tenant.requests), new Set(["GET /api/v1/setting/business-hour"]));
  });

  it("takes no schedule for its own if two are new, or one that differs", async () => {
    for (const strangers of [[DAYS], [OLD]] as const) {
      const isLost = strangers[0] === DAYS ? "lost after" : "lost before";
      const tenant = tenantWith((request) => {
        if (stepOf(request.method, request.path) !== "create") return "answered";
        for (const days of strangers) tenant.add("Office", days);
        return isLost;
      }, true);
      const { outcome, retryable, details } = errorOf(await node(tenant)());
      assert.deepEqual([outcome, retryable, details.created], ["unknown", false, null]);
      assert.ok(!tenant.requests.some((request) => request.startsWith("DELETE")));
    }
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

  it("deletes nothing if the service changes the schedule that is there, or leaves it, instead of creating one", async () => {
    for (const isChanged of [true, false]) {
      const tenant = tenantWith(() => "answered", true);
      tenant.add = (name) => {
        const index = tenant.hours.findIndex((each) => each.name === name);
        const there = tenant.hours[index] as Hour;
        const stored = isChanged ? { ...there, days: DAYS } : there;
        tenant.hours[index] = stored;
        return stored;
      };
      const [there] = tenant.named("Office");
      const result = await node(tenant)();
      if (isChanged) assert.equal(dataOf(result)["id"], there?.id);
      else {
        const { code, outcome, retryable, details } = errorOf(result);
        assert.deepEqual([code, outcome, retryable, details.created], ["ERR_BAD_RESPONSE", "unknown", false, null]);
      }
      assert.deepEqual(
        tenant.named("Office").map(({ id }) => id),
        [there?.id],
      );
      checkOthers(tenant);
    }
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

  it("random faults: one of the name at any moment, no other touched, what is left is named", async () => {
    const behaviours = fc.array(
      fc.oneof(
        { weight: 5, arbitrary: fc.constant<Behaviour>("answered") },
        fc.constantFrom<Behaviour>("unsent", "refused", "lost before", "lost after", "late", "empty"),
      ),
      { maxLength: 10 },
    );
    await fc.assert(
      fc.asyncProperty(behaviours, fc.boolean(), async (list, hasOld) => {
        const tenant = tenantWith((_, index) => list[index] ?? "answered", hasOld);
        const earlier = tenant.named("Office").map(({ id }) => id);
        const run = node(tenant);
        const result = await run();
        tenant.arrive();
        checkOthers(tenant);
        const fresh = tenant.named("Office").filter(({ id }) => !earlier.includes(id));
        if (result.ok) return checkOne(tenant);
        const { created } = result.error.details;
        if (fresh.length > 0) assert.ok(created === null || created === fresh[0]?.id);
        if (created !== undefined) assert.equal(result.error.retryable, false);
      }),
      { numRuns: 1000 },
    );
  });
});
