import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SHOWN_AS } from "../../src/backlog/reasons";
import { type Code, type Outcome, type Sent, TenantError } from "../../src/client";
import { CODES } from "../../src/client/errors";
import { operations } from "../../src/client/operations";
import { afterFailure, type Repeat, untried } from "../../src/client/retry-policy";
import { loadZone } from "../../src/hours";
import { NOT_IN_BACKLOG } from "../../src/runtime/delivery/http-answer";
import { knownProperties, nodeProperties } from "../../src/runtime/node-properties";
import { COMMANDS } from "../../src/runtime/nodes/control/command";
import { RULES } from "../../src/workshop/lint/rules";
import type { Event } from "../../src/workshop/rehearsal/events";
import { makeReport, Recording } from "../../src/workshop/rehearsal/make-report";
import type { Prepared } from "../../src/workshop/rehearsal/prepare";
import { ACTIONS, NODE_TYPES, NODES } from "../support/node-types";
import { filesOf, root } from "../support/root";

const read = (file: string) => readFileSync(join(root, file), "utf8");

/** The text behind a heading, up to the next one. */
function sectionAt(page: string, heading: string): string {
  return (read(page).split(`# ${heading}\n`)[1] ?? "").split(/^#+ /m)[0] ?? "";
}

/** The cells of the first table behind a heading, row by row. */
function tableAt(page: string, heading: string): string[][] {
  const [table = ""] = /^(?:\|.*\n)+/m.exec(sectionAt(page, heading)) ?? [];
  return [...table.matchAll(/^\| ([^-].*) \|$/gm)].slice(1).map(([, row = ""]) => row.split(/ ?\| /));
}

const namesIn = (cell = "") => [...cell.matchAll(/`([\w.-]+)`/g)].map(([, name = ""]) => name);

/** Returns what a file lacks of what is declared, and what it has besides, each with its file. */
function gaps(place: string, declared: readonly string[], found: readonly string[]): string[] {
  return [
    ...declared.filter((name) => !found.includes(name)).map((name) => `${place}: add ${name}`),
    ...found.filter((name) => !declared.includes(name)).map((name) => `${place}: remove ${name}`),
  ];
}

const CONTROL = "docs/contract/control.md";
/** The tables of a page whose first column has what is declared. */
const TABLES: readonly (readonly [page: string, heading: string, names: readonly string[]])[] = [
  ["README.md", "Nodes", NODE_TYPES],
  ["docs/contract/README.md", "Package and nodes", NODE_TYPES],
  ["docs/contract/values.md", "Requests", [...ACTIONS.map(({ type }) => type), "business-hour-ensure"]],
  ["docs/contract/command.md", "Lint", Object.keys(RULES)],
];
const LANGUAGE = new Intl.DisplayNames("en", { type: "language", languageDisplay: "standard" });
const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`);
const PATHS = Object.values(operations).map(({ path }) => path.replace(":id", "{id}"));
/** The files that are written by hand for each node and operation: a new one needs all of it. */
const PLACES: readonly (readonly [file: string, names: readonly string[]])[] = [
  ...filesOf("locales/*/telephony.json").map((file) => [file, quoted(NODE_TYPES)] as const),
  [
    "README.md",
    filesOf("locales/*").map((folder) => String(LANGUAGE.of(folder.slice("locales/".length))).replace(/ \(.*/, "")),
  ],
  ["docs/service-interface.md", PATHS.map((path) => path.replace("{id}", ":id"))],
  ["src/sandbox/service/call-actions.ts", quoted(PATHS.flatMap((path) => path.split("/api/v1/call/")[1] ?? []))],
  ["test/interface/openapi.yaml", PATHS.map((path) => `\n  ${path}:`)],
  ["test/interface/requests.ts", quoted(ACTIONS.map(({ type }) => type))],
];
/** The tables of the properties of a node; those of a tenant's guard have a chapter of their own. */
const SETTINGS: Readonly<Record<string, readonly (readonly [page: string, heading: string])[]>> = {
  "telephony-tenant": [
    ["docs/contract/tenant.md", "Tenant properties"],
    ["docs/contract/guard.md", "Guard"],
  ],
  "telephony-webhook": [["docs/contract/webhook.md", "telephony-webhook"]],
  "call-list": [["docs/contract/list.md", "call-list"]],
  "call-escalate": [["docs/contract/escalate.md", "call-escalate"]],
  "business-hour-gate": [["docs/contract/gate.md", "business-hour-gate"]],
  "business-hour-trigger": [["docs/contract/trigger.md", "business-hour-trigger"]],
};

/** Returns what is wrong about the properties of a node in its tables: names, defaults and choices. */
function wrongSettings(type: string, tables: readonly (readonly [string, string])[]): string[] {
  const node = NODES.find((each) => each.type === type);
  assert.ok(node, type);
  const [[page] = [""]] = tables;
  const rows = tables.flatMap(([file, heading]) => tableAt(file, heading));
  const found = rows.flatMap(([names = ""]) => (names.includes("credential") ? [] : namesIn(names)));
  const common = ["name", "tenant"];
  const properties = nodeProperties(node).filter(({ property }) => !common.includes(property));
  const missing = properties.filter(({ property }) => !found.includes(property));
  const known = knownProperties(node);
  const wrong = properties.flatMap(({ property, start, absent = start, type: ofPair, setting }) =>
    rows.flatMap(([names, ...cells]) => {
      const at = namesIn(names).indexOf(property);
      if (at < 0) return [];
      const text = cells.join(" ");
      const [whole = ""] =
        /^(?:`[^`]+`(?:, )?)+(?=;|$)|`[^`]*`(?= \(default\))|(?<=, default )`[^`]*`/.exec(cells[0] ?? "") ?? [];
      const values = [...whole.matchAll(/`"?(.*?)"?`/g)].map(([, value]) => value);
      const given = values[at] ?? values[0];
      const type = namesIn(names)[at + 1] === `${property}Type` ? values[at + 1] : undefined;
      // A row without a default is about properties that another chapter has.
      const choices = cells[0] === "" ? [] : (setting?.choices ?? []).filter(Boolean);
      return [
        ...(given === undefined || given === (Array.isArray(absent) ? JSON.stringify(absent) : String(absent))
          ? []
          : [`${page}: the default of ${property} is ${absent}`]),
        ...(type === undefined || type === ofPair ? [] : [`${page}: the default of ${property}Type is ${ofPair}`]),
        ...choices
          .filter((each) => !text.includes(`\`"${each}"\``) && !text.includes(`\`${each}\``))
          .map((each) => `${page}: add "${each}" to ${property}`),
      ];
    }),
  );
  return [
    ...missing.map(({ property }) => `${page}: add ${property}`),
    ...found.filter((name) => !known.includes(name)).map((name) => `${page}: remove ${name}`),
    ...wrong,
  ];
}

describe("the contract", () => {
  it("names all that is declared in each place that lists it, and nothing else in a table", () => {
    assert.deepEqual(
      [
        ...TABLES.flatMap(([page, heading, names]) => {
          const rows = tableAt(page, heading).flatMap(([cell]) => namesIn(cell));
          return gaps(page, names, rows);
        }),
        ...gaps(CONTROL, COMMANDS, namesIn(/ is (`.+?)\. /s.exec(sectionAt(CONTROL, "telephony-control"))?.[1])),
        ...PLACES.flatMap(([file, names]) => {
          const text = read(file);
          return names.filter((name) => !text.includes(name)).map((name) => `${file}: add ${name.trim()}`);
        }),
        ...Object.entries(SETTINGS).flatMap(([type, tables]) => wrongSettings(type, tables)),
        ...ACTIONS.filter(
          ({ effect }) => effect !== "none" && ACTIONS.filter((each) => each.effect === effect).length > 1,
        ).map(
          ({ type, effect }) => `nodes/${type}.ts: the effect "${effect}" and its texts are those of another node, too`,
        ),
      ],
      [],
    );
  });

  it("says of each error code what its row in src/client/errors.ts says", () => {
    const codesIn = (text: string) => [...text.matchAll(/ERR_\w+/g)].map(String);
    const said = tableAt("docs/contract/messages.md", "Error codes").flatMap(([codes = "", , outcome, again = ""]) =>
      codesIn(codes).map(
        (code) => `${code}: ${outcome}, ${again.includes(";") ? "the case says" : again.split(":")[0]}`,
      ),
    );
    const rows = Object.entries(CODES).map(([code, { outcome, again }]) => {
      return `${code}: ${outcome === "after bytes" ? "unknown; GET: not-applied" : outcome}, ${again}`;
    });
    assert.deepEqual(gaps("docs/contract/messages.md", rows, said), []);
    const answers = tableAt("docs/contract/webhook.md", "The answer").find(([what = ""]) => what.startsWith("`ERR_"));
    const statuses = [...(answers?.[0] ?? "").matchAll(/((?:`ERR_\w+`,? )+)(\d+)/g)];
    assert.deepEqual(
      gaps(
        "docs/contract/webhook.md",
        Object.entries(CODES).flatMap(([code, { status }]) => (status === undefined ? [] : [`${code} ${status}`])),
        statuses.flatMap(([, codes = "", status]) => codesIn(codes).map((code) => `${code} ${status}`)),
      ),
      [],
    );
  });

  it("names each reason to wait", () => {
    const reasons = [...new Set(Object.values(SHOWN_AS))];
    const [, listed] = /`waitsFor` is (.*?)\./.exec(read("docs/contract/control.md")) ?? [];
    const rows = tableAt("docs/contract/webhook.md", "The answer").filter(([, answer]) => answer?.includes("waitsFor"));
    const said = rows.flatMap(([what = "", answer = ""]) => {
      const [, values] = /waitsFor: ([^}]*)/.exec(answer) ?? [];
      return values === undefined ? namesIn(what) : [...values.matchAll(/"([a-z]+)"/g)].map(([, value = ""]) => value);
    });
    assert.deepEqual(
      [
        ...gaps("docs/contract/control.md", reasons, namesIn(listed)),
        ...gaps("docs/contract/webhook.md", [...reasons, ...NOT_IN_BACKLOG], said),
      ],
      [],
    );
  });

  it("counts the attempts and pauses of the retry policy, and names the nodes that repeat nothing or once", () => {
    const pausesOf = (code: Code, sent: Sent, outcome: Outcome, repeat: Repeat, chance: number): number[] => {
      const failure = new TenantError(code, "headers", { sent, outcome, retryable: true });
      const pauses: number[] = [];
      for (let history = untried; ; ) {
        const next = afterFailure(history, failure, { repeat, reads: false }, chance);
        if (next.againAfterMs === undefined) return pauses;
        pauses.push(next.againAfterMs);
        history = next.history;
      }
    };
    const lost = (repeat: Repeat) => pausesOf("ERR_SERVER", "yes", "unknown", repeat, 0).length;
    const shortest = pausesOf("ERR_CONNECT", "no", "not-applied", "never", 0);
    const longest = pausesOf("ERR_CONNECT", "no", "not-applied", "never", 1);
    const page = "docs/contract/messages.md";
    const text = sectionAt(page, "Retries");
    const ranges = shortest.map((least, index) => `${least} to ${longest[index]}`);
    assert.ok(text.includes(`pauses of ${ranges.join(" and ")} milliseconds`), page);
    const retries = Object.fromEntries(tableAt(page, "Retries"));
    assert.ok(retries['`sent: "no"`'].includes(`up to ${shortest.length} more attempts`), page);
    const whenLost: string = retries["the response was lost, or 5xx"];
    assert.ok(whenLost.includes(`GET and DELETE, up to ${lost("freely")} more attempts`), page);
    const of = (repeat: Repeat) => ACTIONS.flatMap((each) => (each.repeat === repeat ? [each.type] : []));
    assert.ok(whenLost.includes(`${of("once").map((type) => `\`${type}\``)}, ${lost("once")} more`), page);
    const [, never] = /^(`.*) are never repeated/m.exec(text) ?? [];
    const groups = Object.fromEntries(tableAt("docs/faults.md", "Groups of actions"));
    assert.deepEqual(
      [
        ...gaps(page, of("never"), namesIn(never)),
        ...gaps("docs/faults.md, S", of("once"), namesIn(groups["**S**, stop"])),
      ],
      [],
    );
  });

  it("shows the shape of a report", async () => {
    const about = { at: 0, nodeId: "n", tenant: "t", number: "1" };
    const events: readonly Event[] = [
      ...[1, 2].map((order): Event => {
        const actions = [{ text: "Hello", voice: "v", loop: "1", speed: 0 }];
        return {
          kind: "call",
          ...about,
          order,
          actions,
          speechMs: 0,
          answerUrl: null,
          outcome: "applied",
          callId: null,
        };
      }),
      { kind: "request", ...about, action: "call-stop", target: "1", outcome: "applied" },
      { kind: "notPlaced", ...about, code: null, reason: "turn" },
      { kind: "error", ...about, code: null, message: "" },
      {
        kind: "outside",
        ...about,
        type: "debug",
        given: JSON.stringify({ payload: 1, topic: 1, filename: 1, url: 1 }),
        answered: false,
      },
      { kind: "more", nodeId: "", of: "errors", times: 1, last: 0 },
    ];
    const recording = new Recording(0);
    for (const event of events) recording.note(event);
    const plan = { from: 0, until: 1, seed: 1, inputs: [{ at: 0, kind: "get", target: "/" }] };
    const names = { find: () => undefined, nameOf: (id: string) => id };
    const prepared = { names, zone: await loadZone("UTC"), zones: new Map(), plan } as unknown as Prepared;
    const [, block = ""] = /```\n(\{.*?\})\n```/s.exec(sectionAt("docs/contract/command.md", "The report")) ?? [];
    const json = block
      .replaceAll("[text]", "[0]")
      .replace(/\w+(?=\s*[,}])/g, "$&: 0")
      .replace(/(\w+):/g, '"$1":');
    assert.deepEqual(shapeOf(makeReport(recording, prepared, "5", null)), JSON.parse(json));
  });
});

/** Reduces plain values to 0, and each list to its first element. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== "object" || value === null) return 0;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shapeOf(each)]));
}
