import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { listen } from "../../support/loopback";
import { freePort } from "../../support/process/free-port";
import { callsAt, carryOut, NpmStart, stop } from "../../support/process/npm-start";
import { temporaryFolder } from "../../support/process/user-folder";

describe("npm start", () => {
  const npm = new NpmStart();
  afterEach(() => npm.kill());

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
    assert.doesNotMatch(printed.out, /\[error\]/);
    if (process.platform !== "win32")
      assert.equal(statSync(join(folder, "secrets.json")).mode & 0o777, 0o600, "other users of the machine");
  });

  it("quotes the secret in the curl line for the shell", async function () {
    if (process.platform === "win32") this.skip();
    const secret = 'it\'s "$HOME" `pwd` \\ !';
    const { curl } = await npm.start(temporaryFolder(), ["--port", String(await freePort())], { CALL_SECRET: secret });
    const args = execFileSync("sh", ["-c", `curl() { printf '%s\\n' "$@"; }; ${curl}`], { encoding: "utf8" });
    assert.equal(args.split("\n")[2], `X-Call-Secret: ${secret}`);
  });

  it("uses the secret that a user has entered in the editor, without knowing it", async () => {
    const folder = temporaryFolder();
    const options = ["--port", String(await freePort())];
    await stop(await npm.start(folder, options));
    const file = join(folder, "flows.json");
    const flows = JSON.parse(readFileSync(file, "utf8")) as { type: string; env?: object[] }[];
    const env = [{ name: "CALL_SECRET", value: "entered by hand", type: "str" }];
    writeFileSync(file, JSON.stringify(flows.map((node) => (node.type === "tab" ? { ...node, env } : node))));
    const { curl } = await npm.start(folder, options);
    assert.match(curl, /"X-Call-Secret: the secret of the flow"/);
    assert.equal((await carryOut(curl)).status, 401);
    assert.equal((await carryOut(curl.replace("the secret of the flow", "entered by hand"))).status, 200);
  });

  it("reports a port in use in one sentence", async () => {
    const taken = createServer();
    const port = await listen(taken);
    const { code, out, err } = await npm.refusal(["--port", String(port), "--user-dir", temporaryFolder()]);
    taken.close();
    assert.deepEqual({ code, out }, { code: 1, out: "" });
    assert.match(err, new RegExp(`^The port ${port} is in use; [^\\n]+\\n$`));
  });

  it("reports a Node that is too old in one sentence", async () => {
    const older = "Object.defineProperty(process.versions, 'node', { value: '20.18.1' })";
    const { code, out, err } = await npm.refusal([], {}, [
      "--import",
      `data:text/javascript,${encodeURIComponent(older)}`,
    ]);
    assert.deepEqual({ code, out }, { code: 1, out: "" });
    assert.match(err, /^Node-RED 5 needs Node 22\.9\.0 or newer and this is 20\.18\.1: [^\n]+\n$/);
  });

  it("prints its options", async () => {
    for (const asked of ["--help", "-h"]) {
      const { code, out, err } = await npm.refusal([asked]);
      assert.deepEqual({ code, err }, { code: 0, err: "" });
      for (const option of ["--port", "--fresh", "--user-dir"]) assert.ok(out.includes(`  ${option} `), option);
    }
  });

  for (const [args, sentence] of [
    [["--port", "http"], /^The port must be a number from 1 to 65535, not "http"\.\n$/],
    [["--port", "0"], /^The port must be a number from 1 to 65535, not "0"\.\n$/],
    [["--prot", "1881"], /^Unknown option '--prot'\. See npm start -- --help\.\n$/],
  ] as const) {
    it(`refuses ${args.join(" ")} in one sentence`, async () => {
      const { code, out, err } = await npm.refusal([...args]);
      assert.deepEqual({ code, out }, { code: 1, out: "" });
      assert.match(err, sentence);
    });
  }
});
