import { holdsOf, type Lanes } from "../../client";
import { type ActionNumbers, DURATION_RANGES, type Statistics } from "./statistics";

export const OPENMETRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8";

export interface TenantNumbers {
  readonly id: string;
  /** For people. */
  readonly name: string;
  readonly mode: string;
  readonly lanes: Lanes;
  readonly actions: ReadonlyMap<string, ActionNumbers>;
  readonly rows: Statistics["rows"];
}

type Labels = Readonly<Record<string, string | number>>;
type Sample = readonly [labels: Labels, value: number];

/** Writes the numbers of all tenants as OpenMetrics text 1.0, for Prometheus and others that collect it. */
export function openMetrics(tenants: readonly TenantNumbers[]): string {
  const all = tenants.map((tenant) => {
    const { id, name, mode } = tenant;
    return { ...tenant, labels: { tenant: name, id, mode } };
  });
  const family = (type: string, name: string, help: string, samples: (tenant: Labelled) => Sample[], suffix = "") =>
    header(type, name, help) + lines(name + suffix, all.flatMap(samples));
  const gauge = (name: string, help: string, value: (lanes: Lanes) => number) =>
    family("gauge", name, help, ({ lanes, labels }) => [[labels, value(lanes)]]);
  return [
    family("gauge", "telephony_waiting", "Messages that wait for their turn.", waiting),
    gauge("telephony_in_flight", "Requests in flight.", ({ inFlight }) => inFlight),
    gauge("telephony_paused", "1 while call-outs are paused.", (lanes) => Number(holdsOf(lanes).has("pause"))),
    gauge("telephony_held", "1 while call-outs are held because the service refuses or fails.", (lanes) =>
      Number(holdsOf(lanes).get("trouble") !== undefined),
    ),
    family("counter", "telephony_requests", "Requests that have ended, by outcome.", ended, "_total"),
    family("counter", "telephony_list_rows", "Rows of lists that have ended, by outcome.", rowsEnded, "_total"),
    header("histogram", DURATION, "Time from the turn of a request to its answer."),
    ...all.map(durations),
    "# EOF\n",
  ].join("");
}

type Labelled = Pick<TenantNumbers, "lanes" | "actions" | "rows"> & { readonly labels: Labels };

function waiting({ lanes, labels }: Labelled): Sample[] {
  const { callOut, other } = lanes.waiting;
  return [
    [{ ...labels, lane: "callOut" }, callOut],
    [{ ...labels, lane: "other" }, other],
  ];
}

function ended({ actions, labels }: Labelled): Sample[] {
  return [...actions].flatMap(([action, { outcomes }]) =>
    Object.entries(outcomes).map(([outcome, count]): Sample => [{ ...labels, action, outcome }, count]),
  );
}

function rowsEnded({ rows, labels }: Labelled): Sample[] {
  return Object.entries(rows).map(([outcome, count]) => [{ ...labels, outcome }, count]);
}

const DURATION = "telephony_request_duration_seconds";

/** The lines of one action stay together: the format demands it. */
function durations({ actions, labels: tenant }: Labelled): string {
  return [...actions]
    .map(([action, { durations: counts, durationSumMs }]) => {
      const labels = { ...tenant, action };
      const buckets = [...DURATION_RANGES.map(decimal), "+Inf"].map(
        (le, index): Sample => [{ ...labels, le }, counts[index] ?? 0],
      );
      return (
        lines(`${DURATION}_bucket`, buckets) +
        lines(`${DURATION}_sum`, [[labels, durationSumMs / 1000]]) +
        lines(`${DURATION}_count`, [[labels, counts.at(-1) ?? 0]])
      );
    })
    .join("");
}

/** A bound as the format writes it: always with a fraction. */
function decimal(value: number): string {
  return Number.isInteger(value) ? `${value}.0` : String(value);
}

function header(type: string, name: string, help: string): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
}

function lines(name: string, samples: readonly Sample[]): string {
  return samples.map(([labels, value]) => `${name}{${labelsOf(labels)}} ${value}\n`).join("");
}

function labelsOf(labels: Labels): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(String(value))}"`)
    .join(",");
}

function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
