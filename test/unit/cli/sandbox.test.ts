import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { run as sandboxCommand } from "../../../src/cli/sandbox";
import { Sandbox } from "../../../src/sandbox/http/server";
import { faultFields } from "../../../src/sandbox/inspect/faults";
import { type Answer, refusals } from "../../../src/sandbox/service/envelope";
import { runToEnd } from "../../support/process/telephony";
import { root } from "../../support/root";
import { PARTIES, token, visit } from "../sandbox/visit";

const command = join(root, "dist/src/cli/telephony-sandbox.js");
const hours = "/api/v1/setting/business-hour";

describe("telephony-sandbox, the command", () => {
  let children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children) child.kill("SIGKILL");
    children = [];
  });

  const run = (...args: string[]) => runToEnd(command, ...args);

  /** Starts it on a free port, and waits for its greeting. */
  async function start(...args: string[]) {
    const child = spawn(process.execPath, [command, "--port=0", ...args], { stdio: ["ignore", "pipe", "pipe"] });
    children.push(child);
    let out = "";
    for await (const chunk of child.stdout) {
      out += String(chunk);
      if (out.includes("Ctrl+C")) break;
    }
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(out) ?? assert.fail(`no greeting: ${out}`);
    return { child, out, url };
  }

  it("lets whoever looks at the page answer, if asked to", async () => {
    const { url } = await start("--answers=ask");
    const { json } = await visit(`${url}/sandbox/view`);
    assert.equal((json["settings"] as { answers: string }).answers, "ask");
  });

  it("ends at once, whatever rings or is asked", async () => {
    const server = createServer(() => {}).listen(0, "127.0.0.1");
    try {
      await once(server, "listening");
      const { child, url } = await start("--token", token);
      const asked = once(server, "request");
      const { port } = server.address() as AddressInfo;
      // Takes longer to speak than a test may take.
      const text = "word ".repeat(1000);
      for (const more of [{ answer_url: `http://127.0.0.1:${port}/` }, { actions: [{ action: "talk", text }] }]) {
        const headers = { Authentication: `Bearer ${token}`, "content-type": "application/json" };
        const body = { ...PARTIES, ...more };
        assert.equal((await visit(`${url}/api/v1/call/call-out`, { method: "POST", headers, body })).status, 200);
      }
      await asked;
      child.kill("SIGTERM");
      assert.deepEqual(await once(child, "exit"), [0, null]);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });

  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    it(`serves until ${signal} and ends with code 0`, async () => {
      const { child, out, url } = await start("--token", token);
      assert.ok(out.includes(token));
      assert.ok(out.includes(`${url}/sandbox/calls`));
      assert.ok(out.includes(`${url}/sandbox/log`));
      const { status } = await visit(url + hours, { headers: { Authentication: `Bearer ${token}` } });
      assert.equal(status, 200);
      child.kill(signal);
      assert.deepEqual(await once(child, "exit"), [0, null]);
    });
  }

  it("plays a tenant that reads one style of requests", async () => {
    const { url } = await start("--token", token, "--parties", "nested", "--booleans", "digits");
    const headers = { Authentication: `Bearer ${token}`, "Content-Type": "application/json" };
    const transfer = (party: object) =>
      visit(`${url}/api/v1/call/transfer`, { method: "POST", headers, body: { callId: "c1", ...party } });
    const dotted = await transfer({ "to.type": "internal", "to.number": "1" });
    assert.deepEqual(
      [dotted.status, dotted.json["message"]],
      [422, "The to.type field is required. The to.number field is required."],
    );
    assert.equal((await transfer({ to: { type: "internal", number: "1" } })).status, 200);
    const word = await visit(`${url}${hours}?asc=true`, { headers });
    assert.deepEqual([word.status, word.json["message"]], [422, "The asc field must be one of 1, 0."]);
    assert.equal((await visit(`${url}${hours}?asc=1`, { headers })).status, 200);
    const { json } = await visit(url + hours, { headers: { Authentication: "Bearer other" } });
    assert.match(String(json["message"]), /the one after --token/);
  });

  it("makes a token when it gets none, and prints it", async () => {
    const { out, url } = await start();
    const made = /token +(\S+)/.exec(out)?.[1] ?? "";
    assert.ok(made.length >= 20);
    assert.equal((await visit(url + hours, { headers: { Authentication: `Bearer ${made}` } })).status, 200);
    assert.equal((await visit(url + hours)).status, 401);
  });

  it("reports in a sentence that the port is in use", async () => {
    const other = await Sandbox.start({ token });
    const found = await run("--port", String(other.port));
    await other.stop();
    const err = `telephony-sandbox: The port ${other.port} cannot be used (EADDRINUSE); choose another with --port.\n`;
    assert.deepEqual(found, { code: 1, out: "", err });
  });

  const badToken = "The token must be 1 to 4096 printable characters without spaces.";
  const mistakes: [args: string[], sentence: string][] = [
    [["--prot", "4010"], "Unknown option '--prot'. See telephony-sandbox --help."],
    [["4010"], "Unexpected argument '4010'. See telephony-sandbox --help."],
    [["--port"], "Option '--port <value>' argument missing. See telephony-sandbox --help."],
    [["--port", "http"], 'The option --port must be a whole number from 0 to 65535, not "http".'],
    [["--port", "65536"], 'The option --port must be a whole number from 0 to 65535, not "65536".'],
    [["--token", "two words"], badToken],
    [["--token", ""], badToken],
    [["--answers", "me"], 'The option --answers must be one of everybody, nobody, ask, not "me".'],
    [["--parties", "flat"], 'The option --parties must be one of either, dotted, nested, not "flat".'],
    [["--booleans", "1"], 'The option --booleans must be one of either, words, digits, not "1".'],
  ];
  for (const [args, sentence] of mistakes)
    it(`reports in a sentence what is wrong with ${args.join(" ")}`, () =>
      assert.rejects(sandboxCommand("telephony-sandbox", args), { message: sentence }));

  it("writes the sentence with its name before it, and ends with code 2", async () => {
    const [args, sentence] = mistakes[0] ?? assert.fail();
    assert.deepEqual(await run(...args), { code: 2, out: "", err: `telephony-sandbox: ${sentence}\n` });
  });

  it("prints its options and its version", async () => {
    const help = await run("--help");
    assert.equal(help.code, 0);
    const options = ["--port", "--token", "--parties", "--booleans", "--help", "--version"];
    const words = [...options, "/sandbox/calls", "/sandbox/log", "/sandbox/faults"];
    for (const word of words) assert.ok(help.out.includes(word), word);
    assert.deepEqual(await run("-h"), help);
    const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
    assert.deepEqual(await run("--version"), { code: 0, out: `${manifest.version}\n`, err: "" });
  });

  it("has its statuses in the contract, and fault injection in its page", () => {
    const page = readFileSync(join(root, "docs/sandbox.md"), "utf8");
    const [choices = ""] =
      /^\| Sandbox \|.*$/m.exec(readFileSync(join(root, "docs/contract/choices.md"), "utf8")) ?? [];
    const { ownFault: _, ...documented } = refusals;
    for (const [name, refusal] of Object.entries(documented)) {
      const { status } = (refusal as (...given: string[][]) => Answer)([], []);
      assert.match(choices, new RegExp(`\\b${status}\\b`), name);
    }
    for (const word of ["/sandbox/faults", ...Object.keys(faultFields)]) assert.ok(page.includes(word), word);
  });

  it("can be run by name once it is installed", () => {
    assert.equal(readFileSync(command, "utf8").split("\n", 1)[0], "#!/usr/bin/env node");
  });
});
