import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, globSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { listen } from "../../support/loopback";
import { freePort } from "../../support/process/free-port";
import type { FlowNode } from "../../support/process/node-red";
import { callsAt, carryOut, NpmStart, stop } from "../../support/process/npm-start";
import { temporaryFolder } from "../../support/process/user-folder";
import { root } from "../../support/root";

/** What a start does before Node-RED runs. */
interface Preparation {
  openFlows(folder: string, options: { fresh: boolean }): { kept?: string };
  openSandbox(folder: string, flows: readonly FlowNode[]): Promise<FlowNode | undefined>;
  lockFolder(folder: string, port: number): Promise<number | undefined>;
}

/** The tenant of the example flows. */
const isTenant = ({ type }: FlowNode) => type === "telephony-tenant";

describe("npm start: the user folder", () => {
  let preparation: Preparation;
  before(async () => {
    const scripts = ["flows", "user-folder"].map(
      (name) => import(pathToFileURL(join(root, "scripts", "start", `${name}.mjs`)).href),
    );
    preparation = Object.assign({}, ...(await Promise.all(scripts)));
  });

  const npm = new NpmStart();
  const servers: Server[] = [];
  afterEach(() => {
    npm.kill();
    for (const server of servers.splice(0)) server.close();
  });

  const start = async (folder: string, ...args: string[]) =>
    npm.start(folder, ["--port", String(await freePort()), ...args]);
  const file = (folder: string) => join(folder, "flows.json");
  const flowsOf = (folder: string) => JSON.parse(readFileSync(file(folder), "utf8")) as FlowNode[];
  const portOf = (folder: string) => String(flowsOf(folder).find(isTenant)?.["sandboxPort"]);
  const change = (folder: string, changed: (tenant: FlowNode) => object) =>
    writeFileSync(
      file(folder),
      JSON.stringify(flowsOf(folder).map((node) => (isTenant(node) ? { ...node, ...changed(node) } : node))),
    );
  const keptIn = (folder: string) => globSync("*before-fresh*", { cwd: folder }).sort();

  /** Takes a port, as another program would; 0 is any free one. */
  async function take(port: number): Promise<number> {
    const server = createServer((socket) => socket.destroy());
    servers.push(server);
    return listen(server, port);
  }

  it("keeps flows that the user has changed, and its secrets", async () => {
    const folder = temporaryFolder();
    const first = await start(folder);
    await stop(first);
    assert.equal(flowsOf(folder).filter(isTenant).length, 1, "one tenant for all examples");
    change(folder, () => ({ name: "Renamed by its user" }));

    const second = await start(folder);
    const secret = (curl: string) => /X-Call-Secret: ([^"]+)/.exec(curl)?.[1];
    assert.equal(secret(second.curl), secret(first.curl));
    assert.equal(flowsOf(folder).find(isTenant)?.["name"], "Renamed by its user");
    assert.equal((await carryOut(second.curl)).status, 200);
    assert.equal((await callsAt(second.calls)).length, 1);
  });

  it("restores the examples with --fresh and never overwrites flows that it has kept", async () => {
    const folder = temporaryFolder();
    preparation.openFlows(folder, { fresh: false });
    const tenantName = () => flowsOf(folder).find(isTenant)?.["name"];
    const original = tenantName();
    const rounds = ["The first work", "The second work"];
    for (const [index, name] of rounds.entries()) {
      change(folder, () => ({ name }));
      writeFileSync(join(folder, "flows_cred.json"), `{"of":"${name}"}`);
      const { kept } = preparation.openFlows(folder, { fresh: true });
      assert.equal(kept, join(folder, `flows.before-fresh-${index + 1}.json`));
      assert.equal(tenantName(), original);
    }
    // These flows are the examples, so there is nothing to keep.
    await stop(await start(folder));
    assert.equal(preparation.openFlows(folder, { fresh: true }).kept, undefined);
    assert.deepEqual(
      keptIn(folder),
      [1, 2]
        .flatMap((number) => [`flows.before-fresh-${number}.json`, `flows_cred.before-fresh-${number}.json`])
        .sort(),
    );
    for (const [index, name] of rounds.entries()) {
      for (const what of ["flows", "flows_cred"]) {
        assert.ok(readFileSync(join(folder, `${what}.before-fresh-${index + 1}.json`), "utf8").includes(name));
      }
    }
  });

  it("refuses a second start in the same folder, on any port", async () => {
    const folder = temporaryFolder();
    const port = await freePort();
    const other = await freePort();
    const first = await npm.start(folder, ["--port", String(port)]);
    for (const [wanted, proposed] of [
      [port, port + 1],
      [other, other],
    ] as const) {
      const { code, out, err } = await npm.refusal(["--user-dir", folder, "--port", String(wanted), "--fresh"]);
      assert.deepEqual({ code, out }, { code: 1, out: "" });
      assert.equal(
        err,
        `npm start is already running at http://127.0.0.1:${port}; npm start -- --port ${proposed} --user-dir <folder> starts another one beside it.\n`,
      );
    }
    const beside = await start(temporaryFolder());
    assert.notEqual(beside.calls, first.calls);
    assert.equal((await carryOut(beside.curl)).status, 200);
    assert.deepEqual(await callsAt(first.calls), []);
    await stop(first);
    await stop(await start(folder));
  });

  async function ended() {
    const { child } = npm.run(["--help"]);
    await once(child, "exit");
    return child.pid;
  }

  for (const [what, holder] of [
    ["was killed", async () => ({ pid: await ended(), port: 1880 })],
    [
      "was killed, and whose process id another process has now",
      async () => ({ pid: process.pid, port: await freePort() }),
    ],
    ["left an unreadable lock file", async () => ""],
  ] as const) {
    it(`takes the lock of one that ${what}`, async () => {
      const folder = temporaryFolder();
      const lock = join(folder, "npm-start.json");
      writeFileSync(lock, JSON.stringify(await holder()));
      utimesSync(lock, 0, 0);
      assert.equal(await preparation.lockFolder(folder, 1), undefined);
      assert.deepEqual(JSON.parse(readFileSync(lock, "utf8")), { pid: process.pid, port: 1 });
    });
  }

  it("uses another port while the sandbox's usual one is taken, and returns to it", async () => {
    const folder = temporaryFolder();
    // Another program on this machine may have taken the port already, and may free it at any moment.
    const taken = await take(4010).then(
      () => true,
      () => false,
    );
    const first = await start(folder);
    if (taken) assert.notEqual(portOf(folder), "4010");
    assert.ok(first.calls.includes(`:${portOf(folder)}/`));
    assert.equal((await carryOut(first.curl)).status, 200);
    await stop(first);
    if (!taken) return;
    const exchanged = portOf(folder);
    await preparation.openSandbox(folder, flowsOf(folder));
    assert.equal(portOf(folder), exchanged, "The port stays the same while the usual one is taken");
    npm.kill();
    for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
    const back = await start(folder);
    assert.ok(back.calls.includes(`:${portOf(folder)}/`));
    // Unless another program was quicker.
    if (portOf(folder) !== "4010") await assert.rejects(take(4010));
  });

  it("does not change a port that the user chose, and prints only addresses that answer", async () => {
    const folder = temporaryFolder();
    preparation.openFlows(folder, { fresh: false });
    const chosen = String(await freePort());
    const taken = String(await take(0));
    for (const [what, shown] of [
      [{ sandboxPort: chosen }, `:${chosen}/sandbox/calls`],
      [{ sandboxPort: "${SBP}" }, "/telephony/sandbox/"],
      [{ sandboxPort: taken }, undefined],
    ] as const) {
      change(folder, () => what);
      const before = readFileSync(file(folder), "utf8");
      const started = await npm.start(folder, ["--port", String(await freePort())], { SBP: chosen });
      assert.equal(readFileSync(file(folder), "utf8"), before);
      if (shown) {
        assert.ok(started.calls.includes(shown), started.printed.out);
        assert.deepEqual(await callsAt(started.calls), []);
      } else {
        assert.doesNotMatch(started.printed.out, /to see the calls/);
      }
      await stop(started);
    }
    for (const none of [
      { sandboxPort: 4010, d: true },
      { sandboxPort: 4010, mode: "log" },
    ]) {
      change(folder, () => ({ d: false, mode: "sandbox", ...none }));
      const before = readFileSync(file(folder), "utf8");
      assert.equal(await preparation.openSandbox(folder, flowsOf(folder)), undefined);
      assert.equal(readFileSync(file(folder), "utf8"), before);
    }
  });

  for (const [what, content] of [
    ["broken JSON", "{"],
    ["nothing", ""],
    ["an object", '{"flows":[]}'],
    ["a list of something else", "[null]"],
  ] as const) {
    it(`reports a flow file that holds ${what} in one sentence`, async () => {
      const folder = temporaryFolder();
      writeFileSync(file(folder), content);
      const { code, out, err } = await npm.refusal(["--user-dir", folder, "--port", String(await freePort())]);
      assert.deepEqual({ code, out }, { code: 1, out: "" });
      assert.ok(err.startsWith(`${file(folder)} is not a flow file: `), err);
      assert.match(err, /^[^\n]+ --fresh [^\n]+\n$/);
    });
  }

  it("keeps a broken flow file with --fresh", async () => {
    const folder = temporaryFolder();
    writeFileSync(file(folder), "{");
    const started = await start(folder, "--fresh");
    await stop(started);
    const kept = join(folder, "flows.before-fresh-1.json");
    assert.ok(started.printed.out.includes(kept), started.printed.out);
    assert.equal(readFileSync(kept, "utf8"), "{");
    assert.ok(!existsSync(join(folder, "npm-start.json")), "the lock goes with the process");
  });
});
