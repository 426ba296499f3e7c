import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { attempt } from "../../../src/json/rules";
import { sweep } from "../../../src/workshop/rehearsal/boundary";
import { eventually } from "../../support/process/eventually";
import { example, exampleNames } from "../../support/process/examples";
import { telephony, telephonyCommand } from "../../support/process/telephony";
import { root } from "../../support/root";
import { casesOf } from "../../support/until";

const examples = join(root, "examples");
const hello = join(examples, "1 Hello.json");
const isCI = Boolean(process.env["CI"]);

/** Enough real time on a busy machine. */
const LIMIT = ["--limit", "500"];

describe("telephony rehearse and telephony test", () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "telephony-"));
  });
  after(() => rmSync(folder, { recursive: true }));

  it("rehearse an example into a report of each kind", async () => {
    const reports = ["r.json", "r.html"].map((name) => join(folder, name));
    const world = join(folder, "world.json");
    writeFileSync(world, JSON.stringify({ inputs: [{ at: "09:00", inject: "Call me" }] }));
    const options = ["--from", "2026-12-01T08:00+07:00", "--days", "1", "--world", world, ...LIMIT];
    const { code, err, out } = await telephony(
      "rehearse",
      hello,
      ...options,
      ...reports.flatMap((file) => ["--report", file]),
    );
    assert.equal(code, 0, err);
    assert.match(out, /^Ran Node-RED \d\S+ \(.*node-red\)$/m);
    const [json = "", html] = reports.map((file) => readFileSync(file, "utf8"));
    for (const text of [json, html]) assert.ok(text?.includes("This is your first call from Node-RED."));
    assert.deepEqual(Object.keys(JSON.parse(json)), [
      ...["from", "until", "seed", "nodeRed", "calls", "notPlaced", "inputs", "requests"],
      ...["outside", "errors", "more", "figures", "brokenOff"],
    ]);
  });

  it("rehearse the flows that are named", async () => {
    const flows = [
      ...(JSON.parse(readFileSync(hello, "utf8")) as object[]),
      { id: "other", type: "tab", label: "Other" },
      { id: "start", type: "inject", z: "other", x: 1, y: 1, once: true, props: [], wires: [["fail"]] },
      { id: "fail", type: "function", z: "other", x: 1, y: 1, func: "throw new Error()", outputs: 1, wires: [[]] },
    ];
    writeFileSync(join(folder, "two.json"), JSON.stringify(flows));
    const run = (flow: string) =>
      telephony("rehearse", join(folder, "two.json"), "--days", "1", "--flow", flow, ...LIMIT);
    const codes = await Promise.all(["1 Hello", "Other", "Gone"].map(run));
    assert.deepEqual(
      codes.map(({ code }) => code),
      [0, 1, 2],
    );
    assert.match(codes[2]?.err ?? "", /^telephony rehearse: No flow has the id or the name "Gone": correct it\.$/m);
  });

  it("tell apart what is red and what could not be run", async () => {
    const day = { from: "2026-12-01T08:00", days: 1 };
    const red = {
      ...day,
      name: "Another text",
      when: [{ at: "09:00", inject: "Call me" }],
      then: [{ call: "*", says: "Bye" }],
    };
    const gone = { ...day, name: "A node that is gone", then: [{ reaches: "Call you" }] };
    const run = async (...tests: object[]) => {
      writeFileSync(join(folder, "hello.json"), readFileSync(hello));
      writeFileSync(join(folder, "hello.tests.json"), JSON.stringify({ tests }));
      return telephony("test", ...LIMIT, join(folder, "hello.tests.json"));
    };
    const found = await run(red);
    assert.equal(found.code, 1);
    assert.match(found.out, /a call to \* saying "Bye" +│ .* "Hello! This is your first call from Node-RED\."/);
    const refused = await run(gone);
    assert.equal(refused.code, 2);
    assert.match(refused.err, /^telephony test: A node that is gone: .*"Call you"/);
  });

  it("load no module from a path of the machine", async () => {
    const flows = JSON.parse(readFileSync(hello, "utf8")) as Record<string, unknown>[];
    const module = join(folder, "module.js");
    const libs = [
      { var: "a", module: "tmp" },
      { var: "b", module },
    ];
    writeFileSync(join(folder, "m.json"), JSON.stringify([...flows, { id: "f", type: "function", libs }]));
    const test = { name: "A test", from: "2026-12-01T08:00", days: 1, then: [{ nobodyElse: true }] };
    writeFileSync(join(folder, "m.tests.json"), JSON.stringify({ tests: [test] }));
    const { code, err } = await telephony("test", ...LIMIT, join(folder, "m.tests.json"));
    assert.equal(code, 2);
    assert.ok(err.includes(`A test: The module "${module}" of a function node is not the name of a package.`), err);
  });

  it("end with the command that is killed, also an endless loop, and leave no folder behind", async () => {
    const loop = { id: "f", type: "function", func: "", outputs: 1, initialize: "for (;;);", wires: [[]] };
    writeFileSync(join(folder, "loop.json"), JSON.stringify([loop]));
    const child = spawn(process.execPath, [telephonyCommand, "rehearse", join(folder, "loop.json"), "--limit", "1000"]);
    const own = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`telephony-rehearsal-${child.pid}-`));
    const [left] = await eventually(() => (own().length > 0 ? own() : undefined));
    const children = `/proc/${child.pid}/task/${child.pid}/children`;
    // A process without a parent that looks at it is ended by the system.
    const id = await eventually(() => {
      const confined = readFileSync(children, "utf8").trim();
      return /^Max cpu time +1505 +1505 /m.test(readFileSync(`/proc/${confined}/limits`, "utf8"))
        ? confined
        : undefined;
    });
    child.kill("SIGKILL");
    await once(child, "close");
    // Before the loop, it ends by itself without its parent.
    attempt(() => process.kill(Number(id), "SIGKILL"));
    await sweep();
    assert.ok(!readdirSync(tmpdir()).includes(left ?? ""));
  });

  const testsOf = (name: string) =>
    JSON.parse(readFileSync(join(examples, `${name}.tests`), "utf8")) as {
      tests: { days?: number; when?: { inject?: string }[] }[];
    };

  it("click every button of the examples that runs nothing at the start", () => {
    for (const name of exampleNames) {
      const { tests } = testsOf(name);
      const clicked = new Set(tests.flatMap(({ when = [] }) => when.map(({ inject }) => inject)));
      for (const { type, once, name: button } of example(name))
        if (type === "inject" && once !== true) assert.ok(clicked.has(String(button)), `${name}: ${String(button)}`);
    }
  });

  // Each test is a Node-RED of its own. telephony test examples/*.tests runs all of them, as CI does.
  it(`find ${isCI ? "all tests of each example" : "a test of a day of some examples"} green`, async function () {
    this.timeout(600_000);
    const some = exampleNames.slice(0, casesOf(exampleNames.length));
    const files = some.map((name) => {
      const [flows, file] = [join(folder, `${name}.json`), join(folder, `${name}.tests`)];
      writeFileSync(flows, JSON.stringify(example(name)));
      const { tests, ...more } = testsOf(name);
      const tried = isCI ? tests : [tests.find(({ days }) => days === 1) ?? tests[0]];
      writeFileSync(file, JSON.stringify({ ...more, tests: tried }));
      return file;
    });
    const { code, out, err } = await telephony("test", ...LIMIT, ...files);
    assert.equal(code, 0, out + err);
  });
});
