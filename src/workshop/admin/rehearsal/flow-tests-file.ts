import { existsSync, readFileSync } from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, extname, isAbsolute, join, resolve } from "node:path";
import type { NodeAPI } from "node-red";
import { replaceFile } from "../../../json/replace-file";
import { manifestOf } from "../../rehearsal/find-node-red";
import { type FlowTest, readTests } from "../../rehearsal/flow-test";

interface Settings {
  readonly userDir?: string;
  readonly flowFile?: string;
  readonly editorTheme?: { readonly projects?: { readonly enabled?: boolean; readonly path?: string } };
  get?(name: "projects"): { readonly activeProject?: string } | null | undefined;
}

type TestsFile = ReturnType<typeof testsFile>;

/**
 * Returns the file of the flows' tests: beside the flow file, in the folder of the project if there is one. Elsewhere only their
 * owner may read them: they have numbers and names.
 */
export function testsFile(RED: NodeAPI) {
  const settings = RED.settings as unknown as Settings;
  const project = projectFolder(settings);
  const flows = project === undefined ? flowFile(settings) : join(project, projectFlowFile(project));
  const path = join(dirname(flows), `${basename(flows, extname(flows))}.tests.json`);
  return { path, mode: project === undefined ? 0o600 : 0o666 };
}

/** Rejects with CannotRehearse, with a sentence for each property that is unknown or wrong. */
export async function loadTests({ path }: TestsFile): Promise<readonly FlowTest[]> {
  return existsSync(path) ? readTests(JSON.parse(readFileSync(path, "utf8"))) : [];
}

/** Rejects as `loadTests`; then nothing is written. */
export async function saveTests({ path, mode }: TestsFile, tests: unknown): Promise<void> {
  replaceFile(path, `${JSON.stringify({ tests: readTests({ tests }) }, null, 2)}\n`, { mode });
}

/** The folder of the active project. Node-RED remembers it when projects are turned off. */
function projectFolder(settings: Settings): string | undefined {
  const { userDir = ".", editorTheme } = settings;
  const { enabled, path = join(userDir, "projects") } = editorTheme?.projects ?? {};
  const active = enabled === true && settings.get?.("projects")?.activeProject;
  return active ? join(path, active) : undefined;
}

function projectFlowFile(folder: string): string {
  const { settings } = Object(manifestOf(folder)?.["node-red"]) as { readonly settings?: Settings };
  return settings?.flowFile ?? "flows.json";
}

/** Looks where Node-RED does: a relative path is that of a file in the working folder, if it is there. */
function flowFile({ userDir = ".", flowFile: named }: Settings): string {
  if (named)
    return isAbsolute(named) || named.startsWith("./") || existsSync(named) ? resolve(named) : join(userDir, named);
  const ofHost = join(userDir, `flows_${hostname()}.json`);
  return existsSync(ofHost) ? ofHost : join(userDir, "flows.json");
}
