import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { root } from "../root";

const folders: string[] = [];
process.once("exit", () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** An empty folder that is removed after the tests. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "telephony-test-"));
  folders.push(folder);
  return folder;
}

export async function npm(cwd: string, ...args: string[]): Promise<string> {
  const isWindows = process.platform === "win32";
  const { stdout } = await promisify(execFile)("npm", args, { cwd, shell: isWindows, maxBuffer: 16 * 1024 * 1024 });
  return stdout;
}

/** A link to Node-RED's own nodes in the user folder. Where they are, a start would look into each of our development dependencies. */
const CORE_NODES = "core";
/** Nodes that no flow of the tests has. */
const UNUSED = [
  ..."10-file 10-mqtt 16-range 18-sort 19-batch 21-httprequest 22-websocket 23-watch 31-tcpin".split(" "),
  ..."32-udp 70-CSV 70-HTML 70-JSON 70-XML 70-YAML 80-template 89-trigger 90-exec rbe".split(" "),
].map((name) => `${name}.js`);

/** Keeps each start of Node-RED short: no npm for the palette's installer, and few of its nodes but where a test has ALL_NODES. */
export const SETTINGS = `module.exports = {
  uiHost: "127.0.0.1",
  flowFile: "flows.json",
  credentialSecret: "for the tests only",
  telemetry: { enabled: false, updateNotification: false },
  externalModules: { palette: { allowInstall: false } },
  ...(require("node:fs").existsSync(__dirname + "/${CORE_NODES}") && { coreNodesDir: __dirname + "/${CORE_NODES}" }),
  nodesExcludes: process.env.ALL_NODES ? [] : ${JSON.stringify(UNUSED)},
};
`;

let installed: Promise<string> | undefined;

/**
 * A user folder of Node-RED in which this package is installed as a user would have it: from its tarball, with its
 * dependencies and nothing else. Installed once for all tests; the flows of the last one are removed.
 * `npm test` installs one for all its processes, which copy it: USER_FOLDER.
 */
export async function userFolder(): Promise<string> {
  installed ??= install();
  const folder = await installed;
  for (const file of ["flows.json", "flows_cred.json"]) rmSync(join(folder, file), { force: true });
  return folder;
}

/** The files that npm and the tests put into it, and no file of a Node-RED that may still be about to end there. */
const INSTALLED = ["node_modules", "package.json", "package-lock.json", "settings.js", CORE_NODES];

/** A copy of it, for a test that changes packages or settings, or that runs beside others. */
export async function userFolderOfItsOwn(): Promise<string> {
  const [folder, from] = [temporaryFolder(), await userFolder()];
  for (const name of INSTALLED) cpSync(join(from, name), join(folder, name), { recursive: true });
  return folder;
}

async function install(): Promise<string> {
  const folder = temporaryFolder();
  const { USER_FOLDER } = process.env;
  if (USER_FOLDER) {
    cpSync(USER_FOLDER, folder, { recursive: true });
    return folder;
  }
  // The matrix brings the tarball along, because the tools that pack it are not installed there.
  const tarball = process.env["TARBALL"] ?? (await pack(folder));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "user-folder", private: true }));
  writeFileSync(join(folder, "settings.js"), SETTINGS);
  await npm(folder, "install", "--prefix", folder, "--no-audit", "--no-fund", tarball);
  const nodeRed = createRequire(join(process.env["NODE_RED"] ?? join(root, "node_modules/node-red"), "package.json"));
  symlinkSync(dirname(nodeRed.resolve("@node-red/nodes/package.json")), join(folder, CORE_NODES), "junction");
  return folder;
}

async function pack(folder: string): Promise<string> {
  // Without scripts: `prepack` would build everything again.
  return join(folder, (await npm(root, "pack", "--ignore-scripts", "--pack-destination", folder)).trim());
}
