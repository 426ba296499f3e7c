import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const project = join(__dirname, "../..");

const folder = mkdtempSync(join(tmpdir(), "telephony-bench-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

export function temporary(name: string): string {
  return join(folder, name);
}

const NAME = "@cloud-telephony/node-red-call-actions";

/** The compiled files of the package's nodes. */
export const nodeFiles: readonly string[] = Object.values(
  (JSON.parse(readFileSync(join(project, "package.json"), "utf8")) as { "node-red": { nodes: Record<string, string> } })[
    "node-red"
  ].nodes,
).map((file) => join(project, file));

/** A user folder of Node-RED with the benchmark's own nodes, and with the package where it is wanted. */
export function userFolder(name: string, withPackage: boolean): string {
  const user = temporary(name);
  const modules = join(user, "node_modules", "@cloud-telephony");
  mkdirSync(modules, { recursive: true });
  writeFileSync(join(user, "package.json"), JSON.stringify({ dependencies: withPackage ? { [NAME]: "*" } : {} }));
  writeFileSync(join(user, "settings.js"), `module.exports = ${JSON.stringify(settings(user))};\n`);
  if (withPackage) linkPackage(join(user, "node_modules", NAME));
  const nodes = join(user, "nodes");
  mkdirSync(nodes);
  writeFileSync(join(nodes, "bench.js"), `module.exports = require(${JSON.stringify(join(__dirname, "driver"))});\n`);
  const dialogs = ["bench-loop", "bench-pass", "bench-failed"].map(
    (type) => `<script type="text/html" data-template-name="${type}"></script>`,
  );
  writeFileSync(join(nodes, "bench.html"), dialogs.join("\n"));
  return user;
}

/** TEMPORARY until every node has its dialog: stubs for those that have none. */
function linkPackage(folder: string): void {
  mkdirSync(join(folder, "dist/nodes"), { recursive: true });
  const nodes: Record<string, string> = {};
  for (const file of readdirSync(join(project, "dist/nodes"))) {
    if (file.endsWith(".d.ts")) continue;
    symlinkSync(join(project, "dist/nodes", file), join(folder, "dist/nodes", file));
    if (!file.endsWith(".js")) continue;
    const type = file.slice(0, -3);
    nodes[type] = `dist/nodes/${file}`;
    if (!existsSync(join(project, `dist/nodes/${type}.html`)))
      writeFileSync(join(folder, `dist/nodes/${type}.html`), `<script type="text/html" data-template-name="${type}"></script>`);
  }
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: NAME, version: "0.1.0", "node-red": { nodes } }));
}

function settings(user: string) {
  return {
    uiHost: "127.0.0.1",
    flowFile: "flows.json",
    credentialSecret: "of the benchmark",
    disableEditor: true,
    nodesDir: join(user, "nodes"),
    telemetry: { enabled: false, updateNotification: false },
    logging: { console: { level: "error", metrics: false, audit: false } },
  };
}
