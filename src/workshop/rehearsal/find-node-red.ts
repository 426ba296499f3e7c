import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";
import { attempt } from "../../json/rules";
import { CannotRehearse } from "./world";

export type FoundNodeRed = ReturnType<typeof findNodeRed>;

const REMEDY =
  "Install it (npm install node-red), or name the user folder of a Node-RED, or the folder in which it is installed.";

/**
 * Takes the one that runs, if there is one; else looks in the user folder, the working folder, beside this package, and beside
 * the `node-red` command.
 * @param running the folder of the package `node-red`
 * @returns the folder of that package, and that of `@node-red/nodes`
 * @throws CannotRehearse if there is neither 4.1 nor 5
 */
export function findNodeRed(userDir: string | undefined, running?: string) {
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
  const folders = [userDir ?? [], process.cwd(), __dirname].flat();
  const beside = (process.env["PATH"] ?? "").split(delimiter).flatMap(besideCommand);
  return [...folders.flatMap((folder) => findUpwards(folder, "node-red") ?? []), ...beside];
}

/** The packages that a `node-red` command in a folder of PATH may belong to. */
function besideCommand(folder: string): string[] {
  const command = join(folder, "node-red");
  if (folder === "" || !existsSync(command)) return [];
  return [dirname(realpathSync(command)), join(folder, "node_modules", "node-red")];
}

/** The first that `findUpwards` finds, in the order of the folders. */
export function findFrom(folders: readonly string[], name: string): string | undefined {
  return folders.map((folder) => findUpwards(folder, name)).find((each) => each !== undefined);
}

/** A package in the `node_modules` of a folder or of one above it, as `require` finds it. */
function findUpwards(folder: string, name: string): string | undefined {
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

const TYPES = /<script [^>]*data-template-name\s*=\s*['"]([^'"]*)['"]/gi;

/**
 * The files of core nodes none of whose types is used: to load them all takes a quarter of the time of a short rehearsal.
 * @param coreNodes the folder of `@node-red/nodes`
 */
export function unusedCoreNodes(coreNodes: string, types: ReadonlySet<string>): string[] {
  const folders = readdirSync(join(coreNodes, "core"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const files = folders.flatMap(({ name }) =>
    readdirSync(join(coreNodes, "core", name)).map((file) => join(name, file)),
  );
  return files.flatMap((file) => {
    if (!file.endsWith(".html")) return [];
    const found = [...readFileSync(join(coreNodes, "core", file), "utf8").matchAll(TYPES)];
    const isUsed = found.some(([, type = ""]) => type === "unknown" || types.has(type));
    return isUsed ? [] : [basename(file).replace(/html$/, "js")];
  });
}
