import assert from "node:assert/strict";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { makeFolder, remove, sweep } from "../../../src/workshop/rehearsal/boundary";
import { temporaryFolder } from "../../support/process/user-folder";
import { root } from "../../support/root";
import { days, hostile, inTab, LIMIT, tab } from "./flows";

describe("a rehearsal of a hostile flow", () => {
  const folder = mkdtempSync(join(tmpdir(), "beside-"));
  const userDir = temporaryFolder();
  mkdirSync(join(userDir, "node_modules", "a"), { recursive: true });
  for (const file of ["settings.js", "node_modules/a/index.js", "node_modules/a/package.json"])
    writeFileSync(join(userDir, file), "{}");
  // As npm makes one.
  const bin = join(userDir, "node_modules", ".bin");
  mkdirSync(bin);
  symlinkSync("../a/index.js", join(bin, "a"));
  let connections = 0;
  const server = createServer((_request, response) => response.end()).on("connection", () => {
    connections += 1;
  });
  before(async () => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  });
  after(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });

  it("lets nothing out", async () => {
    const { port } = server.address() as AddressInfo;
    const attempts = {
      connect: `require("net").connect(${port}, "127.0.0.1").on("error", () => {})`,
      handle: `{ const { constructor } = require("net").createServer().listen(0)._handle;
        if (new constructor(0).connect({}, "127.0.0.1", ${port}) !== 0) throw new Error("refused"); }`,
      fetch: `Buffer.constructor("return fetch")()("http://127.0.0.1:${port}/").catch(() => {})`,
      http2: `require("http2").connect("http://127.0.0.1:${port}").on("error", () => {})`,
      pipe: `require("net").connect("${folder}/pipe").on("error", () => {})`,
      udp: `require("dgram").createSocket("udp4").send("x", ${port}, "127.0.0.1")`,
      dns: `require("dns").resolve4("example.com", () => {})`,
      spawn: `require("child_process").spawn("touch", ["${folder}/a"]).on("error", () => {})`,
      spawnSync: `require("child_process").execSync("touch ${folder}/b")`,
      worker: `new (require("worker_threads").Worker)("require('fs').writeFileSync('${folder}/c', '')", { eval: true })`,
      file: `require("fs").writeFileSync("${folder}/d", "")`,
      link: `{ const home = require("os").homedir(); require("fs").symlinkSync("${folder}", home + "/link");
        require("fs").writeFileSync(home + "/link/e", ""); }`,
      database: `new (require("node:sqlite").DatabaseSync)("${folder}/f").exec("create table a (b)")`,
      report: `process.report.writeReport("${folder}/g")`,
      binding: `process.binding("tcp_wrap")`,
      kill: `process.kill(process.ppid)`,
      settings: `require("fs").readFileSync("${userDir}/settings.js")`,
      beside: `require("fs").readdirSync("${root}")`,
      parent: `require("fs").readFileSync("/proc/" + process.ppid + "/environ")`,
      temporary: `require("fs").readdirSync("${tmpdir()}")`,
      copySync: `require("fs").cpSync("${bin}", "copied", { recursive: true }); require("fs").writeFileSync("copied/a", "")`,
      copy: `require("fs").cp("${bin}", "copied", { recursive: true }, () => {})`,
      copyPromised: `require("fs").promises.cp("${bin}", "copied", { recursive: true })`,
      up: `require("fs").symlinkSync("../../../etc", require("os").homedir() + "/up")`,
      through: `require("fs").readFileSync(require("os").homedir() + "/../node_modules/a/../../settings.js")`,
      large: `for (let n = 0; n < 65; n += 1) require("fs").appendFileSync("large", Buffer.alloc(1024 * 1024))`,
      installed: `require("fs").readFileSync("${userDir}/node_modules/a/index.js")`,
    };
    const tried = Object.entries(attempts).map(
      ([name, attempt]) => `try { ${attempt}; passed.push("${name}"); } catch {}`,
    );
    const text = `const passed = []; ${tried.join("\n")} node.error(passed.join(" "));`;
    const { report, notes } = await hostile(text, { userDir }, { var: "a", module: "a" });
    assert.equal(report.brokenOff, null);
    // What seems to pass fails later.
    assert.equal(report.errors[0]?.message, "connect fetch http2 pipe spawn installed");
    assert.ok(notes.some((note) => note.includes(`127.0.0.1:${port}`)));
    assert.equal(connections, 0);
    assert.deepEqual(readdirSync(folder), []);
    assert.equal(readFileSync(join(userDir, "node_modules", "a", "index.js"), "utf8"), "{}");
  });

  const write = 'const fs = require("fs"); const line = (text) => fs.writeSync(3, text + "\\n");';
  const breaches: Readonly<Record<string, readonly [string, RegExp]>> = {
    "a line that is no event": ["line('x')", /written to file descriptor 3/],
    "instants between two milliseconds": [
      `fs.writeSync(3, "1795683600000.5 1", 0); line('{"kind":"error","at":0.5,"nodeId":"","code":null,"message":""}')`,
      /written to file descriptor 3/,
    ],
    "a line of 65 KB": [
      `line(JSON.stringify({ kind: "broken", message: "x".repeat(65_600) }))`,
      /written to file desc/,
    ],
    "200,001 events": [
      `for (let n = 0; n <= 200; n += 1) fs.writeSync(3, '{"kind":"kept in","what":""}\\n'.repeat(1000))`,
      /can hold/,
    ],
    "64 MB of events": [
      `for (let n = 0; n < 1100; n += 1) line(JSON.stringify({ kind: "broken", at: 0, message: "x".repeat(60_000) }))`,
      /can hold/,
    ],
    "135 MB in files": [
      `for (const name of "abc") for (let n = 0; n < 46; n += 1) fs.appendFileSync(name, Buffer.alloc(1e6))`,
      /128 MB/,
    ],
    "135 MB in files that are removed": [
      `for (const name of "abc") { const file = fs.openSync(name, "w"); fs.unlinkSync(name);
        for (let n = 0; n < 46; n += 1) fs.writeSync(file, Buffer.alloc(1e6)); }
        // Nobody sees them once it has ended.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5000);`,
      /128 MB/,
    ],
  };
  for (const [name, [text, sentence]] of Object.entries(breaches))
    it(`breaks off, with what there was, for ${name}`, async () => {
      const { report } = await hostile(`node.error("before"); setTimeout(() => { ${write} ${text} }, 60_000)`);
      assert.match(report.brokenOff ?? "", sentence);
      assert.equal(report.errors[0]?.message, "before");
    });

  it("is swept up, but no folder that a link of its name leads to", async () => {
    const inner = join(temporaryFolder(), "inner");
    mkdirSync(inner, { mode: 0o500 });
    const [left, link] = ["left", "link"].map((name) => join(tmpdir(), `telephony-rehearsal-99999999-${name}`));
    mkdirSync(String(left));
    symlinkSync(dirname(inner), String(link));
    await sweep();
    unlinkSync(String(link));
    assert.deepEqual([statSync(inner).mode & 0o777, existsSync(String(left))], [0o500, false]);
  });

  it("leaves nothing behind in a folder that it has locked", async () => {
    const asNobody = (id: number) => process.getuid?.() === 0 && process.seteuid?.(id);
    asNobody(65_534);
    try {
      const left = makeFolder();
      const locked = join(left, "user", "locked");
      mkdirSync(join(locked, "inner"), { recursive: true });
      chmodSync(locked, 0);
      await remove(left);
      assert.equal(existsSync(left), false);
    } finally {
      asNobody(0);
    }
  });

  it("is not what a deeply nested answer makes of its report", async () => {
    const flows = [
      ...[tab, inTab("in", "http in", ["out"], { url: "/in", method: "post" }), inTab("out", "http response", [])],
    ];
    const body = "[".repeat(4900) + "]".repeat(4900);
    const { report } = await days(flows, { world: { inputs: [{ at: "09:00", post: "/in", body }] } });
    assert.ok(JSON.stringify(report).includes(body));
  });

  const endsWith = async (text: string, sentence: RegExp, limit: number) => {
    const { report } = await hostile(text, { limit });
    assert.match(report.brokenOff ?? "", sentence);
    assert.equal(report.figures.calls, 0);
  };

  it("ends with a sentence", async function () {
    this.timeout(600_000);
    const wait = "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0";
    const began = performance.now();
    await Promise.all([
      endsWith(
        "process.exit(3);",
        /^At 2026-11-30T09:00:00\+[\d:]{5} the flow ended the process, with exit code 3\. The last/,
        LIMIT,
      ),
      // As a process that hangs while it exits.
      endsWith(`${write} line('{"kind":"exit","code":7}'); ${wait}, Infinity);`, /with exit code 7\. The last/, LIMIT),
      endsWith("Promise.reject('\\u001b[2J');", /^At .* an error that no node handles ended Node-RED:\P{Cc}+$/u, LIMIT),
      endsWith("msg.payload = Buffer.alloc(3e9, 1); return msg;", /needed more than 512 MB/, LIMIT),
    ]);
    // As far as this machine needs to begin the day, and longer: it may be busier now.
    const limit = Math.ceil(30 + (3 * (performance.now() - began)) / 1000);
    await Promise.all([
      // Waiting blocks as an endless loop does, and leaves the processor to other tests.
      endsWith(
        `${wait}, Infinity);`,
        /^At 2026-11-30T09:00:00.* did not give control back, .* The last node that received a message was "function"\.$/,
        limit,
      ),
      endsWith(
        `const again = () => { ${wait}, 20); setTimeout(again, 1); }; again();`,
        /had come to 2026-11-30T09:/,
        limit,
      ),
    ]);
  });
});
