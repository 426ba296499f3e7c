import type { Cost } from "./load";
import type { Machine } from "./machine";
import type { Findings } from "./main";
import { type Contender, type RequestRow, SUBJECTS } from "./requests";
import { digits, kilobytes, megabytes, table, whole } from "./table";
import { rate, targets } from "./targets";

const one = digits(1);
const two = digits(2);

/** The run as a page of Markdown, readable as it is. */
export function report(findings: Findings, machine: Machine): string {
  const { effort, requests, endurance, gates, loading, bulk } = findings;
  const versions = Object.values(machine.undici).join(" and ");
  return [
    "# Benchmark",
    `${machine.hardware}. Node ${machine.node}, Node-RED ${machine.nodeRed}, undici ${versions}.\n` +
      `Made by \`npm run bench\`: medians of ${effort.rounds} rounds of ${effort.sampleMs} ms, for requests of ${effort.roundsEach} rounds in each of ` +
      `${effort.processes} processes; the contenders take turns in one Node-RED process against a loopback tenant in a process of ` +
      "its own, and ratios are medians of each round's ratio.",
    "## Targets",
    table(
      ["", "wanted", "found", ""],
      targets(findings).map(({ what, wanted, found, met }) => [what, wanted, found, met ? "met" : "missed"]),
    ),
    "## Requests",
    "`undici` is its pool's `request()` with JSON in and out; `dispatch` the leanest that undici can do, the answer left " +
      "unread; `bare` a node of a few lines around `request()`, so that Node-RED and undici are all it costs; `hop` a node that only passes the message on, in the place of the node measured; `core` the http request node with its " +
      "connections kept. Processor time is that of the whole process.",
    ...requestTables(requests, machine),
    "## Memory",
    table(
      ["call-stop, 32 under way", "heap", "resident"],
      endurance.held.map(({ messages, heap, resident }) => [
        `after ${whole(messages)} messages`,
        megabytes(heap),
        megabytes(resident),
      ]),
    ),
    "## Gates",
    ...gateTables(gates),
    "## Loading",
    ...loadTables(loading),
    "## Many messages",
    ...bulkLines(bulk),
    "## Where the time of a call-stop goes",
    "Percent of the processor's samples, 32 under way, Node's own functions counted for their caller; connections are written " +
      "to within undici. Measured on the build, whose functions have names.",
    table(
      ["", "%"],
      endurance.profile.owners.map(([owner, percent]) => [owner, one(percent)]),
    ),
    table(
      ["dearest functions of this package", "%"],
      endurance.profile.functions.slice(0, 12).map(([name, percent]) => [`\`${name}\``, one(percent)]),
    ),
  ]
    .map((part) => part.trimEnd())
    .join("\n\n")
    .concat("\n");
}

const CONTENDERS: readonly Contender[] = ["node", "bare", "undici", "dispatch", "hop", "core"];

function requestTables(rows: readonly RequestRow[], machine: Machine): string[] {
  return Object.entries(machine.undici).flatMap(([name, version]) =>
    SUBJECTS.flatMap((subject) => {
      const mine = rows.filter((row) => row.undici === name && row.subject === subject);
      return [`### ${subject}, undici ${version}`, rates(mine), processor(mine), latencies(mine)];
    }),
  );
}

function rates(rows: readonly RequestRow[]): string {
  const measured = contendersOf(rows).filter((name) => name !== "hop");
  const others = measured.filter((name) => name !== "node") as ("bare" | "undici" | "dispatch" | "core")[];
  return table(
    ["a second, under way", ...measured, ...others.map((other) => `node ÷ ${other}`)],
    rows.map((row) => [
      String(row.underWay),
      ...measured.map((name) => whole(row.rounds.median(name, ({ perSecond }) => perSecond))),
      ...others.map((other) => two(rate(row, other))),
    ]),
  );
}

function processor(rows: readonly RequestRow[]): string {
  const measured = contendersOf(rows);
  return table(
    ["processor time in µs, under way", ...measured, "node ÷ undici", "hop ÷ undici"],
    rows.map(({ underWay, rounds }) => [
      String(underWay),
      ...measured.map((name) => one(rounds.median(name, (sample) => sample.processor))),
      two(rounds.between("node", "undici", (node, undici) => node.processor / undici.processor)),
      two(rounds.between("hop", "undici", (hop, undici) => hop.processor / undici.processor)),
    ]),
  );
}

function latencies(rows: readonly RequestRow[]): string {
  const shares = ["p50", "p99", "p999"] as const;
  return table(
    ["ms, under way", "undici p50", "p99", "p99.9", "node adds p50", "p99", "p99.9"],
    rows.map(({ underWay, rounds }) => [
      String(underWay),
      ...shares.map((share) => two(rounds.median("undici", (sample) => sample[share]))),
      ...shares.map((share) => two(rounds.between("node", "undici", (node, undici) => node[share] - undici[share]))),
    ]),
  );
}

function contendersOf(rows: readonly RequestRow[]): readonly Contender[] {
  return CONTENDERS.filter((name) => rows.some(({ rounds }) => rounds.has(name)));
}

function gateTables({ rounds, many, arithmetic }: Findings["gates"]): string[] {
  const names = {
    gate: "gate, own schedule",
    tenantGate: "gate, the tenant's schedule",
    switch: "core switch",
    pass: "hop",
  } as const;
  return [
    table(
      ["32 under way", "a second", "µs", "÷ switch"],
      (Object.keys(names) as (keyof typeof names)[]).map((name) => [
        names[name],
        whole(rounds.median(name, ({ perSecond }) => perSecond)),
        two(rounds.median(name, (sample) => sample.processor)),
        two(rounds.between(name, "switch", (gate, other) => gate.perSecond / other.perSecond)),
      ]),
    ),
    `${whole(many.gates)} gates on one schedule: deployed in ${whole(many.deployMs)} ms, read from the tenant with ` +
      `${many.requests} request(s), ${kilobytes(many.heapEach)} of heap each; all in a row they judge ${whole(many.perSecond)} times a second.`,
    `The schedule alone: ${whole(arithmetic.near)} ns for an instant near the last one, ${one(arithmetic.far / 1000)} µs for any ` +
      `of the year, ${one(arithmetic.reading / 1000)} µs to read a schedule, ${one(arithmetic.always / 1000)} µs to find that one never closes.`,
  ];
}

function loadTables({ without, with: packed, alone, nodes, tenants, ours, core }: Findings["loading"]): string[] {
  const line = (what: string, { ms, processorMs, heap, resident }: Cost) => [
    what,
    one(ms),
    processorMs === undefined || Number.isNaN(processorMs) ? "" : one(processorMs),
    megabytes(heap),
    megabytes(resident),
  ];
  return [
    table(
      ["", "ms", "processor ms", "heap", "resident"],
      [
        line("Node-RED without the package, from start to flows", without),
        line("Node-RED with it", packed),
        line("all node files of the package into a running Node-RED", alone),
        line(`deploy of ${nodes} nodes on ${tenants} tenants`, ours),
        line(`deploy of ${nodes} core http request nodes`, core),
      ],
    ),
  ];
}

function bulkLines({ each, burst }: Findings["bulk"]): string[] {
  return [
    `'each' over ${whole(each.count)} schedules: ${whole(each.ms)} ms, ${whole((each.count / each.ms) * 1000)} messages a second, ` +
      `at most ${megabytes(each.heapPeak - each.heapBefore)} more heap.`,
    `${whole(burst.count)} messages at once into a tenant limited to ${whole(burst.rate)} calls a second: all accepted in ` +
      `${whole(burst.acceptedMs)} ms, ${kilobytes(burst.heapEach)} of heap each, ${whole(burst.sent)} sent in ` +
      `${burst.watchMs / 1000} s, the others dropped and caught in ${whole(burst.droppedMs)} ms, ${megabytes(burst.heapLeft)} of heap left afterwards.`,
  ];
}
