import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { listen } from "../../support/loopback";
import { freePort } from "../../support/process/free-port";
import type { FlowNode } from "../../support/process/node-red";
import { callsAt, carryOut, NpmStart, stop } from "../../support/process/npm-start";
import { SETTINGS, temporaryFolder } from "../../support/process/user-folder";

describe("npm start", () => {
  const npm = new NpmStart();
  const servers: Server[] = [];
  afterEach(() => {
    npm.kill();
    for (const server of servers.splice(0)) server.close();
  });

  const start = async (folder: string, env: NodeJS.ProcessEnv = {}) =>
    npm.start(folder, ["--port", String(await freePort())], env);
  /** A user folder with settings of its own, which npm start keeps: each start is short. */
  const folderWithSettings = () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "settings.js"), `process.env.CALL_SECRET ||= "of the tests";\n${SETTINGS}`);
    return folder;
  };
  const file = (folder: string) => join(folder, "flows.json");
  const flowsOf = (folder: string) => JSON.parse(readFileSync(file(folder), "utf8")) as FlowNode[];
  const change = (folder: string, type: string, changed: object) =>
    writeFileSync(
      file(folder),
      JSON.stringify(flowsOf(folder).map((node) => (node.type === type ? { ...node, ...changed } : node))),
    );

  /** Takes a port, as another program would; 0 is any free one. */
  async function take(port: number): Promise<number> {
    const server = createServer((socket) => socket.destroy());
    servers.push(server);
    return listen(server, port);
  }

  it("runs the flows and prints a curl line that places a call", async () => {
    const folder = temporaryFolder();
    const port = await freePort();
    const started = await npm.start(folder, ["--port", String(port)]);
    const { printed, curl, calls } = started;
    assert.ok(printed.out.includes(`Open http://127.0.0.1:${port}/ `));
    assert.deepEqual(await callsAt(calls), []);
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
    const { curl } = await start(folderWithSettings(), { CALL_SECRET: secret });
    const args = execFileSync("sh", ["-c", `curl() { printf '%s\\n' "$@"; }; ${curl}`], { encoding: "utf8" });
    assert.equal(args.split("\n")[2], `X-Call-Secret: ${secret}`);
  });

  it("uses the secret that a user has entered in the editor, without knowing it", async () => {
    const folder = folderWithSettings();
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

  it("gives its sandbox another port while the usual one is taken", async () => {
    // Another program on this machine may have taken it already, and may free it at any moment.
    const isOurs = await take(4010).then(Boolean, () => false);
    const folder = folderWithSettings();
    const { calls, curl } = await start(folder);
    const port = flowsOf(folder).find(({ type }) => type === "telephony-tenant")?.["sandboxPort"];
    if (isOurs) assert.notEqual(port, 4010);
    assert.ok(calls.includes(`:${port}/`), calls);
    assert.equal((await carryOut(curl)).status, 200);
    assert.equal((await callsAt(calls)).length, 1);
  });

  it("begins with the examples again with --fresh, and keeps what was there", async () => {
    const folder = folderWithSettings();
    for (const [index, content] of ["{", '[{"id":"own","type":"comment"}]'].entries()) {
      writeFileSync(file(folder), content);
      writeFileSync(join(folder, "flows_cred.json"), `{"of":"${index}"}`);
      const started = await npm.start(folder, ["--fresh", "--port", String(await freePort())]);
      await stop(started);
      assert.ok(flowsOf(folder).some(({ type }) => type === "call-out"));
      const kept = globSync("before-fresh-*-flows.json", { cwd: folder }).sort()[index] ?? "";
      assert.ok(started.printed.out.includes(join(folder, kept)), started.printed.out);
      assert.equal(readFileSync(join(folder, kept), "utf8"), content);
      const credentials = readFileSync(join(folder, kept.replace("flows", "flows_cred")), "utf8");
      assert.equal(credentials, `{"of":"${index}"}`);
    }
  });

  it("refuses a second start in the same folder, on any port, until the first has ended", async () => {
    const folder = folderWithSettings();
    const [port, another] = [String(await freePort()), String(await freePort())];
    const first = await npm.start(folder, ["--port", port]);
    for (const wanted of [port, another]) {
      const { code, out, err } = await npm.refusal(["--user-dir", folder, "--port", wanted, "--fresh"]);
      assert.deepEqual({ code, out }, { code: 1, out: "" });
      assert.match(err, new RegExp(`^npm start is already running at http://127.0.0.1:${port}; [^\\n]+\\n$`));
    }
    first.child.kill("SIGKILL");
    await once(first.child, "exit");
    await stop(await npm.start(folder, ["--port", another]));
    assert.ok(!existsSync(join(folder, "npm-start.json")), "the lock goes with the process");
  });

  it("does not change a port that the user chose, and prints only addresses that answer", async () => {
    const folder = folderWithSettings();
    await stop(await start(folder));
    const [chosen, taken] = [String(await freePort()), String(await take(0))];
    for (const [sandboxPort, shown] of [
      [chosen, `:${chosen}/sandbox/calls`],
      ["${SBP}", "/telephony/sandbox/"],
      [taken, undefined],
    ] as const) {
      change(folder, "telephony-tenant", { sandboxPort });
      const before = readFileSync(file(folder), "utf8");
      const started = await start(folder, { SBP: chosen });
      assert.equal(readFileSync(file(folder), "utf8"), before);
      assert.equal(shown ? started.calls.includes(shown) : started.calls === "", true, started.printed.out);
      if (shown) assert.deepEqual(await callsAt(started.calls), []);
      await stop(started);
    }
  });

  /** Asserts that it ends with one sentence. */
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
    const port = String(await take(0));
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
      for (const option of ["--port", "--fresh", "--user-dir"]) assert.ok(out.includes(`  ${option} `), option);
    }
  });
});
