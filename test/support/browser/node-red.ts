import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { eventually, FinalError, LONG_MS } from "../process/eventually";
import { freePort } from "../process/free-port";
import { root } from "../root";

const PACKAGE = "@cloud-telephony/node-red-call-actions";

/** Members of settings.js. */
export type Settings = Readonly<Record<string, unknown>> & { readonly httpAdminRoot?: string };

export type Flow = readonly Readonly<Record<string, unknown>>[];

/** A Node-RED of its own with this package installed as users have it. */
export class NodeRed {
  private constructor(
    readonly url: string,
    readonly process: ChildProcess,
    readonly userDir: string,
  ) {}

  /**
   * Starts Node-RED on a free port. `NODE_RED` in the environment names another installation of it.
   */
  static async start(flow: Flow, settings: Settings = {}): Promise<NodeRed> {
    const userDir = await mkdtemp(join(tmpdir(), "telephony-editor-"));
    const installed = join(userDir, "node_modules", PACKAGE);
    await mkdir(dirname(installed), { recursive: true });
    await symlink(root, installed, "dir");
    const all = {
      flowFile: "flows.json",
      uiHost: "127.0.0.1",
      credentialSecret: false,
      telemetry: { enabled: false, updateNotification: false },
      // Ace, as Monaco takes a quarter of the time in which the page opens. No dialog of ours has a code editor.
      editorTheme: { tours: false, palette: { theme: [] }, projects: { enabled: false }, codeEditor: { lib: "ace" } },
      logging: { console: { level: "fatal" } },
      ...settings,
    };
    const manifest = { name: "editor-test", private: true, dependencies: { [PACKAGE]: "*" } };
    await writeFile(join(userDir, "package.json"), JSON.stringify(manifest));
    await writeFile(join(userDir, "settings.js"), `module.exports = ${JSON.stringify(all)};\n`);
    await writeFile(join(userDir, "flows.json"), JSON.stringify(flow));
    // Node-RED reads no credentials from the flow file.
    const secrets = flow.flatMap(({ id, credentials }) => (credentials ? [[id, credentials]] : []));
    await writeFile(join(userDir, "flows_cred.json"), JSON.stringify(Object.fromEntries(secrets)));
    const port = await freePort();
    const nodeRed = join(process.env["NODE_RED"] ?? join(root, "node_modules", "node-red"), "red.js");
    const child = spawn(process.execPath, [nodeRed, "-u", userDir, "-p", String(port)], { stdio: "inherit" });
    const started = new NodeRed(`http://127.0.0.1:${port}${settings.httpAdminRoot ?? ""}`, child, userDir);
    await started.#answers();
    return started;
  }

  async #answers(): Promise<void> {
    await eventually(async () => {
      if (this.process.exitCode !== null) throw new FinalError("Node-RED ended while it started");
      return (await fetch(`${this.url}/nodes`)).ok || undefined;
    }, LONG_MS);
  }

  /** The flows as they are deployed. */
  async flows(): Promise<Record<string, unknown>[]> {
    return (await (await fetch(`${this.url}/flows`)).json()) as Record<string, unknown>[];
  }

  /** Sends JSON to a path. */
  post(path: string, body?: object, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    const all = { "content-type": "application/json", ...headers };
    return fetch(this.url + path, { method: "POST", headers: all, ...(body && { body: JSON.stringify(body) }) });
  }

  /** Presses an Inject node. A deploy is answered before its nodes are there. */
  async press(id: string): Promise<void> {
    await eventually(async () => (await this.post(`/inject/${id}`)).ok || undefined);
  }

  async stop(): Promise<void> {
    if (this.process.exitCode === null) {
      this.process.kill();
      await once(this.process, "exit");
    }
    await rm(this.userDir, { recursive: true, force: true });
  }
}
