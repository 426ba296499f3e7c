import { existsSync, readFileSync } from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, extname, isAbsolute, join } from "node:path";
import type { NodeAPI } from "node-red";
import { replaceFile } from "../../json/replace-file";
import { manifestOf } from "../rehearsal/find-node-red";
import { type FlowTest, readTests } from "../rehearsal/flow-test";

interface Settings {
  readonly userDir?: string;
  readonly flowFile?: string;
  get?(name: "projects"): { readonly activeProject?: string } | null | undefined;
}

/** The tests of the flows: beside the flow file, in the folder of the project if there is one. */
export class FlowTestsFile {
  readonly path: string;
  readonly #isShared: boolean;

  constructor(RED: NodeAPI) {
    const settings = RED.settings as unknown as Settings;
    const project = projectFolder(settings);
    this.#isShared = project !== undefined;
    const flows = project === undefined ? flowFile(settings) : join(project, projectFlowFile(project));
    this.path = join(dirname(flows), `${basename(flows, extname(flows))}.tests.json`);
  }

  /** @throws CannotRehearse with a sentence for each property that is unknown or wrong */
  read(): readonly FlowTest[] {
    return existsSync(this.path) ? readTests(JSON.parse(readFileSync(this.path, "utf8"))) : [];
  }

  /**
   * Outside of a project, only their owner may read them: they have numbers and names.
   * @throws CannotRehearse as `read`; then nothing is written
   */
  async write(tests: unknown): Promise<readonly FlowTest[]> {
    const read = readTests({ tests });
    await replaceFile(this.path, `${JSON.stringify({ tests: read }, null, 2)}\n`, this.#isShared ? 0o666 : 0o600);
    return read;
  }
}

function projectFolder(settings: Settings): string | undefined {
  const active = settings.get?.("projects")?.activeProject;
  return active && settings.userDir ? join(settings.userDir, "projects", active) : undefined;
}

function projectFlowFile(folder: string): string {
  const { settings } = Object(manifestOf(folder)?.["node-red"]) as { readonly settings?: Settings };
  return settings?.flowFile ?? "flows.json";
}

function flowFile({ userDir = ".", flowFile: named }: Settings): string {
  if (named) return isAbsolute(named) ? named : join(userDir, named);
  const ofHost = join(userDir, `flows_${hostname()}.json`);
  return existsSync(ofHost) ? ofHost : join(userDir, "flows.json");
}
