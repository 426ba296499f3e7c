import assert from "node:assert/strict";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Job, JobResult, Lanes } from "../../../src/client";
import { OPENMETRICS, openMetrics, type TenantNumbers } from "../../../src/runtime/metrics/openmetrics";
import { DURATION_RANGES, Statistics } from "../../../src/runtime/metrics/statistics";

const LABELS = { tenant: 'Head "office" \\ branch\n2', id: "t1", mode: "live" };
const LANES = {
  waiting: { callOut: 12, other: 3 },
  inFlight: 2,
  paused: true,
  heldUntil: undefined,
} as unknown as Lanes;

function result(outcome: string, elapsedMs: number, attempts = 1): JobResult {
  const timings = { attempts, waitedMs: 0, elapsedMs };
  return (outcome === "applied" ? { ok: true, timings } : { ok: false, error: { outcome }, timings }) as JobResult;
}

const job = (action: string) => ({ action }) as Job;

/** The lines of a metrics text, with numbers and the order of labels in one form. */
function samplesOf(text: string): string[] {
  return text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const [, name = "", labels = "", value] = /^(\w+)\{(.*)\} (\S+)$/.exec(line) ?? [];
      const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = "", text = ""]) =>
        key === "le" && text !== "+Inf" ? `le=${Number(text)}` : `${key}=${text}`,
      );
      return `${name} ${pairs.sort().join(" ")} ${Number(value)}`;
    })
    .sort();
}

describe("the numbers of tenants as OpenMetrics text", () => {
  const observed = [
    ["call-out", "applied", 50],
    ["call-out", "applied", 51],
    ["call-out", "unknown", 30_000],
    ["call-out", "rejected", 700_000],
    ["business-hour-gate", "applied", 0],
    ["business-hour-gate", "not-applied", 2499],
  ] as const;

  function ours(): { text: string; tenant: TenantNumbers } {
    const statistics = new Statistics();
    for (const [action, outcome, ms] of observed) statistics.count(job(action), result(outcome, ms));
    for (const outcome of ["applied", "applied", "not-applied"] as const) statistics.countRow(outcome);
    const tenant = { ...LABELS, name: LABELS.tenant, lanes: LANES, actions: statistics.actions, rows: statistics.rows };
    return { text: openMetrics([tenant]), tenant };
  }

  it("are those that Prometheus' own library for Node.js writes of the same observations", async () => {
    const registry = new Registry();
    registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE as never);
    const about = { help: "-", registers: [registry] };
    const names = ["tenant", "id", "mode"];
    const waiting = new Gauge({ ...about, name: "telephony_waiting", labelNames: [...names, "lane"] });
    waiting.set({ ...LABELS, lane: "callOut" }, 12);
    waiting.set({ ...LABELS, lane: "other" }, 3);
    for (const [name, value] of Object.entries({ in_flight: 2, paused: 1, held: 0 }))
      new Gauge({ ...about, name: `telephony_${name}`, labelNames: names }).set(LABELS, value);
    const requests = new Counter({ ...about, name: "telephony_requests", labelNames: [...names, "action", "outcome"] });
    const rows = new Counter({ ...about, name: "telephony_list_rows", labelNames: [...names, "outcome"] });
    for (const [outcome, count] of Object.entries({ applied: 2, rejected: 0, "not-applied": 1, unknown: 0 }))
      rows.inc({ ...LABELS, outcome }, count);
    const durations = new Histogram({
      ...about,
      name: "telephony_request_duration_seconds",
      labelNames: [...names, "action"],
      buckets: [...DURATION_RANGES],
    });
    for (const action of ["call-out", "business-hour-gate"])
      for (const outcome of ["applied", "rejected", "not-applied", "unknown"])
        requests.inc({ ...LABELS, action, outcome }, 0);
    for (const [action, outcome, ms] of observed) {
      requests.inc({ ...LABELS, action, outcome });
      durations.observe({ ...LABELS, action }, ms / 1000);
    }
    const theirs = await registry.metrics();
    assert.equal(OPENMETRICS, registry.contentType);
    assert.deepEqual(samplesOf(ours().text), samplesOf(theirs));
    const about2 = (text: string) => text.split("\n").filter((line) => line.startsWith("# TYPE") || line === "# EOF");
    assert.deepEqual(about2(ours().text).sort(), about2(theirs).sort());
  });

  it("keep the lines of one metric together, and end with the mark of the end", () => {
    const { text, tenant } = ours();
    const two = openMetrics([tenant, { ...tenant, id: "t2" }]);
    for (const lines of [text, two]) {
      assert.ok(lines.endsWith("\n# EOF\n"));
      const series = lines
        .split("\n")
        .filter((line) => line.startsWith("telephony_request_duration"))
        .map((line) => line.replace(/,le="[^"]*"/, "").replace(/^\w+|\} .*$/g, ""));
      const changes = series.filter((one, index) => one !== series[index - 1]);
      assert.equal(changes.length, new Set(changes).size);
    }
  });

  it("count nothing twice, and no time for what was refused before its turn", () => {
    const statistics = new Statistics();
    statistics.count(job("call-out"), result("not-applied", 0, 0));
    assert.deepEqual(statistics.actions.get("call-out")?.outcomes, {
      applied: 0,
      rejected: 0,
      "not-applied": 1,
      unknown: 0,
    });
    assert.deepEqual(new Set(statistics.actions.get("call-out")?.durations), new Set([0]));
  });
});
