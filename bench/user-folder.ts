import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const project = join(__dirname, "../..");

const folder = mkdtempSync(join(tmpdir(), "telephony-bench-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

export function temporary(name: string): string {
  return join(folder, name);
}

const NAME = "@cloud-telephony/node-red-call-actions";

/** The files of the package's nodes. */
export const nodeFiles: readonly string[] = Object.values(
  (
    JSON.parse(readFileSync(join(project, "package.json"), "utf8")) as { "node-red": { nodes: Record<string, string> } }
  )["node-red"].nodes,
).map((file) => join(project, file));

/**
 * A user folder of Node-RED with the benchmark's own nodes, and with the package where it is wanted: as users get it, or as
 * built, whose functions have their names in a profile.
 */
export function userFolder(name: string, form?: "shipped" | "built"): string {
  const user = temporary(name);
  const modules = join(user, "node_modules", "@cloud-telephony");
  mkdirSync(modules, { recursive: true });
  writeFileSync(join(user, "package.json"), JSON.stringify({ dependencies: form ? { [NAME]: "*" } : {} }));
  writeFileSync(join(user, "settings.js"), `module.exports = ${JSON.stringify(settings(user))};\n`);
  if (form) symlinkSync(project, join(user, "node_modules", NAME), "junction");
  const nodes = join(user, "nodes");
  mkdirSync(nodes);
  writeFileSync(join(nodes, "bench.js"), `module.exports = require(${JSON.stringify(join(__dirname, "driver"))});\n`);
  const dialogs = ["bench-loop", "bench-pass", "bench-bare", "bench-failed"].map(
    (type) => `<script type="text/html" data-template-name="${type}"></script>`,
  );
  writeFileSync(join(nodes, "bench.html"), dialogs.join("\n"));
  return user;
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
