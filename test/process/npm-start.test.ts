import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { listen } from "../support/loopback";
import { freePort } from "../support/process/free-port";
import type { FlowNode } from "../support/process/node-red";
import { callsAt, carryOut, NpmStart, stop } from "../support/process/npm-start";
import { temporaryFolder } from "../support/process/user-folder";

describe("npm start", () => {
  const npm = new NpmStart();
  const other = createServer();
  afterEach(() => {
    npm.kill();
    other.close();
  });

  const start = async (folder: string, env: NodeJS.ProcessEnv = {}) =>
    npm.start(folder, ["--port", String(await freePort())], env);
  const file = (folder: string) => join(folder, "flows.json");
  const flowsOf = (folder: string) => JSON.parse(readFileSync(file(folder), "utf8")) as FlowNode[];
  const change = (folder: string, type: string, changed: object) =>
    writeFileSync(
      file(folder),
      JSON.stringify(flowsOf(folder).map((node) => (node.type === type ? { ...node, ...changed } : node))),
    );

  it("runs the flows and prints a curl line that places a call", async () => {
    const folder = temporaryFolder();
    const port = await freePort();
    const started = await npm.start(folder, ["--port", String(port)]);
    const { printed, curl, calls } = started;
    assert.ok(printed.out.includes(`Open http://127.0.0.1:${port}/ `));
    const answer = await carryOut(curl);
    assert.equal(answer.status, 200);
    const placed = await callsAt(calls);
    assert.deepEqual(
      placed.map(({ to }) => to),
      [{ type: "external", number: "0000000000", alias: "Ada" }],
    );
    const strange = await carryOut(curl.replace(/(X-Call-Secret: )[^"]+/, "$1strange"));
    assert.equal(strange.status, 401);

    await stop(started);
    assert.doesNotMatch(printed.out, /\[error\]|Encrypted credentials/);
    if (process.platform !== "win32")
      assert.equal(statSync(join(folder, "settings.js")).mode & 0o777, 0o600, "other users of the machine");
  });

  it("quotes the secret in the curl line for the shell", async function () {
    if (process.platform === "win32") this.skip();
    const secret = 'it\'s "$HOME" `pwd` \\ !';
    const { curl } = await start(temporaryFolder(), { CALL_SECRET: secret });
    const args = execFileSync("sh", ["-c", `curl() { printf '%s\\n' "$@"; }; ${curl}`], { encoding: "utf8" });
    assert.equal(args.split("\n")[2], `X-Call-Secret: ${secret}`);
  });

  it("uses the secret that a user has entered in the editor, without knowing it", async () => {
    const folder = temporaryFolder();
    await stop(await start(folder));
    const webhook = flowsOf(folder).find(({ type }) => type === "telephony-webhook");
    const entered = { [String(webhook?.id)]: { secret: "entered by hand" } };
    writeFileSync(join(folder, "flows_cred.json"), JSON.stringify(entered));
    const { curl } = await start(folder);
    assert.match(curl, /"X-Call-Secret: the secret of the webhook"/);
    assert.equal((await carryOut(curl)).status, 401);
    assert.equal((await carryOut(curl.replace("the secret of the webhook", "entered by hand"))).status, 200);
  });

  it("keeps flows that the user has changed, and its secret", async () => {
    const folder = temporaryFolder();
    const first = await start(folder);
    await stop(first);
    assert.equal(flowsOf(folder).filter(({ type }) => type === "telephony-tenant").length, 1);
    change(folder, "telephony-tenant", { name: "Renamed by its user" });
    const second = await start(folder);
    const secret = (curl: string) => /X-Call-Secret: ([^"]+)/.exec(curl)?.[1];
    assert.equal(secret(second.curl), secret(first.curl));
    assert.equal(flowsOf(folder).find(({ type }) => type === "telephony-tenant")?.["name"], "Renamed by its user");
  });

  it("refuses a second start in the same folder, on any port, until the first has ended", async () => {
    const folder = temporaryFolder();
    const [port, another] = [String(await freePort()), String(await freePort())];
    const first = await npm.start(folder, ["--port", port]);
    for (const wanted of [port, another]) {
      const { code, out, err } = await npm.refusal(["--user-dir", folder, "--port", wanted]);
      assert.deepEqual({ code, out }, { code: 1, out: "" });
      assert.match(err, new RegExp(`^npm start is already running at http://127.0.0.1:${port}; [^\\n]+\\n$`));
    }
    first.child.kill("SIGKILL");
    await once(first.child, "exit");
    await stop(await npm.start(folder, ["--port", another]));
    assert.ok(!existsSync(join(folder, "npm-start.json")), "the lock goes with the process");
  });

  /** It ends with one sentence. */
  const refuses = async (sentence: RegExp, args: readonly string[], nodeOptions: readonly string[] = []) => {
    const { code, out, err } = await npm.refusal(args, {}, nodeOptions);
    assert.deepEqual({ code, out }, { code: 1, out: "" });
    assert.match(err, sentence);
    assert.match(err, /^[^\n]+\n$/);
  };

  it("reports in one sentence what is no flow file, and keeps it", async () => {
    const folder = temporaryFolder();
    for (const content of ["{", "", '{"flows":[]}', "[null]"]) {
      writeFileSync(file(folder), content);
      await refuses(/flows\.json is not a flow file: /, ["--user-dir", folder, "--port", String(await freePort())]);
      assert.equal(readFileSync(file(folder), "utf8"), content);
    }
  });

  it("reports in one sentence a port in use, a Node that is too old, and wrong arguments", async () => {
    const port = String(await listen(other));
    await refuses(new RegExp(`^The port ${port} is not free; `), ["--port", port, "--user-dir", temporaryFolder()]);
    const older = "Object.defineProperty(process.versions, 'node', { value: '20.18.1' })";
    const imported = ["--import", `data:text/javascript,${encodeURIComponent(older)}`];
    await refuses(/^Node-RED 5 needs Node 22\.9\.0 or newer and this is 20\.18\.1: /, [], imported);
    for (const wanted of ["http", "0"])
      await refuses(new RegExp(`^The port must be a number from 1 to 65535, not "${wanted}"\\.\n$`), [
        "--port",
        wanted,
      ]);
    await refuses(/^Unknown option '--prot'\. See npm start -- --help\.\n$/, ["--prot", "1881"]);
  });

  it("prints its options", async () => {
    for (const asked of ["--help", "-h"]) {
      const { code, out, err } = await npm.refusal([asked]);
      assert.deepEqual({ code, err }, { code: 0, err: "" });
      for (const option of ["--port", "--user-dir"]) assert.ok(out.includes(`  ${option} `), option);
    }
  });
});
