import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { eventually } from "./process/eventually";
import { freePort } from "./process/free-port";
import { project, temporaryFolder } from "./process/user-folder";

const script = join(project, "scripts", "start.mjs");

interface Tenant {
  id: string;
  type: string;
  name: string;
  sandboxPort: number;
}

describe("npm start", function () {
  this.timeout(60_000);
  let children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children) child.kill("SIGKILL");
    children = [];
  });

  function run(args: string[], env: NodeJS.ProcessEnv = {}, nodeOptions: string[] = []) {
    const outer = { ...process.env, CALL_SECRET: undefined, PORT: undefined, ...env };
    const child = spawn(process.execPath, [...nodeOptions, script, ...args], {
      env: outer,
      stdio: ["ignore", "pipe", "pipe"],
    });
    children.push(child);
    const printed = { out: "", err: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      printed.out += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      printed.err += text;
    });
    return { child, printed };
  }

  /** Runs until it has greeted, and takes apart what it printed. */
  async function start(userDir: string, args: string[], env: NodeJS.ProcessEnv = {}) {
    const { child, printed } = run(["--user-dir", userDir, ...args], env);
    await eventually(() => {
      assert.equal(child.exitCode, null, printed.out + printed.err);
      return printed.out.includes("Ctrl+C ends it.") || undefined;
    });
    const curl = /^curl .*$/m.exec(printed.out)?.[0] ?? "";
    const calls = /http:\S+\/sandbox\/calls/.exec(printed.out)?.[0] ?? "";
    return { child, printed, curl, calls };
  }

  async function refusal(args: string[], env: NodeJS.ProcessEnv = {}, nodeOptions: string[] = []) {
    const { child, printed } = run(args, env, nodeOptions);
    const [code] = (await once(child, "close")) as [number];
    return { code, ...printed };
  }

  /** Does what the printed line would, where there is no curl. */
  function carryOut(curl: string): Promise<Response> {
    const [, name = "", value = ""] = /-H "([^:"]+): ([^"]+)"/.exec(curl) ?? [];
    const body = new URLSearchParams([...curl.matchAll(/-d "([^"]*)"/g)].map(([, pair = ""]) => pair).join("&"));
    const address = /http:\S+$/.exec(curl)?.[0] ?? "";
    return fetch(address, { method: "POST", headers: { [name]: value }, body });
  }

  async function callsAt(address: string): Promise<{ to: unknown }[]> {
    return (await (await fetch(address)).json()) as { to: unknown }[];
  }

  it("runs the flows and prints a curl line that places a call", async () => {
    const folder = temporaryFolder();
    const port = await freePort();
    const { child, printed, curl, calls } = await start(folder, ["--port", String(port)]);
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

    child.kill("SIGINT");
    assert.deepEqual(await once(child, "exit"), [0, null]);
    assert.doesNotMatch(printed.out, /\[error\]/);
  });

  it("keeps what its user has changed, and what it made itself", async () => {
    const folder = temporaryFolder();
    const first = await start(folder, [], { PORT: String(await freePort()) });
    first.child.kill("SIGTERM");
    assert.deepEqual(await once(first.child, "exit"), [0, null]);

    const file = join(folder, "flows.json");
    const flows = JSON.parse(readFileSync(file, "utf8")) as Tenant[];
    const [tenant, ...others] = flows.filter(({ type }) => type === "telephony-tenant");
    assert.ok(tenant);
    assert.deepEqual(others, [], "one tenant for all examples");
    tenant.name = "Renamed by its user";
    // Somebody else listens where the sandbox was.
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    tenant.sandboxPort = (taken.address() as AddressInfo).port;
    writeFileSync(file, JSON.stringify(flows));

    const second = await start(folder, ["--port", String(await freePort())]);
    taken.close();
    const secret = (curl: string) => /X-Call-Secret: ([^"]+)/.exec(curl)?.[1];
    assert.equal(secret(second.curl), secret(first.curl));
    const kept = (JSON.parse(readFileSync(file, "utf8")) as Tenant[]).find(({ id }) => id === tenant.id);
    assert.equal(kept?.name, "Renamed by its user");
    assert.notEqual(kept?.sandboxPort, tenant.sandboxPort);
    assert.ok(second.calls.includes(`:${kept?.sandboxPort}/`));
    assert.equal((await carryOut(second.curl)).status, 200);
    assert.equal((await callsAt(second.calls)).length, 1);
  });

  it("keeps its secrets from other users of the machine", async function () {
    if (process.platform === "win32") this.skip();
    const folder = temporaryFolder();
    const { child } = await start(folder, ["--port", String(await freePort())]);
    child.kill("SIGTERM");
    await once(child, "exit");
    assert.equal(statSync(join(folder, "secrets.json")).mode & 0o777, 0o600);
  });

  it("says in a sentence that the port is in use", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const { port } = taken.address() as AddressInfo;
    const { code, out, err } = await refusal(["--port", String(port)]);
    taken.close();
    assert.deepEqual({ code, out }, { code: 1, out: "" });
    assert.match(err, new RegExp(`^The port ${port} is in use; [^\\n]+\\n$`));
  });

  it("says in a sentence that Node is too old", async () => {
    const older = "Object.defineProperty(process.versions, 'node', { value: '20.18.1' })";
    const { code, out, err } = await refusal([], {}, ["--import", `data:text/javascript,${encodeURIComponent(older)}`]);
    assert.deepEqual({ code, out }, { code: 1, out: "" });
    assert.match(err, /^Node-RED 5 needs Node 22\.9\.0 or newer and this is 20\.18\.1: [^\n]+\n$/);
  });

  for (const [args, sentence] of [
    [["--port", "http"], /^The port must be a number from 1 to 65535, not "http"\.\n$/],
    [["--port", "0"], /^The port must be a number from 1 to 65535, not "0"\.\n$/],
    [["--prot", "1881"], /^Unknown option '--prot'\. See npm start -- --help\.\n$/],
  ] as const) {
    it(`says in a sentence what is wrong with ${args.join(" ")}`, async () => {
      const { code, out, err } = await refusal([...args]);
      assert.deepEqual({ code, out }, { code: 1, out: "" });
      assert.match(err, sentence);
    });
  }
});
