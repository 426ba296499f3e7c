import { existsSync, readFileSync, realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { attempt } from "../../json/rules";
import { CannotRehearse } from "./world";

export interface FoundNodeRed {
  /** The folder of the package `node-red`. */
  readonly folder: string;
  readonly version: string;
  /** The folder of `@node-red/nodes`, which has the core nodes. */
  readonly coreNodes: string;
}

const DOCKER = "/usr/src/node-red";
const REMEDY =
  "Install it (npm install node-red), or name the user folder of a Node-RED, or the folder in which it is installed.";

/**
 * Takes the one that runs, if there is one; else looks in the user folder, the working folder, beside this package, beside the
 * `node-red` command, and where Node-RED's Docker image has it.
 * @param running the folder of the package `node-red`
 * @throws CannotRehearse if there is neither 4.1 nor 5
 */
export function findNodeRed(userDir: string | undefined, running?: string): FoundNodeRed {
  const unfit: string[] = [];
  for (const folder of [running ?? [], candidates(userDir)].flat()) {
    const { name, version: given } = manifestOf(folder) ?? {};
    if (name !== "node-red") continue;
    const version = String(given);
    const coreNodes = findUpwards(folder, join("@node-red", "nodes"));
    if (/^(4\.[1-9]|5\.)/.test(version) && coreNodes) return { folder, version, coreNodes };
    unfit.push(`${version} in ${folder}`);
  }
  const found = unfit.length > 0 ? ` Found was ${unfit.join(", ")}.` : "";
  throw new CannotRehearse(`Neither Node-RED 4.1 nor 5 was found.${found} ${REMEDY}`);
}

function candidates(userDir: string | undefined): string[] {
  const beside = (process.env["PATH"] ?? "").split(delimiter).flatMap(besideCommand);
  const inFolders = [userDir, process.cwd(), __dirname, DOCKER].flatMap((folder) =>
    folder === undefined ? [] : (findUpwards(folder, "node-red") ?? []),
  );
  // The image's folder comes last.
  const docker = inFolders.filter((folder) => folder.startsWith(`${DOCKER}/`));
  return [...inFolders.filter((folder) => !docker.includes(folder)), ...beside, ...docker];
}

/** The packages that a `node-red` command in a folder of PATH may belong to. */
function besideCommand(folder: string): string[] {
  const command = join(folder, "node-red");
  if (folder === "" || !existsSync(command)) return [];
  return [dirname(realpathSync(command)), join(folder, "node_modules", "node-red")];
}

/** A package in the `node_modules` of a folder or of one above it, as `require` finds it. */
export function findUpwards(folder: string, name: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const found = join(at, "node_modules", name);
    if (existsSync(join(found, "package.json"))) return realpathSync(found);
    if (at === dirname(at)) return undefined;
  }
}

/** The package.json of a folder. */
export function manifestOf(folder: string): Readonly<Record<string, unknown>> | undefined {
  return attempt(() => JSON.parse(readFileSync(join(folder, "package.json"), "utf8")));
}
